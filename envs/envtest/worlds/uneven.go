package worlds

import (
	"marlpit/envs"
)

type unevenParams struct {
	Cells     int `param:"cells" min:"2" max:"20" help:"length of the lane"`
	MaxCycles int `param:"max_cycles" min:"0" max:"1000000" help:"limit of steps, 0 for none"`
}

// Action columns of test-uneven-v0. The mover has the dims (walk, press), the
// talker (word, tone, gesture).
const (
	walkStay, walkLeft, walkRight = 0, 1, 2
	dims                          = 3
	choices                       = 9
)

// lane is the state of test-uneven-v0.
type lane struct {
	step   int
	mover  int // cell of the mover
	light  int // cell that has to be pressed
	word   int // last word of the talker: 0 none, 1 left, 2 right, 3 here
	tone   int // 0 or 1
	sign   int // gesture, 0 to 2
	spoken bool
	won    bool
}

// uneven is test-uneven-v0: a mover who can't see and a talker who can't walk.
type uneven struct {
	p     unevenParams
	spec  *envs.Spec
	rng   envs.Rand
	s     lane
	dense [2]float32 // (agents,) of the last step
}

func unevenEntry() envs.Entry {
	return envs.Define("test-uneven-v0", "Two unlike agents: a mover who can't see, a talker who can't walk.",
		"A lane of cells, one of which is lit. The mover walks (stay, left, right) and may press in the same step, after walking; the talker, who alone sees the light, says a word with a tone and a gesture. Pressing on the lit cell, once anything has been said in an earlier step, pays the team 1. MultiDiscrete actions of two and of three dimensions, observations of five and of two elements.",
		unevenParams{Cells: 6, MaxCycles: 30},
		func(p unevenParams) (envs.Env, error) { return &uneven{p: p, spec: unevenSpec(p)}, nil })
}

// Spec implements envs.Env.
func (u *uneven) Spec() *envs.Spec { return u.spec }

// Reset implements envs.Env.
func (u *uneven) Reset(seed uint64, out *envs.Frame) {
	u.rng.Seed(seed)
	u.s = lane{mover: u.rng.Intn(u.p.Cells), light: u.rng.Intn(u.p.Cells)}
	u.dense = [2]float32{}
	u.write(out, 0)
}

// Step implements envs.Env.
func (u *uneven) Step(a envs.Actions, out *envs.Frame) {
	u.spec.CheckActions(a)
	u.dense = [2]float32{}
	if u.s.won || u.late() {
		u.write(out, 0)
		return
	}
	was := u.s
	switch s := &u.s; {
	case a.Choice[0] == walkLeft && s.mover > 0:
		s.mover--
	case a.Choice[0] == walkRight && s.mover < u.p.Cells-1:
		s.mover++
	}
	u.s.won = a.Choice[1] == 1 && was.spoken && u.s.mover == u.s.light
	u.talk(a.Choice[dims : 2*dims])
	u.s.step++
	u.dense[0] = float32(gap(was) - gap(u.s))
	u.dense[1] = float32(one(u.s.spoken)) - float32(one(was.spoken))
	u.write(out, float32(one(u.s.won)))
}

// talk plays the talker's choices (dims,). The grand gesture needs a word before it.
func (u *uneven) talk(choice []int32) {
	spoken := u.s.spoken
	if word := choice[0]; word >= 1 && word <= 3 {
		u.s.word, u.s.spoken = int(word), true
	}
	if choice[1] == 1 {
		u.s.tone = 1
	}
	if sign := choice[2]; sign == 1 || sign == 2 && spoken {
		u.s.sign = int(sign)
	}
}

func (u *uneven) late() bool { return u.p.MaxCycles > 0 && u.s.step >= u.p.MaxCycles }

// gap is the number of steps from the mover to the light.
func gap(s lane) int { return max(s.mover-s.light, s.light-s.mover) }

// DenseRewards implements envs.DenseRewarder.
func (u *uneven) DenseRewards(dst []float32) { copy(dst, u.dense[:]) }

// Clone implements envs.Cloner.
func (u *uneven) Clone() envs.Env {
	d := *u
	return &d
}

// CloneInto implements envs.Cloner.
func (u *uneven) CloneInto(dst envs.Env) { *dst.(*uneven) = *u }
