package wrappers_test

import (
	"encoding/binary"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"marlpit/envs"
	"marlpit/wrappers"
)

// payoff is a game in which the joint choice decides what the team is paid: its
// members' choices are 0 (nothing), 1 and 2.
type payoff struct {
	spec *envs.Spec
	pay  func(p *payoff, choice []int32) float32
	ends []int // (agents,) steps until the agent is terminated
	play
}

type play struct {
	rng   envs.Rand
	step  int
	level float32
}

func newPayoff(team bool, ends []int, pay func(p *payoff, choice []int32) float32) *payoff {
	field := []envs.Field{{Name: "step", Size: 1, Low: 0, High: 100, Help: "steps since reset"}}
	s := &envs.Spec{
		ID: "payoff-v1", Params: map[string]any{}, Team: team, State: envs.NewBox(field), StateField: field,
		Info: []string{"success"}, Rewards: [2]float32{-100, 100}, ObsVersion: 1,
	}
	for i := range ends {
		s.Agents = append(s.Agents, fmt.Sprintf("agent_%d", i))
		s.Roles = append(s.Roles, "agent")
		s.Obs = append(s.Obs, envs.NewBox(field))
		s.ObsFields = append(s.ObsFields, field)
		s.Action = append(s.Action, envs.NewDiscrete(3))
		s.ActionName = append(s.ActionName, []string{"nothing", "one", "two"})
		s.Noop = append(s.Noop, 0)
	}
	return &payoff{spec: s, pay: pay, ends: ends}
}

func (p *payoff) Spec() *envs.Spec { return p.spec }

func (p *payoff) Reset(seed uint64, out *envs.Frame) {
	p.play = play{}
	p.rng.Seed(seed)
	p.write(out, 0)
}

func (p *payoff) Step(a envs.Actions, out *envs.Frame) {
	p.spec.CheckActions(a)
	var choice [16]int32
	for i, end := range p.ends {
		if p.step < end {
			choice[i] = a.Choice[i]
		}
	}
	reward := p.pay(p, choice[:len(p.ends)])
	p.step++
	p.write(out, reward)
}

func (p *payoff) write(out *envs.Frame, reward float32) {
	clear(out.Rewards)
	clear(out.Team)
	clear(out.Truncated)
	out.State[0] = float32(p.step)
	for i, end := range p.ends {
		out.Terminated[i] = p.step >= end
		out.Obs[i], out.Info[i] = float32(p.step), 0
		copy(out.Mask[3*i:], []uint8{1, 1, 1})
		if p.step <= end {
			out.Team[i], out.Rewards[i] = reward, reward
		}
	}
}

func (p *payoff) Clone() envs.Env {
	d := *p
	return &d
}

func (p *payoff) CloneInto(dst envs.Env) { dst.(*payoff).play = p.play }

func (p *payoff) AppendSnapshot(dst []byte) []byte {
	return binary.LittleEndian.AppendUint32(dst, uint32(p.step))
}

func (p *payoff) Restore(b []byte, out *envs.Frame) error {
	if len(b) != 4 {
		return envs.ErrSnapshot
	}
	p.step = int(binary.LittleEndian.Uint32(b))
	p.write(out, 0)
	return nil
}

// forever is n agents that never end.
func forever(n int) []int {
	ends := make([]int, n)
	for i := range ends {
		ends[i] = 1000
	}
	return ends
}

// table pays what a table says of the agents that act, agent i being bit i.
func table(n int, v []float64) *payoff {
	return newPayoff(true, forever(n), func(_ *payoff, choice []int32) float32 {
		s := 0
		for i, c := range choice {
			if c != 0 {
				s |= 1 << i
			}
		}
		return float32(v[s])
	})
}

// rewarded wraps a game in a scheme and resets it.
func rewarded(t require.TestingT, e envs.Env, reward any) (envs.Env, *envs.Frame, map[string]any) {
	r, err := wrappers.ParseReward(reward)
	require.NoError(t, err)
	w, resolved, err := wrappers.Build(e, r, nil)
	require.NoError(t, err)
	game := w(e)
	f := envs.NewFrame(game.Spec())
	game.Reset(0, f)
	return game, f, resolved
}

// plain is a scheme of the given value without bonus, cost and scale.
func plain(scheme, value string, more map[string]any) map[string]any {
	out := map[string]any{"scheme": scheme, "value": value, "bonus": 0, "step_cost": 0}
	for k, v := range more {
		out[k] = v
	}
	return out
}

func step(e envs.Env, f *envs.Frame, choice ...int32) []float32 {
	e.Step(envs.Actions{Choice: choice}, f)
	return f.Rewards
}

func TestPayoffIsAsItsTableSays(t *testing.T) {
	e := table(2, []float64{0, 1, 2, 4})
	f := envs.NewFrame(e.Spec())
	e.Reset(0, f)
	require.Equal(t, []float32{4, 4}, step(e, f, 1, 2))
	require.Equal(t, []float32{2, 2}, step(e, f, 0, 1))
}
