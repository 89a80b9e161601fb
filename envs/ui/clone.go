package ui

import "marlpit/envs"

// Clone implements envs.Cloner.
func (g *Game) Clone() envs.Env {
	c := newGame(g.game)
	g.CloneInto(c)
	return c
}

// CloneInto implements envs.Cloner.
func (g *Game) CloneInto(dst envs.Env) {
	c, ok := dst.(*Game)
	if !ok || c.game != g.game {
		panic("ui: CloneInto: a game of another world or other parameters")
	}
	c.d.CopyFrom(&g.d)
	c.goal = g.goal
	c.past.copyFrom(&g.past)
	c.hears, c.cycle, c.round, c.vote = g.hears, g.cycle, g.round, g.vote
	copy(c.wasted, g.wasted)
	c.unjudge()
	c.copyMessages(c.said, g.said)
	c.copyMessages(c.stored, g.stored)
}

// copyMessages copies messages of a game of which g is a copy: texts that live
// in that game's screen become those of its own.
func (g *Game) copyMessages(dst, src []message) {
	copy(dst, src)
	for i := range dst {
		if m := &dst[i]; m.kind == playable && m.choice != g.proposal() {
			if a, ok := g.action(&g.d, m.choice); ok {
				m.action = a
			}
		}
	}
}
