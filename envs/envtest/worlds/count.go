package worlds

import (
	"fmt"

	"marlpit/envs"
)

type countParams struct {
	Agents int    `param:"agents" min:"1" max:"8" help:"number of agents"`
	Length int    `param:"length" min:"1" max:"1000000" help:"steps of an episode"`
	End    string `param:"end" enum:"terminate,truncate" help:"how an episode ends"`
}

// count is test-count-v0: observation and state are the number of steps.
type count struct{ clock }

func countEntry() envs.Entry {
	return envs.Define("test-count-v0", "Counts steps.",
		"Every agent observes the number of steps since reset. After `length` steps all are terminated with a team reward of 1 and success, or truncated with neither.",
		countParams{Agents: 2, Length: 5, End: "terminate"},
		func(p countParams) (envs.Env, error) {
			return &count{newClock("test-count-v0", p, p.Agents, p.Length, p.End == "truncate")}, nil
		})
}

// FocusFields implements envs.Focuser.
func (c *count) FocusFields(int) []envs.Field {
	high := float32(c.length)
	return []envs.Field{
		{Name: "step", Size: 1, Low: 0, High: high, Help: "steps since reset"},
		{Name: "left", Size: 1, Low: 0, High: high, Help: "steps to the end"},
	}
}

// AppendFocus implements envs.Focuser.
func (c *count) AppendFocus(dst []float32, _ int) []float32 {
	return append(dst, float32(c.step), float32(c.length-c.step))
}

// AppendWords implements envs.Describer.
func (c *count) AppendWords(dst, before []byte, agent int, view envs.View) []byte {
	was, err := readCount(before, c.length)
	if err != nil {
		panic(err)
	}
	dst = fmt.Appendf(dst, "%s counts steps with its team. The team wants the count to reach %d; nobody can hurry it. ", c.spec.Agents[agent], c.length)
	if view == envs.Guided {
		dst = fmt.Appendf(dst, "The next goal is a higher count. Before, %d steps were missing; now, %d are.", c.length-was, c.length-c.step)
	} else {
		dst = fmt.Appendf(dst, "Before, the count was %d; now, it is %d.", was, c.step)
	}
	return append(dst, '\n')
}

// AppendSnapshot implements envs.Snapshotter.
func (c *count) AppendSnapshot(dst []byte) []byte { return appendInts(dst, 'c', c.length, c.step) }

// Restore implements envs.Snapshotter.
func (c *count) Restore(snapshot []byte, out *envs.Frame) error {
	step, err := readCount(snapshot, c.length)
	if err != nil {
		return err
	}
	c.step = step
	c.write(out, 0)
	return nil
}

func readCount(snapshot []byte, length int) (int, error) {
	var v [2]int
	if err := readInts(snapshot, 'c', v[:]); err != nil {
		return 0, err
	}
	if v[0] != length || v[1] < 0 || v[1] > length {
		return 0, fmt.Errorf("%w: step %d of %d in a world of length %d", envs.ErrSnapshot, v[1], v[0], length)
	}
	return v[1], nil
}

// Clone implements envs.Cloner.
func (c *count) Clone() envs.Env {
	d := *c
	return &d
}

// CloneInto implements envs.Cloner.
func (c *count) CloneInto(dst envs.Env) { *dst.(*count) = *c }
