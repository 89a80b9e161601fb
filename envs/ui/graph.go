package ui

import "marlpit/envs"

// drawGraph draws who hears whom. Edges lead from earlier to later agents of an
// order, so that there is no circle: the agents' own order, but for random
// graphs. An update turns one in four of the possible edges over.
func (g *Game) drawGraph(r *envs.Rand) {
	n := g.Agents
	var order [maxAgents]int
	for i := range order {
		order[i] = i
	}
	if g.Graph == "random" {
		r.Shuffle(n, func(i, j int) { order[i], order[j] = order[j], order[i] })
	}
	g.hears = [maxAgents]uint16{}
	update := g.EdgeUpdate > 0 && r.Float64() < g.EdgeUpdate
	for i := range n {
		for j := range i {
			edge := false
			switch g.Graph {
			case "full":
				edge = true
			case "chain":
				edge = j == i-1
			case "random":
				edge = r.Intn(2) == 0
			}
			if update && r.Intn(4) == 0 {
				edge = !edge
			}
			if edge {
				g.hears[order[i]] |= 1 << order[j]
			}
		}
	}
}

// acyclic says whether a graph of n agents has no circle.
func acyclic(hears *[maxAgents]uint16, n int) bool {
	done := uint16(0) // agents all of whose predecessors are done
	for range n {
		for i := range n {
			if hears[i]&^done == 0 {
				done |= 1 << i
			}
		}
	}
	return done == 1<<n-1
}
