package ui

import "marlpit/envs"

// AppendWords implements envs.Describer.
func (g *Game) AppendWords(dst, before []byte, agent int, view envs.View) []byte {
	data, err := g.opened(before)
	var old *Game
	if err == nil {
		old, err = g.read(data)
	}
	if err != nil {
		panic(err)
	}
	defer g.free(old)
	dst = append(dst, "You are "...)
	dst = append(dst, g.spec.Agents[agent]...)
	if g.Agents > 1 {
		dst = appendInt(dst, ", one of ", g.Agents)
		dst = append(dst, " agents with equal roles who work one device together. All propose an action, "...)
		dst = append(appendInt(dst, "talk about it for ", g.Rounds), " round(s), and what most of them propose is done; your proposal counts as much as any teammate's.\n"...)
	} else {
		dst = append(dst, ", and work a device alone.\n"...)
	}
	dst = append(append(dst, "The goal: "...), old.d.task.Goal...)
	if g.d.seed != old.d.seed || g.d.template != old.d.template {
		dst = append(append(dst, "\nThe goal now: "...), g.d.task.Goal...)
	}
	dst = append(dst, "\nThe team is paid once, when the goal is reached and it says so; what the goal doesn't ask for has to stay as it was.\n"...)
	dst = old.appendMoment(append(dst, "\nBefore: "...), agent, view)
	return g.appendMoment(append(dst, "\nNow: "...), agent, view)
}

// appendMoment appends what one state shows an agent.
func (g *Game) appendMoment(dst []byte, agent int, view envs.View) []byte {
	d := &g.d
	dst = append(append(dst, "the screen shows "...), d.play.sim().App()...)
	if d.b.Title != "" && d.b.Title != d.play.sim().App() {
		dst = quoted(dst, d.b.Title)
	}
	dst = appendInt(dst, " (turn ", d.turns)
	dst = appendInt(dst, " of ", d.MaxTurns())
	dst = append(dst, ").\n"...)
	dst = append(dst, "Done so far: "...)
	if len(g.past.steps) == 0 {
		dst = append(dst, "nothing"...)
	}
	for i := range g.past.steps {
		if i > 0 {
			dst = append(dst, "; "...)
		}
		dst = g.past.words(dst, i)
	}
	dst = g.appendElements(append(dst, ".\nOn the screen:\n"...))
	for k := range g.said {
		if m := &g.said[k]; m.kind == playable && (g.hears[agent]>>k&1 == 1 || k == agent) {
			dst = append(append(dst, g.spec.Agents[k]...), " proposes: "...)
			dst = append(d.appendAction(dst, m.action), '\n')
		}
	}
	switch {
	case g.over():
		dst = append(append(append(dst, "It has ended: "...), g.result()...), ".\n"...)
	case view == envs.Guided:
		dst = append(append(dst, "What is right to do next: "...), d.appendAction(nil, d.Solution())...)
		dst = append(dst, ".\n"...)
	}
	return dst
}

// appendElements appends the elements, a line each.
func (g *Game) appendElements(dst []byte) []byte {
	for i := range g.d.elements {
		dst = appendInt(append(dst, '['), "", i)
		dst = append(g.d.Element(i).appendWords(append(dst, "] "...)), '\n')
	}
	return dst
}

// appendWords appends a widget in words: field "Name": "Ada" (focused).
func (w *Widget) appendWords(dst []byte) []byte {
	dst = append(dst, w.Role.String()...)
	if w.Text != "" {
		dst = quoted(dst, w.Text)
	}
	if w.Desc != "" {
		dst = quoted(dst, w.Desc)
	}
	if w.Value != "" || w.Role == Field {
		value := w.Value
		if w.Has(Secret) && value != "" {
			value = "••••"
		}
		dst = quoted(append(dst, ':'), value)
	}
	if w.Has(Checkable) && !w.Has(Checked) {
		dst = append(dst, " (off)"...)
	}
	for _, x := range [...]struct {
		flag Flag
		word string
	}{{Checked, " (on)"}, {Selected, " (chosen)"}, {Focused, " (has the keyboard)"}, {Disabled, " (disabled)"}} {
		if w.Has(x.flag) {
			dst = append(dst, x.word...)
		}
	}
	return dst
}
