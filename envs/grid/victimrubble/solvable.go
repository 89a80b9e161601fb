package victimrubble

import "marlpit/envs/grid"

// solvable says whether the agents that are left can heal every victim. What
// is opened stays open, so it is enough to open all that can be reached until
// nothing more can be.
func (s *State) solvable(w *world) bool {
	end := *s
	for _, t := range s.Trap[:w.traps] {
		if t >= 0 {
			end.Shut.add(t)
		}
	}
	for again := true; again; {
		again = false
		for i, r := range w.roles[:w.agents] {
			if (r == engineer || r == keybearer) && !s.out(i) && end.openAll(w, i) {
				again = true
			}
		}
	}
	for i, r := range w.roles[:w.agents] {
		if r != medic || s.out(i) {
			continue
		}
		reached := end.flood(w, end.At[i])
		for k, last := w.jobs(i, w.victims); k < last; k++ {
			if reached.has(end.Victim[k]) {
				end.Healed |= 1 << k
			}
		}
	}
	return end.Healed == all(w.victims)
}

// openAll lets an agent open all that it can get to, and says whether there was any.
func (s *State) openAll(w *world, agent int) bool {
	reached, did := s.flood(w, s.At[agent]), false
	near := func(cell int16) bool {
		for _, c := range w.next[cell][grid.Up:] {
			if c != cell && reached.has(c) {
				return true
			}
		}
		return false
	}
	if w.roles[agent] == keybearer {
		if !s.Open && near(s.Door) {
			s.Open, did = true, true
			s.Shut.remove(s.Door)
		}
		return did
	}
	for k, end := w.jobs(agent, w.rubble); k < end; k++ {
		if !s.cleared(k) && near(s.Rubble[k]) {
			s.Cleared |= 1 << k
			s.Shut.remove(s.Rubble[k])
			did = true
		}
	}
	return did
}

// flood is the set of cells that can be walked to from one.
func (s *State) flood(w *world, from int16) cellSet {
	var reached cellSet
	var queue [maxCells]int16
	reached.add(from)
	queue[0] = from
	for n, done := 1, 0; done < n; done++ {
		for _, to := range w.next[queue[done]][grid.Up:] {
			if !reached.has(to) && !s.Shut.has(to) {
				reached.add(to)
				queue[n] = to
				n++
			}
		}
	}
	return reached
}
