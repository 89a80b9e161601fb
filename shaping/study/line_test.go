package study_test

import (
	"encoding/binary"
	"fmt"

	"marlpit/envs"
)

// line is a world small enough to know by heart: two agents on cells 0 … n,
// each has to walk to n. Least work is the sum of the ways left.
type line struct {
	spec *envs.Spec
	p    lineParams
	pos  [2]int
	step int
}

type lineParams struct {
	Length    int `param:"length" min:"2" max:"20" help:"cells"`
	MaxCycles int `param:"max_cycles" min:"0" max:"1000" help:"limit"`
}

// Choices of an agent.
const (
	stay = iota
	right
	left
)

var lineEntry = envs.Define("line-v1", "Two walk along a line.", "", lineParams{Length: 6, MaxCycles: 3}, func(p lineParams) (envs.Env, error) {
	fields := []envs.Field{{Name: "places", Size: 2, Low: 0, High: 1}}
	var spec = &envs.Spec{ID: "line-v1", Params: envs.ParamValues(p), Agents: []string{"walker_0", "walker_1"}, Roles: []string{"walker", "walker"},
		Team: true, MaxCycles: p.MaxCycles, State: envs.NewBox(fields), StateField: fields, Info: []string{"success"},
		Noop: []int32{stay, stay}, Rewards: [2]float32{0, 1}, ObsVersion: 1}
	for range 2 {
		spec.Obs = append(spec.Obs, envs.NewBox(fields))
		spec.Action = append(spec.Action, envs.NewDiscrete(3))
	}
	return &line{spec: spec, p: p}, nil
})

func (l *line) Spec() *envs.Spec { return l.spec }

func (l *line) Reset(_ uint64, out *envs.Frame) {
	l.pos, l.step = [2]int{}, 0
	l.write(out)
}

func (l *line) Step(a envs.Actions, out *envs.Frame) {
	l.spec.CheckActions(a)
	l.step++
	for i, c := range a.Choice {
		switch {
		case c == right && l.pos[i] < l.p.Length:
			l.pos[i]++
		case c == left && l.pos[i] > 0 && l.pos[i] < l.p.Length: // the end is sticky
			l.pos[i]--
		}
	}
	l.write(out)
}

func (l *line) write(out *envs.Frame) {
	done := l.pos[0] == l.p.Length && l.pos[1] == l.p.Length
	for i := range 2 {
		out.State[i] = float32(l.pos[i]) / float32(l.p.Length)
		copy(out.Obs[2*i:], []float32{float32(l.pos[0]), float32(l.pos[1])})
		copy(out.Mask[3*i:], []uint8{1, 1, 1})
		out.Terminated[i], out.Truncated[i] = done, !done && l.p.MaxCycles > 0 && l.step >= l.p.MaxCycles
		out.Rewards[i], out.Team[i], out.Info[i] = 0, 0, 0
		if done {
			out.Rewards[i], out.Team[i], out.Info[i] = 1, 1, 1
		}
	}
}

func (l *line) AppendSnapshot(dst []byte) []byte {
	for _, v := range []int{l.pos[0], l.pos[1], l.step} {
		dst = binary.LittleEndian.AppendUint32(dst, uint32(v))
	}
	return dst
}

func (l *line) Restore(b []byte, out *envs.Frame) error {
	if len(b) != 12 {
		return envs.ErrSnapshot
	}
	l.pos[0], l.pos[1], l.step = l.at(b, 0), l.at(b, 1), l.at(b, 2)
	l.write(out)
	return nil
}

func (l *line) at(b []byte, i int) int { return int(binary.LittleEndian.Uint32(b[4*i:])) }

// Prepare implements envs.Solver: lines of more than 15 cells are too long.
func (l *line) Prepare() error {
	if l.p.Length > 15 {
		return fmt.Errorf("%w: %d cells, at most 15", envs.ErrTooLarge, l.p.Length)
	}
	return nil
}

func (l *line) BoundName() string { return "half of the way" }

func (l *line) Bound() float64 {
	work, _ := l.Remaining()
	return work / 2
}

func (l *line) Families() []string { return []string{"rest", "walk", "arrive"} }

func (l *line) Family(before []byte, agent int) string {
	switch was := l.at(before, agent); {
	case was == l.pos[agent]:
		return "rest"
	case max(was, l.pos[agent]) == l.p.Length:
		return "arrive"
	}
	return "walk"
}

func (l *line) Remaining() (work, time float64) {
	a, b := l.p.Length-l.pos[0], l.p.Length-l.pos[1]
	return float64(a + b), float64(max(a, b))
}

func (l *line) AppendBest(dst []int32) []int32 { return append(dst, right, right) }

func (l *line) AppendWords(dst, before []byte, agent int, view envs.View) []byte {
	goal := ""
	if view == envs.Guided {
		goal = " Its next goal is the end."
	}
	return fmt.Appendf(dst, "walker_%d.%s Before it was %d away; now it is %d away.", agent, goal, l.p.Length-l.at(before, agent), l.p.Length-l.pos[agent])
}

func (l *line) FocusFields(int) []envs.Field {
	return []envs.Field{{Name: "place", Size: 1, Low: 0, High: 1}}
}

func (l *line) AppendFocus(dst []float32, agent int) []float32 {
	return append(dst, float32(l.pos[agent])/float32(l.p.Length))
}
