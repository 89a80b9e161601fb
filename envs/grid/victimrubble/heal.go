package victimrubble

import "math/bits"

// heal fills part and share: the least work of medics once a set is open.
func (q *planner) heal(s *State, set uint32) int16 {
	todo := all(q.victims) &^ s.Healed
	n := 0
	for sub := range q.part[0] {
		q.part[0][sub] = far
	}
	q.part[0][0] = 0
	for m := range q.params.Medics {
		i := q.params.Engineers + m
		if s.out(i) {
			continue
		}
		was, is, share := q.part[n], q.part[n+1], q.share[n+1]
		n++
		for sub := todo; ; sub = (sub - 1) & todo {
			is[sub], share[sub] = was[sub], 0
			for mine := sub; mine != 0; mine = (mine - 1) & sub {
				if was[sub&^mine] < far {
					if w := was[sub&^mine] + q.tour(q.world, s, set, mine, s.At[i]); w < is[sub] {
						is[sub], share[sub] = w, int16(mine)
					}
				}
			}
			if sub == 0 {
				break
			}
		}
	}
	return q.part[n][todo]
}

// healers gives medics their goals from what heal has filled.
func (q *planner) healers(s *State, set uint32, to *goals) {
	todo := all(q.victims) &^ s.Healed
	medics := (all(q.agents) &^ s.Out) >> q.params.Engineers & all(q.params.Medics)
	for n := bits.OnesCount32(medics); n > 0; n-- {
		m := bits.Len32(medics) - 1
		medics &^= 1 << m
		mine := uint32(uint16(q.share[n][todo]))
		if mine != 0 {
			i := q.params.Engineers + m
			v, _ := q.paths.first(q.world, s, set, mine, s.At[i])
			to[i] = goal(q.rubble + v)
		}
		todo &^= mine
	}
}

// planSites is plan where each pair has a site: alcoves are no way to anywhere,
// so each agent's way is its own.
func (q *planner) planSites(s *State, to *goals) int {
	total := 0
	for k := range q.params.Engineers {
		e, m := k, q.params.Engineers+k
		if !s.cleared(k) {
			if s.out(e) {
				return far
			}
			total += int(q.steps[k][s.At[e]]) + 1
			if to != nil {
				to[e] = goal(k)
			}
		}
		if !s.healed(k) {
			if s.out(m) {
				return far
			}
			total += int(q.steps[q.rubble+k][s.At[m]]) + 1
			if to != nil {
				to[m] = goal(q.rubble + k)
			}
		}
	}
	return total
}
