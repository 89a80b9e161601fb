package victimrubble

// AppendText implements envs.Drawer: the board, with agents as the first letter
// of their role ('+' where several stand), rubble as '%', where it was as ':',
// victims as 'v', healed as 'o', the locked door as 'D', open as '/', traps as '^'.
func (g *Game) AppendText(dst []byte) []byte {
	s := &g.now
	board := len(dst)
	dst = g.board.Append(dst)
	at := func(c int16) *byte {
		p := g.cells.Points[c]
		return &dst[board+p.Y*(g.board.W+1)+p.X]
	}
	for c := range int16(g.cells.Len()) {
		if s.Shut.has(c) {
			*at(c) = '#'
		}
	}
	for k, c := range s.Victim[:g.victims] {
		*at(c) = pick(s.healed(k), 'o', 'v')
	}
	for k, c := range s.Rubble[:g.rubble] {
		if l := at(c); !s.cleared(k) || *l != 'v' && *l != 'o' {
			*l = pick(s.cleared(k), ':', '%')
		}
	}
	if g.door {
		*at(s.Door) = pick(s.Open, '/', 'D')
	}
	for _, c := range s.Trap[:g.traps] {
		if c >= 0 {
			*at(c) = '^'
		}
	}
	var seen cellSet
	for i, c := range s.At[:g.agents] {
		if g.leave && s.out(i) {
			continue
		}
		*at(c) = g.roles[i].String()[0] - 'a' + 'A'
		if seen.has(c) {
			*at(c) = '+'
		}
		seen.add(c)
	}
	return dst
}

func pick(yes bool, a, b byte) byte {
	if yes {
		return a
	}
	return b
}
