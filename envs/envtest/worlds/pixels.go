package worlds

import (
	"strconv"

	"marlpit/envs"
)

type pixelsParams struct {
	Agents    int `param:"agents" min:"1" max:"4" help:"number of dots"`
	Height    int `param:"height" min:"4" max:"128" help:"rows of the picture"`
	Width     int `param:"width" min:"4" max:"128" help:"columns of the picture"`
	MaxCycles int `param:"max_cycles" min:"0" max:"1000000" help:"limit of steps, 0 for none"`
}

type dot struct{ y, x int }

// pixels is test-pixels-v0: dots moved by boxes and seen as pictures.
type pixels struct {
	p    pixelsParams
	spec *envs.Spec
	rng  envs.Rand
	step int
	dots [4]dot // (agents,)

	moved [4]bool // (agents,) in the last step played
}

func pixelsEntry() envs.Entry {
	return envs.Define("test-pixels-v0", "Dots that are moved by boxes and seen as pictures.",
		"Each agent is a dot in a uint8 picture (height, width, 3): its own is red, others are green, the goal in the lower right corner is blue. The action is a Box (dy, dx) in [-1, 1], rounded to a step of one pixel. When all dots are on the goal the team is paid 1.",
		pixelsParams{Agents: 2, Height: 8, Width: 10, MaxCycles: 50},
		func(p pixelsParams) (envs.Env, error) { return &pixels{p: p, spec: pixelsSpec(p)}, nil })
}

func pixelsSpec(p pixelsParams) *envs.Spec {
	s := &envs.Spec{
		ID: "test-pixels-v0", Params: envs.ParamValues(p), Team: true, MaxCycles: p.MaxCycles,
		Info: []string{"moved", "success"}, Rewards: [2]float32{0, 1}, ObsVersion: 1,
	}
	for i := range p.Agents {
		name := "dot_" + strconv.Itoa(i)
		s.Agents, s.Roles = append(s.Agents, name), append(s.Roles, "dot")
		s.Obs = append(s.Obs, envs.Space{Kind: envs.Box, Dtype: envs.Uint8, Shape: []int{p.Height, p.Width, 3}, Low: []float32{0}, High: []float32{255}})
		s.Action = append(s.Action, envs.Space{Kind: envs.Box, Shape: []int{2}, Low: []float32{-1}, High: []float32{1}})
		s.StateField = append(s.StateField,
			envs.Field{Name: name + " row", Size: 1, Low: 0, High: float32(p.Height - 1), Help: "pixels from the top"},
			envs.Field{Name: name + " column", Size: 1, Low: 0, High: float32(p.Width - 1), Help: "pixels from the left"})
	}
	s.State = envs.NewBox(s.StateField)
	return s
}

// Spec implements envs.Env.
func (p *pixels) Spec() *envs.Spec { return p.spec }

// Reset implements envs.Env.
func (p *pixels) Reset(seed uint64, out *envs.Frame) {
	p.rng.Seed(seed)
	p.step, p.moved = 0, [4]bool{}
	for i := range p.p.Agents {
		p.dots[i] = dot{p.rng.Intn(p.p.Height), p.rng.Intn(p.p.Width - 1)} // never on the goal
	}
	p.write(out, 0)
}

// Step implements envs.Env.
func (p *pixels) Step(a envs.Actions, out *envs.Frame) {
	p.spec.CheckActions(a)
	if p.won() || p.late() {
		p.write(out, 0)
		return
	}
	for i := range p.p.Agents {
		d, was := &p.dots[i], p.dots[i]
		d.y = min(max(d.y+unit(a.Value[2*i]), 0), p.p.Height-1)
		d.x = min(max(d.x+unit(a.Value[2*i+1]), 0), p.p.Width-1)
		p.moved[i] = *d != was
	}
	p.step++
	p.write(out, float32(one(p.won())))
}

// unit rounds a box action to -1, 0 or 1.
func unit(v float32) int {
	switch {
	case v >= 0.5:
		return 1
	case v <= -0.5:
		return -1
	}
	return 0
}

func (p *pixels) won() bool {
	for i := range p.p.Agents {
		if p.dots[i] != (dot{p.p.Height - 1, p.p.Width - 1}) {
			return false
		}
	}
	return true
}

func (p *pixels) late() bool { return p.p.MaxCycles > 0 && p.step >= p.p.MaxCycles }

func (p *pixels) write(out *envs.Frame, reward float32) {
	won, late := p.won(), p.late()
	size := p.spec.ObsSize()
	for i := range p.p.Agents {
		picture := out.Pixels[i*size : (i+1)*size]
		p.paint(i, func(y, x int, c [3]uint8) { copy(picture[3*(y*p.p.Width+x):], c[:]) })
		out.State[2*i], out.State[2*i+1] = float32(p.dots[i].y), float32(p.dots[i].x)
		out.Rewards[i], out.Team[i] = reward, reward
		out.Info[2*i] = float32(one(p.moved[i]))
		out.Info[2*i+1] = float32(one(won))
		out.Terminated[i], out.Truncated[i] = won, late && !won
	}
}

// paint gives every pixel of the picture as the agent sees it; -1 sees all dots alike.
func (p *pixels) paint(agent int, set func(y, x int, c [3]uint8)) {
	for y := range p.p.Height {
		for x := range p.p.Width {
			set(y, x, [3]uint8{16, 16, 16})
		}
	}
	set(p.p.Height-1, p.p.Width-1, [3]uint8{0, 0, 255})
	for i := range p.p.Agents {
		if i != agent {
			set(p.dots[i].y, p.dots[i].x, [3]uint8{0, 255, 0})
		}
	}
	if agent >= 0 {
		set(p.dots[agent].y, p.dots[agent].x, [3]uint8{255, 0, 0})
	}
}

// Clone implements envs.Cloner.
func (p *pixels) Clone() envs.Env {
	d := *p
	return &d
}

// CloneInto implements envs.Cloner.
func (p *pixels) CloneInto(dst envs.Env) { *dst.(*pixels) = *p }
