package ui

import (
	"image"
	"strconv"
)

// AppendText implements envs.Drawer.
func (g *Game) AppendText(dst []byte) []byte {
	d := &g.d
	dst = append(append(dst, "goal: "...), d.task.Goal...)
	dst = append(append(dst, "\non: "...), d.play.sim().App()...)
	if d.b.Title != "" {
		dst = quoted(dst, d.b.Title)
	}
	dst = appendInt(dst, ", turn ", d.turns)
	dst = appendInt(dst, " of ", d.MaxTurns())
	dst = appendInt(dst, ", round ", g.round)
	dst = append(appendInt(dst, " of ", g.Rounds), '\n')
	if n := len(g.past.steps); n > 0 {
		dst = append(g.past.words(append(dst, "executed: "...), n-1), '\n')
	}
	for k := range g.said {
		switch m := &g.said[k]; m.kind {
		case playable:
			dst = append(append(dst, g.spec.Agents[k]...), " proposes: "...)
			dst = append(d.appendAction(dst, m.action), '\n')
		case wasted:
			dst = append(append(dst, g.spec.Agents[k]...), " proposes what can't be played\n"...)
		}
	}
	dst = g.appendElements(dst)
	if g.over() {
		dst = append(append(append(dst, "over: "...), g.result()...), '\n')
	}
	return dst
}

// Bounds implements envs.Drawer.
func (g *Game) Bounds() image.Rectangle { return image.Rect(0, 0, g.Width, g.Height+Caption) }

// Draw implements envs.Drawer: the screen, and below it the goal, where the
// game stands, and what was done or proposed last.
func (g *Game) Draw(dst *image.RGBA) {
	last, said := "", ""
	if n := len(g.past.steps); n > 0 {
		last = string(g.past.words([]byte("done: "), n-1))
	}
	for k := range g.said {
		if m := &g.said[k]; m.kind == playable {
			if said != "" {
				said += " · "
			}
			said += string(g.d.appendAction(nil, m.action))
		}
	}
	if said != "" {
		last = "proposed: " + said
	}
	where := "turn " + strconv.Itoa(g.d.turns) + " of " + strconv.Itoa(g.d.MaxTurns())
	if g.Rounds > 1 {
		where += ", round " + strconv.Itoa(g.round) + " of " + strconv.Itoa(g.Rounds)
	}
	if g.over() {
		where += ": " + g.result()
	}
	g.Paint(dst, &g.d, []string{g.d.task.Goal, where, last})
}
