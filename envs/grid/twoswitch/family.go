package twoswitch

// The families of situations: what the agent did, or else what came about.
const (
	famEnd   = "end"   // the game was over in one of the states only
	famPress = "press" // a switch began or ceased to work, and the agent stepped on or off it
	famExit  = "exit"  // it stepped on or off the exit
	famOther = "other" // a switch began or ceased to work without it
	famTurn  = "turn"  // it walked, and its next goal is another
	famWalk  = "walk"
	famStay  = "stay"
)

// Families implements envs.Classifier.
func (g *Game) Families() []string {
	return []string{famEnd, famPress, famExit, famOther, famTurn, famWalk, famStay}
}

// Family implements envs.Classifier.
func (g *Game) Family(before []byte, agent int) string {
	if err := g.past.read(g.world, before); err != nil {
		panic("twoswitch: Family: " + err.Error())
	}
	a, b := &g.past, &g.now
	if a.success != b.success {
		return famEnd
	}
	from, to := a.At[agent], b.At[agent]
	switched := false
	for k := range 2 {
		if g.works(a, k) == g.works(b, k) {
			continue
		}
		switched = true
		for _, c := range [...]int16{g.switches[k], g.twins[k]} {
			if c >= 0 && (from == c) != (to == c) {
				return famPress
			}
		}
	}
	switch {
	case from != to && (from == g.exit || to == g.exit):
		return famExit
	case switched:
		return famOther
	case from == to:
		return famStay
	case g.goals(a)[agent] != g.goals(b)[agent]:
		return famTurn
	}
	return famWalk
}
