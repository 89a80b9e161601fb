package ui

import "marlpit/envs"

// observe writes the observations and the state. All agents see one screen;
// what they differ in is whom they hear.
func (g *Game) observe(out *envs.Frame) {
	n, size := g.Agents, g.graphAt
	shared := out.State[:g.messagesAt]
	clear(shared)
	g.writeSituation(shared)
	for k := range min(remembered, len(g.past.steps)) {
		g.writePast(shared[g.pastAt+k*msSize:][:msSize], len(g.past.steps)-1-k)
	}
	for i := range min(g.d.Len(), g.listed) {
		g.writeElement(shared[g.elementsAt+i*elSize:][:elSize], g.d.Element(i))
	}
	messages := out.State[g.messagesAt:g.graphAt]
	clear(messages)
	for k := range n {
		g.writeMessage(messages[k*msSize:][:msSize], &g.said[k])
	}
	edges := out.State[g.graphAt:]
	for i := range n {
		row := out.Obs[i*size : (i+1)*size]
		copy(row, shared)
		for k := range n {
			heard := g.hears[i]>>k&1 == 1
			edges[i*n+k] = bit(heard)
			part := row[g.messagesAt+k*msSize:][:msSize]
			if heard {
				copy(part, messages[k*msSize:])
			} else {
				clear(part)
			}
		}
		g.countVotes(row, g.hears[i])
	}
	g.countVotes(out.State, 1<<n-1)
}

// countVotes writes which elements the messages of some agents are about.
func (g *Game) countVotes(row []float32, agents uint16) {
	count := 0
	for k := range g.said {
		if agents>>k&1 == 1 && g.said[k].kind == playable {
			count++
		}
	}
	for k := range g.said {
		m := &g.said[k]
		if agents>>k&1 == 1 && m.kind == playable {
			if i := m.action.element(); i >= 0 && i < min(g.d.Len(), g.listed) {
				v := &row[g.elementsAt+i*elSize+elVotes]
				*v = min(1, *v+1/float32(count))
			}
		}
	}
}

func (g *Game) writeSituation(row []float32) {
	d := &g.d
	copy(row[g.goalAt:], g.goal.hash[:])
	hashText(row[g.appAt:][:buckets], d.play.sim().App())
	hashText(row[g.screenAt:][:buckets], d.b.Title)
	s := row[g.situationAt:][:siSize]
	s[siTyping] = bit(d.Typing())
	s[siUp] = bit(d.region(Action{Verb: VerbScroll, Index: -1, Dir: Up}) >= 0)
	s[siDown] = bit(d.region(Action{Verb: VerbScroll, Index: -1, Dir: Down}) >= 0)
	s[siAnswered] = bit(len(d.answer) > 0)
	s[siTurn] = min(1, float32(d.turns)/float32(d.MaxTurns()))
	s[siRound] = float32(g.round) / float32(g.Rounds)
	for k := range d.task.Texts {
		t := row[g.textsAt+k*txSize:][:txSize]
		x := &g.goal.texts[k]
		t[txPresent], t[txNamed] = 1, bit(x.named)
		copy(t[txHash:], x.hash[:])
		copy(t[txBefore:], x.before[:])
	}
}

func (g *Game) writePast(row []float32, i int) {
	s := &g.past.steps[i]
	writeStep(row, s.verb, s.dir, s.complete)
	text, about := g.past.of(s.typed), g.past.of(s.name)
	if len(about) == 0 {
		about = text
	}
	hashText(row[msHash:][:buckets], about)
	for k, t := range g.d.task.Texts {
		row[msOffered+k] = bit(t == string(text))
	}
}

func (g *Game) writeMessage(row []float32, m *message) {
	if m.kind != playable {
		return
	}
	writeStep(row, m.action.Verb, m.action.Dir, m.action.Complete)
	if i := m.action.element(); i >= 0 && i < g.d.Len() {
		row[msPlace] = min(1, float32(i+1)/float32(g.listed))
		g.hashElement(row[msHash:][:buckets], g.d.Element(i))
	} else {
		hashText(row[msHash:][:buckets], m.action.Text)
	}
	for k, t := range g.d.task.Texts {
		row[msOffered+k] = bit(t == m.action.Text)
	}
}

func writeStep(row []float32, verb Verb, dir Direction, complete bool) {
	row[msPresent] = 1
	row[msVerb+int(verb)] = 1
	if verb == VerbScroll {
		row[msDir+int(dir)] = 1
	}
	row[msComplete] = bit(complete)
}

// hashElement writes the hash of an element's words, which count says.
func (g *Game) hashElement(dst []float32, w *Widget) (words, inGoal int, near uint8) {
	for _, s := range [...]string{w.Text, w.Desc, w.Value} {
		if s == w.Value && w.Has(Secret) {
			continue
		}
		for h, end := nextWord(s, 0); end >= 0; h, end = nextWord(s, end) {
			put(dst, h)
			words++
			if x := g.goal.slot(h); x.hash != 0 {
				inGoal++
				near |= x.near
			}
		}
	}
	scale(dst[:buckets], words)
	return words, inGoal, near
}

func (g *Game) writeElement(row []float32, w *Widget) {
	row[elPresent] = 1
	row[elRole+int(w.Role)] = 1
	for f := range flagCount {
		row[elFlags+f] = float32(w.Flags >> f & 1)
	}
	width, height := float32(g.d.b.Width), float32(g.d.b.Height)
	row[elBounds], row[elBounds+1] = float32(w.Bounds.X)/width, float32(w.Bounds.Y)/height
	row[elBounds+2], row[elBounds+3] = float32(w.Bounds.W)/width, float32(w.Bounds.H)/height
	words, inGoal, near := g.hashElement(row[elHash:][:buckets], w)
	row[elGoal] = float32(inGoal) / float32(max(words, 1))
	for k, t := range g.d.task.Texts {
		row[elEquals+k] = bit(w.Text == t || w.Desc == t || w.Value == t && !w.Has(Secret))
		row[elNear+k] = float32(near >> k & 1)
	}
}
