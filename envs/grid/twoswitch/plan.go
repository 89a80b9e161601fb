package twoswitch

import "slices"

// plan sends each agent to the exit, some of them by way of switches.
type plan struct {
	cost  int               // steps of all agents together
	ways  [maxAgents]int    // (agents,) steps of each
	goals [maxAgents]target // the first place of each agent's way
}

// goals gives each agent the place it should be on its way to: the first of
// the cheapest plan, among equals of the one that is over soonest. It is what guided
// words name and what the expert pays for. Where switches latch, the cheapest
// plan takes exactly the least work; where they are held it may miss a cleverer
// order.
func (w *world) goals(s *State) [maxAgents]target {
	if w.held {
		return w.heldPlan(s).goals
	}
	return w.latchedPlan(s).goals
}

// direct is the plan in which all go straight to the exit.
func (w *world) direct(s *State) plan {
	p := plan{goals: [maxAgents]target{toExit, toExit, toExit, toExit}}
	for i, c := range s.At[:w.agents] {
		p.ways[i] = int(w.dist[toExit][c])
		p.cost += p.ways[i]
	}
	return p
}

// send is the plan with one agent going by way of the stops.
func (w *world) send(p plan, s *State, agent int, stops ...target) plan {
	at, way := s.At[agent], 0
	for _, t := range stops {
		way += int(w.dist[t][at])
		at = w.at[t]
	}
	way += int(w.dist[toExit][at])
	p.cost += way - p.ways[agent]
	p.ways[agent], p.goals[agent] = way, stops[0]
	return p
}

// cheaper is the plan that costs less; where they cost the same, the one whose
// longest way is shorter; else the first.
func cheaper(p, q plan) plan {
	if q.cost < p.cost || q.cost == p.cost && slices.Max(q.ways[:]) < slices.Max(p.ways[:]) {
		return q
	}
	return p
}

// none is the plan that is dearer than all.
var none = plan{cost: 1 << 30}

// latchedPlan shares out the switches that are not pressed yet; one agent may
// take both.
func (w *world) latchedPlan(s *State) plan {
	straight := w.direct(s)
	if s.Pressed[0] && s.Pressed[1] {
		return straight
	}
	best := none
	for i := range w.agents {
		switch {
		case s.Pressed[0]:
			best = cheaper(best, w.send(straight, s, i, toB))
		case s.Pressed[1]:
			best = cheaper(best, w.send(straight, s, i, toA))
		default:
			for j := range w.agents {
				if j != i {
					best = cheaper(best, w.send(w.send(straight, s, i, toA), s, j, toB))
				}
			}
		}
	}
	if !s.Pressed[0] && !s.Pressed[1] {
		for i := range w.agents {
			best = cheaper(best, w.send(straight, s, i, toA, toB))
			best = cheaper(best, w.send(straight, s, i, toB, toA))
		}
	}
	return best
}

// heldPlan says who holds what until the last is through: with nobody through,
// two hold the switches while a third goes to the twin of one, whose holder
// follows to the other twin; later, those who are through hold the twins.
func (w *world) heldPlan(s *State) plan {
	straight, best := w.direct(s), none
	through := 0
	for _, c := range s.At[:w.agents] {
		if w.right[c] {
			through++
		}
	}
	if through == w.agents {
		return straight
	}
	near, twin := [2]target{toA, toB}, [2]target{toTwinA, toTwinB}
	for first := range w.agents {
		for second := range w.agents {
			if second == first {
				continue
			}
			if w.right[s.At[first]] && w.right[s.At[second]] {
				best = cheaper(best, w.send(w.send(straight, s, first, toTwinA), s, second, toTwinB))
			}
			for keeper := range w.agents {
				if keeper == first || keeper == second || w.right[s.At[keeper]] {
					continue
				}
				for k := range 2 {
					// first opens the way at one twin, second at the other, keeper stays behind till then.
					p := w.send(straight, s, first, twin[k])
					p = w.send(p, s, keeper, near[1-k])
					switch {
					case through == 0:
						best = cheaper(best, w.send(p, s, second, near[k], twin[1-k]))
					case w.right[s.At[first]]:
						best = cheaper(best, w.send(p, s, second, twin[1-k]))
					}
				}
			}
		}
	}
	return best
}
