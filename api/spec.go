package api

import (
	"math"

	"github.com/gofiber/fiber/v2"

	"marlpit/envs"
)

// specReply is a Spec as it travels.
type specReply struct {
	ID                string         `json:"id"`
	Params            map[string]any `json:"params"`
	Agents            []string       `json:"agents"`
	Roles             []string       `json:"roles"`
	Team              bool           `json:"team"`
	MaxCycles         int            `json:"max_cycles"`
	ObservationSpaces []any          `json:"observation_spaces"`
	ActionSpaces      []any          `json:"action_spaces"`
	ObservationFields [][]fieldReply `json:"observation_fields"`
	ActionNames       [][]string     `json:"action_names"`
	Noop              [][]int32      `json:"noop"`
	StateSpace        any            `json:"state_space"`
	StateFields       []fieldReply   `json:"state_fields"`
	Info              []string       `json:"info"`
	Rewards           [2]float64     `json:"rewards"`
	ObsVersion        int            `json:"obs_version"`
	Abilities         []string       `json:"abilities"`
}

type fieldReply struct {
	Name string  `json:"name"`
	Size int     `json:"size"`
	Low  float64 `json:"low"`
	High float64 `json:"high"`
	Help string  `json:"help"`
}

type boxReply struct {
	Kind  string `json:"kind"`
	Dtype string `json:"dtype"`
	Shape []int  `json:"shape"`
	Low   any    `json:"low"` // one number, or one for each element
	High  any    `json:"high"`
}

type discreteReply struct {
	Kind string `json:"kind"`
	N    []int  `json:"n"`
}

func newSpecReply(s *envs.Spec, e envs.Env) specReply {
	r := specReply{
		ID: s.ID, Params: s.Params, Agents: s.Agents, Roles: s.Roles, Team: s.Team, MaxCycles: s.MaxCycles,
		ActionNames: s.ActionName, StateSpace: newSpaceReply(s.State), StateFields: newFieldReplies(s.StateField),
		Info: s.Info, Rewards: [2]float64{float64(s.Rewards[0]), float64(s.Rewards[1])}, ObsVersion: s.ObsVersion,
		Abilities: abilities(e),
	}
	for i := range s.Agents {
		r.ObservationSpaces = append(r.ObservationSpaces, newSpaceReply(s.Obs[i]))
		r.ActionSpaces = append(r.ActionSpaces, newSpaceReply(s.Action[i]))
		if s.ObsFields != nil {
			r.ObservationFields = append(r.ObservationFields, newFieldReplies(s.ObsFields[i]))
		}
		if s.Noop != nil {
			dims := s.ActionDims()
			r.Noop = append(r.Noop, s.Noop[i*dims:i*dims+s.Action[i].Size()])
		}
	}
	return r
}

func newFieldReplies(fields []envs.Field) []fieldReply {
	out := make([]fieldReply, len(fields))
	for i, f := range fields {
		out[i] = fieldReply{f.Name, f.Size, finite(f.Low), finite(f.High), f.Help}
	}
	return out
}

func newSpaceReply(s envs.Space) any {
	if s.Kind != envs.Box {
		return discreteReply{s.Kind.String(), s.N}
	}
	return boxReply{s.Kind.String(), s.Dtype.String(), s.Shape, bound(s.Low), bound(s.High)}
}

// bound is one number where one says it all.
func bound(v []float32) any {
	same := true
	out := make([]float64, len(v))
	for i := range v {
		out[i] = finite(v[i])
		same = same && v[i] == v[0]
	}
	if same && len(v) > 0 {
		return out[0]
	}
	return out
}

// finite is v as a number that JSON can hold: infinities become the largest
// float32.
func finite(v float32) float64 {
	return max(-math.MaxFloat32, min(math.MaxFloat32, float64(v)))
}

// abilities names what the world inside the wrappers can do.
func abilities(e envs.Env) []string {
	e = inside(e)
	out := []string{}
	add := func(name string, ok bool) {
		if ok {
			out = append(out, name)
		}
	}
	_, describe := e.(envs.Describer)
	_, draw := e.(envs.Drawer)
	_, snapshot := e.(envs.Snapshotter)
	_, clone := e.(envs.Cloner)
	_, solve := e.(envs.Solver)
	_, focus := e.(envs.Focuser)
	_, expert := e.(envs.DenseRewarder)
	add("describe", describe)
	add("draw", draw)
	add("snapshot", snapshot)
	add("clone", clone)
	add("solve", solve)
	add("focus", focus)
	add("expert", expert)
	_, propose := e.(envs.Proposer)
	_, speak := e.(envs.Speaker)
	_, rounds := e.(envs.Rounder)
	_, structured := e.(envs.Structured)
	add("propose", propose)
	add("speak", speak)
	add("rounds", rounds)
	add("explain", canExplain(e))
	add("state", structured)
	return out
}

// inside is the world inside all wrappers.
func inside(e envs.Env) envs.Env {
	for {
		u, ok := e.(envs.Unwrapper)
		if !ok {
			return e
		}
		e = u.Unwrap()
	}
}

type envSummary struct {
	ID      string `json:"id"`
	Summary string `json:"summary"`
}

func (s *Server) listEnvs(c *fiber.Ctx) error {
	list := make([]envSummary, len(s.cfg.Registry))
	for i, e := range s.cfg.Registry {
		list[i] = envSummary{e.ID, e.Summary}
	}
	return s.send(c, 200, struct {
		Envs []envSummary `json:"envs"`
	}{list})
}

func (s *Server) getEnv(c *fiber.Ctx) error {
	entry, err := s.cfg.Registry.Find(string([]byte(c.Params("env"))))
	if err != nil {
		return err
	}
	e, err := entry.New(nil)
	if err != nil {
		return err
	}
	return s.send(c, 200, struct {
		ID      string         `json:"id"`
		Summary string         `json:"summary"`
		Card    string         `json:"card"`
		Params  map[string]any `json:"params"`
		Spec    specReply      `json:"spec"`
	}{entry.ID, entry.Summary, entry.Card, envs.Schema(entry.Params), newSpecReply(e.Spec(), e)})
}
