package twoswitch

import (
	"fmt"
	"strings"

	"marlpit/envs"
	"marlpit/envs/grid"
)

func newSpec(w *world) *envs.Spec {
	p := w.params
	s := &envs.Spec{
		ID: "two-switch-v1", Params: envs.ParamValues(p), Team: true, MaxCycles: p.MaxCycles,
		Info: []string{"success", "door_open"}, ObsVersion: 1,
		StateField: w.stateFields(),
	}
	s.Rewards[1] = 1
	s.State = envs.NewBox(s.StateField)
	for i := range p.Agents {
		s.Agents = append(s.Agents, fmt.Sprintf("agent_%d", i))
		s.Roles = append(s.Roles, "agent")
		s.Action = append(s.Action, envs.NewDiscrete(grid.Moves))
		s.ActionName = append(s.ActionName, grid.MoveNames())
		s.Noop = append(s.Noop, grid.Stay)
	}
	if p.Obs == "grid" {
		w.observe = observePlanes
		for range p.Agents {
			s.Obs = append(s.Obs, envs.Space{Kind: envs.Box, Shape: w.planeShape(), Low: []float32{0}, High: []float32{1}})
		}
		return s
	}
	w.observe = observeAll
	if p.View == "radius" {
		w.observe = observeNear
	}
	for i := range p.Agents {
		f := w.obsFields(i)
		s.ObsFields = append(s.ObsFields, f)
		s.Obs = append(s.Obs, envs.NewBox(f))
	}
	return s
}

// boolean is a field of one element that is 0 or 1.
func boolean(name, help string) envs.Field {
	return envs.Field{Name: name, Size: 1, High: 1, Help: help}
}

// place is a field of two elements: x and y, from 0 at the left and top to 1 at the right and bottom.
func place(name, help string) envs.Field {
	return envs.Field{Name: name, Size: 2, High: 1, Help: help + ", x and y as a share of the map"}
}

func (w *world) obsFields(agent int) []envs.Field {
	near := w.params.View == "radius"
	f := []envs.Field{place("own_place", "where the agent is")}
	seen := func(what string) {
		if near {
			f = append(f, boolean(what+"_seen", "1 where the "+strings.ReplaceAll(what, "_", " ")+" is in view"))
		}
	}
	for _, k := range []string{"switch_a", "switch_b"} {
		seen(k)
		f = append(f, boolean(k+"_on", "1 where it is pressed, or held here or at its twin"))
	}
	seen("door")
	f = append(f, boolean("door_open", "1 where the door is open"))
	for i := range w.agents {
		if i != agent {
			mate := fmt.Sprintf("agent_%d", i)
			seen(mate)
			f = append(f, place(mate+"_place", "where the teammate is"))
		}
	}
	return f
}

func (w *world) stateFields() []envs.Field {
	var f []envs.Field
	for i := range w.agents {
		f = append(f, envs.Field{Name: fmt.Sprintf("agent_%d_cell", i), Size: w.cells.Len(), High: 1, Help: "one-hot over the free cells, row by row"})
	}
	for i := range w.agents {
		f = append(f, place(fmt.Sprintf("agent_%d_place", i), "where it is"))
	}
	return append(f,
		boolean("switch_a_on", "1 where it is pressed or held"),
		boolean("switch_b_on", "1 where it is pressed or held"),
		boolean("door_open", "1 where the door is open"))
}

// FocusFields implements envs.Focuser: the agent's own place and the flags; the
// sub-goal is not among them, a scoring model has to find it.
func (g *Game) FocusFields(int) []envs.Field {
	return []envs.Field{
		{Name: "own_cell", Size: g.cells.Len(), High: 1, Help: "one-hot over the free cells, row by row"},
		place("own_place", "where the agent is"),
		boolean("switch_a_on", "1 where it is pressed or held"),
		boolean("switch_b_on", "1 where it is pressed or held"),
		boolean("door_open", "1 where the door is open"),
	}
}
