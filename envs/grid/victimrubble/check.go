package victimrubble

import "slices"

// check checks the places and the consequences of a state that was read.
func (s *State) check(w *world, ended bool) error {
	if err := s.checkPlaces(w); err != nil {
		return err
	}
	s.close(w)
	for i, c := range s.At[:w.agents] {
		if c < 0 || int(c) >= w.cells.Len() {
			return bad("%s in cell %d", w.names[i], c)
		}
	}
	if !s.connected(w) {
		return bad("an agent or a healed victim where nobody can have come to")
	}
	out := s.Out
	if !w.leave && w.traps == 0 && out != 0 {
		return bad("agents %#x out, in a game that all play to the end", out)
	}
	for i := range w.agents {
		if w.traps > 0 && s.out(i) != slices.Contains(s.Trap[:w.traps], s.At[i]) {
			return bad("%s is on a trap and alive, or dead elsewhere", w.names[i])
		}
	}
	s.settle(w)
	s.failed = w.traps > 0 && !s.success && out != 0 && !s.solvable(w)
	s.ended = s.success || s.failed || s.late(w)
	if s.Out != out || s.ended != ended {
		return bad("who is out and whether the game is over disagree with the rest")
	}
	if s.T == 0 && (s.Out|s.Cleared|s.Healed != 0 || s.Open) {
		return bad("something happened before the first step")
	}
	return nil
}

// connected says whether agents and healed victims are where one can walk to
// from the first room.
func (s *State) connected(w *world) bool {
	var reached cellSet
	for _, c := range w.floor[0] {
		if !reached.has(c) && !s.Shut.has(c) {
			more := s.flood(w, c)
			for i := range reached {
				reached[i] |= more[i]
			}
		}
	}
	for _, c := range s.At[:w.agents] {
		if !reached.has(c) {
			return false
		}
	}
	for k, c := range s.Victim[:w.victims] {
		if s.healed(k) && !reached.has(c) {
			return false
		}
	}
	return true
}

// checkPlaces checks the places that were drawn for an episode.
func (s *State) checkPlaces(w *world) error {
	if !w.random {
		return nil
	}
	for _, group := range [...]struct {
		name  string
		kind  kind
		cells []int16
	}{{"rubble", heap, s.Rubble[:w.rubble]}, {"victim", victim, s.Victim[:w.victims]}, {"trap", trap, s.Trap[:w.traps]}} {
		for i, c := range group.cells {
			missing := group.kind == trap && c == -1
			if !missing && (!slices.Contains(w.candidates(item{kind: group.kind, index: i}), c) || slices.Contains(group.cells[:i], c)) {
				return bad("%s %d in cell %d", group.name, i, c)
			}
		}
	}
	for k, c := range s.Rubble[:w.rubble] {
		if !s.piled(w, k, c) {
			return bad("rubble %d in cell %d, where none is drawn", k, c)
		}
	}
	if w.door != slices.Contains(w.doorways, s.Door) || !w.door && s.Door != -1 || slices.Contains(s.Rubble[:w.rubble], s.Door) {
		return bad("the door in cell %d", s.Door)
	}
	fresh := *s
	fresh.Cleared, fresh.Healed, fresh.Open, fresh.Out = 0, 0, false, 0
	fresh.close(w)
	for i := range w.agents { // from the first room, as episodes begin
		fresh.At[i] = w.middle
	}
	if !fresh.solvable(w) {
		return bad("places from which nobody can save all victims")
	}
	return nil
}

// piled says whether a heap lies as it may be drawn: before a victim's alcove;
// or with four rooms in a doorway, the later ones on victims.
func (s *State) piled(w *world, k int, cell int16) bool {
	switch {
	case len(w.gaps) > 0:
		return k >= w.victims || s.Victim[k] == w.behind[slices.Index(w.gaps, cell)]
	case k < w.blockable():
		return slices.Contains(w.doorways, cell)
	}
	return slices.Contains(s.Victim[:w.victims], cell)
}
