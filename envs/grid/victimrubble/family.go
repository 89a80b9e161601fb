package victimrubble

// The families of situations: what the agent did, or else what came about.
const (
	famEnd   = "end"   // the game was over in one of the states only
	famOut   = "out"   // the agent left or died
	famClear = "clear" // the agent's own deeds
	famHeal  = "heal"
	famOpen  = "open"
	famOther = "other" // somebody else's deed
	famWalk  = "walk"
	famTurn  = "turn" // it walked, and its next goal is another
	famStay  = "stay"
)

// Families implements envs.Classifier.
func (g *Game) Families() []string {
	return []string{famEnd, famOut, famClear, famHeal, famOpen, famOther, famWalk, famTurn, famStay}
}

// Family implements envs.Classifier.
func (g *Game) Family(before []byte, agent int) string {
	if err := g.past.read(g.world, before); err != nil {
		panic("victimrubble: Family: " + err.Error())
	}
	a, b := &g.past, &g.now
	if a.success != b.success || a.failed != b.failed {
		return famEnd
	}
	if a.out(agent) != b.out(agent) {
		return famOut
	}
	changed := false
	from, end := g.kin(agent)
	for j := range g.jobsAll() {
		if a.isDone(g.world, j) == b.isDone(g.world, j) {
			continue
		}
		changed = true
		if j >= from && j < end && a.At[agent] == b.At[agent] && b.works(g.world, j, b.At[agent]) {
			return [...]string{engineer: famClear, medic: famHeal, keybearer: famOpen}[g.roles[agent]]
		}
	}
	switch {
	case changed:
		return famOther
	case a.At[agent] == b.At[agent]:
		return famStay
	case g.goals(a)[agent] != g.goals(b)[agent]:
		return famTurn
	}
	return famWalk
}
