package ui

import "marlpit/envs"

// AppendRound implements envs.Rounder.
func (g *Game) AppendRound(dst []byte, a envs.Actions) []byte {
	dst = appendString(append(dst, `{"world":`...), g.ID)
	dst = appendString(append(dst, `,"template":`...), g.d.template.Name)
	dst = append(dst, `,"apps":[`...)
	for i, app := range g.d.template.Apps {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendString(dst, app)
	}
	dst = append(g.appendScene(append(dst, `],`...)), `,"proposals":[`...)
	for i, c := range a.Choice {
		if i > 0 {
			dst = append(dst, ',')
		}
		m := g.meant(i, c)
		if m.kind == playable {
			dst = g.appendProposal(dst, i, &m)
			continue
		}
		dst = appendString(append(dst, `{"agent":`...), g.spec.Agents[i])
		dst = append(appendString(append(dst, `,"error":`...), m.problem), '}')
	}
	return append(dst, `]}`...)
}

// AppendRight implements envs.Rounder.
func (g *Game) AppendRight(dst []bool, a envs.Actions) []bool {
	for i, c := range a.Choice {
		m := g.meant(i, c)
		dst = append(dst, m.kind == playable && !g.over() && g.right(m.action))
	}
	return dst
}

// judgement is whether an action is right in the turn under way.
type judgement struct {
	action Action
	right  bool
}

// right is Device.Right: each action is judged once in a turn, in whose rounds
// nothing changes. To judge is to play to the end, but for what the solution
// does itself: the rest of its way is one action shorter.
func (g *Game) right(a Action) bool {
	for i := range g.judged {
		if g.judged[i].action == a {
			return g.judged[i].right
		}
	}
	left := g.left()
	right := left < Unreachable && (a == g.d.Solution() || g.d.Right(a, left))
	if len(g.judged) < mostJudged {
		g.judged = append(g.judged, judgement{a, right})
	}
	return right
}

// left is Device.Remaining of this turn.
func (g *Game) left() int {
	if g.remaining == 0 {
		g.remaining = g.d.Remaining()
	}
	return g.remaining
}

// mostJudged is how many actions of a turn are remembered.
const mostJudged = 2 * maxAgents

// unjudge forgets what was judged: the turn is over.
func (g *Game) unjudge() { g.judged, g.remaining = g.judged[:0], 0 }

// AppendWrong implements envs.Rounder. Two times in three the wrong action is
// of the right one's kind; status(complete) too early is always among the rest.
func (g *Game) AppendWrong(dst []byte, _ int, r *envs.Rand) []byte {
	if g.over() {
		return dst
	}
	if g.left() == Unreachable {
		return dst
	}
	right := g.d.Solution()
	all := g.d.AppendLegal(nil)
	var alike []Action
	for _, a := range all {
		if a.Verb == right.Verb {
			alike = append(alike, a)
		}
	}
	if r.Intn(3) == 0 {
		alike = nil
	}
	for _, from := range [...][]Action{alike, all} {
		r.Shuffle(len(from), func(i, j int) { from[i], from[j] = from[j], from[i] })
		for _, a := range from {
			if !g.right(a) {
				return a.AppendJSON(dst)
			}
		}
	}
	return dst
}

// AppendNotes implements envs.Explainer.
func (g *Game) AppendNotes(dst []envs.Note) []envs.Note {
	for i, e := range g.wasted {
		if e != "" {
			dst = append(dst, envs.Note{Agent: i, Kind: "error", Text: e})
		}
	}
	if g.over() {
		text := g.result()
		for i := range g.Agents {
			dst = append(dst, envs.Note{Agent: i, Kind: "result", Text: text})
		}
	}
	return dst
}

// result says how the episode ended.
func (g *Game) result() string {
	if g.d.status == Playing {
		return "not done in " + string(appendInt(nil, "", g.cycle)) + " steps"
	}
	return g.d.Result()
}
