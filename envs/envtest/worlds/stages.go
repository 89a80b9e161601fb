package worlds

import (
	"fmt"

	"marlpit/envs"
)

// stageDeaths is the step in which each agent of test-stages-v0 dies.
var stageDeaths = [3]int{2, 4, 7}

// stages is test-stages-v0: agents that leave one after the other.
type stages struct{ clock }

func stagesEntry() envs.Entry {
	return envs.Define("test-stages-v0", "Three agents die at steps 2, 4 and 7.",
		"Each of three agents observes the number of steps. agent_0 terminates at step 2, agent_1 at step 4, agent_2 at step 7, each with a reward of 1 of its own and success. What an agent observes stays as it was when it ended.",
		struct{}{},
		func(p struct{}) (envs.Env, error) {
			s := &stages{newClock("test-stages-v0", p, len(stageDeaths), stageDeaths[2], false)}
			s.spec.Team = false
			for i, at := range stageDeaths {
				fields := []envs.Field{{Name: "step", Size: 1, Low: 0, High: float32(at), Help: "steps since reset"}}
				s.spec.ObsFields[i], s.spec.Obs[i] = fields, envs.NewBox(fields)
			}
			return s, nil
		})
}

// Reset implements envs.Env.
func (s *stages) Reset(_ uint64, out *envs.Frame) {
	s.step = 0
	s.writeStages(out, false)
}

// Step implements envs.Env.
func (s *stages) Step(a envs.Actions, out *envs.Frame) {
	s.spec.CheckActions(a)
	moved := !s.ended()
	if moved {
		s.step++
	}
	s.writeStages(out, moved)
}

func (s *stages) writeStages(out *envs.Frame, moved bool) {
	out.State[0] = float32(s.step)
	for i, at := range stageDeaths {
		dead := s.step >= at
		reward := float32(one(moved && s.step == at))
		out.Obs[i] = float32(min(s.step, at))
		out.Mask[2*i], out.Mask[2*i+1] = 1, one(!dead)
		out.Rewards[i], out.Team[i] = reward, reward
		out.Info[i] = float32(one(dead))
		out.Terminated[i], out.Truncated[i] = dead, false
	}
}

// AppendSnapshot implements envs.Snapshotter.
func (s *stages) AppendSnapshot(dst []byte) []byte { return appendInts(dst, 's', s.step) }

// Restore implements envs.Snapshotter.
func (s *stages) Restore(snapshot []byte, out *envs.Frame) error {
	var v [1]int
	if err := readInts(snapshot, 's', v[:]); err != nil {
		return err
	}
	if v[0] < 0 || v[0] > s.length {
		return fmt.Errorf("%w: step %d, want 0 to %d", envs.ErrSnapshot, v[0], s.length)
	}
	s.step = v[0]
	s.writeStages(out, false)
	return nil
}

// Clone implements envs.Cloner.
func (s *stages) Clone() envs.Env {
	d := *s
	return &d
}

// CloneInto implements envs.Cloner.
func (s *stages) CloneInto(dst envs.Env) { *dst.(*stages) = *s }
