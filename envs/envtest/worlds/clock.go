package worlds

import (
	"strconv"

	"marlpit/envs"
)

// clock is what the worlds without geography share: a count of steps that every
// agent observes, and a limit.
type clock struct {
	spec     *envs.Spec
	length   int
	truncate bool // at length agents are truncated, not terminated
	step     int
}

// newClock returns a clock for the given number of agents.
func newClock(id string, params any, agents, length int, truncate bool) clock {
	field := []envs.Field{{Name: "step", Size: 1, Low: 0, High: float32(length), Help: "steps since reset"}}
	s := &envs.Spec{
		ID: id, Params: envs.ParamValues(params), Team: true,
		State: envs.NewBox(field), StateField: field,
		Info: []string{"success"}, Rewards: [2]float32{0, 1}, ObsVersion: 1,
	}
	if truncate {
		s.MaxCycles = length
	}
	for i := range agents {
		s.Agents = append(s.Agents, "agent_"+strconv.Itoa(i))
		s.Roles = append(s.Roles, "agent")
		s.Obs = append(s.Obs, envs.NewBox(field))
		s.ObsFields = append(s.ObsFields, field)
		s.Action = append(s.Action, envs.NewDiscrete(2))
		s.ActionName = append(s.ActionName, []string{"wait", "wave"})
		s.Noop = append(s.Noop, 0)
	}
	return clock{spec: s, length: length, truncate: truncate}
}

// Spec implements envs.Env.
func (c *clock) Spec() *envs.Spec { return c.spec }

// Reset implements envs.Env. All seeds give the same episode.
func (c *clock) Reset(_ uint64, out *envs.Frame) {
	c.step = 0
	c.write(out, 0)
}

// Step implements envs.Env. Actions change nothing; termination pays 1.
func (c *clock) Step(a envs.Actions, out *envs.Frame) {
	c.spec.CheckActions(a)
	if c.ended() {
		c.write(out, 0)
		return
	}
	c.step++
	reward := float32(0)
	if c.ended() && !c.truncate {
		reward = 1
	}
	c.write(out, reward)
}

func (c *clock) ended() bool { return c.step >= c.length }

func (c *clock) write(out *envs.Frame, reward float32) {
	end := c.ended()
	out.State[0] = float32(c.step)
	for i := range c.spec.Agents {
		out.Obs[i] = float32(c.step)
		out.Mask[2*i], out.Mask[2*i+1] = 1, one(!end)
		out.Rewards[i], out.Team[i] = reward, reward
		out.Info[i] = float32(one(end && !c.truncate))
		out.Terminated[i], out.Truncated[i] = end && !c.truncate, end && c.truncate
	}
}

func one(b bool) uint8 {
	if b {
		return 1
	}
	return 0
}
