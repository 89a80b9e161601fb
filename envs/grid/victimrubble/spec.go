package victimrubble

import (
	"fmt"

	"marlpit/envs"
	"marlpit/envs/grid"
)

func newSpec(w *world) *envs.Spec {
	s := &envs.Spec{
		ID: "victim-rubble-v1", Params: envs.ParamValues(w.params), Team: true, MaxCycles: w.params.MaxCycles,
		Agents: w.names, Info: []string{"success", "rubble_cleared", "victims_healed"}, Rewards: [2]float32{0, 1}, ObsVersion: 1,
	}
	for i := range w.agents {
		s.StateField = append(s.StateField, w.cellField(fmt.Sprintf("%s_cell", w.names[i])))
	}
	s.StateField = append(s.StateField, w.fields(w.whole)...)
	s.State = envs.NewBox(s.StateField)
	for i, r := range w.roles {
		s.Roles = append(s.Roles, r.String())
		names := grid.MoveNames()
		if deed := [...]string{engineer: "clear", medic: "heal", scout: "", keybearer: "open"}[r]; deed != "" {
			names = append(names, deed)
		}
		s.Action = append(s.Action, envs.NewDiscrete(len(names)))
		s.ActionName = append(s.ActionName, names)
		s.Noop = append(s.Noop, grid.Stay)
		f := w.fields(w.views[i])
		s.ObsFields = append(s.ObsFields, f)
		s.Obs = append(s.Obs, envs.NewBox(f))
	}
	return s
}

func (w *world) cellField(name string) envs.Field {
	return envs.Field{Name: name, Size: w.cells.Len(), High: 1, Help: "one-hot over the free cells, row by row"}
}

// FocusFields implements envs.Focuser: the agent's own place and the flags that
// concern it; the sub-goal is not among them, a scoring model has to find it.
func (g *Game) FocusFields(agent int) []envs.Field { return g.focusFields[agent] }
