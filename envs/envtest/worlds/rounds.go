package worlds

import (
	"fmt"
	"slices"
	"strconv"

	"marlpit/envs"
)

type roundsParams struct {
	Agents   int `param:"agents" min:"1" max:"8" help:"number of agents"`
	Rounds   int `param:"rounds" min:"1" max:"4" help:"rounds of talk before an action is executed"`
	Length   int `param:"length" min:"1" max:"4" help:"buttons to press"`
	MaxTurns int `param:"max_turns" min:"1" max:"100" help:"limit of executed actions"`
}

// The choices of test-rounds-v0. Those from press on are the buttons.
const (
	roundsWait     = 0
	roundsPress    = 1
	roundsStatus   = 4
	roundsProposal = 5
	roundsChoices  = 6
	roundsWasted   = -1 // a proposal that can't be played
	roundsNothing  = -2 // no message
)

var roundsButtons = [...]string{"red", "green", "blue"}

// rounds is test-rounds-v0: a panel of three buttons, rounds of talk and a vote.
type rounds struct {
	p    roundsParams
	spec *envs.Spec

	goal     [4]int // buttons, the first Length of them
	progress int    // of the goal
	turn     int
	round    int
	gaveUp   bool    // status complete was executed too early
	messages []int32 // (agents,) what was proposed in the round before, in this turn
	said     []string
	history  []int32 // executed choices
	executed int     // 1 where the last step executed an action
	most     int     // votes for it
	valid    int     // votes that could be played

	stored  []int32 // (agents,) of Propose: a choice, roundsWasted, or roundsNothing
	reasons []string
	errors  []string // (agents,) of stored proposals
	wasted  []string // (agents,) of the step before
}

func roundsEntry() envs.Entry {
	return envs.Define("test-rounds-v0", "A panel of buttons, rounds of talk and a vote.",
		"The goal names buttons to press, in order. Before each press the agents talk for `rounds` rounds, one a step; the majority of the last round is executed, ties going to the lower agent's. "+
			"A wrong press does nothing, and `status` says that all is done: too early, it ends the episode without success.",
		roundsParams{Agents: 2, Rounds: 2, Length: 2, MaxTurns: 5},
		func(p roundsParams) (envs.Env, error) { return newRounds(p), nil })
}

func newRounds(p roundsParams) *rounds {
	fields := []envs.Field{
		{Name: "progress", Size: 1, Low: 0, High: float32(p.Length), Help: "buttons pressed"},
		{Name: "round", Size: 1, Low: 0, High: float32(p.Rounds), Help: "round of talk"},
		{Name: "next", Size: 3, Low: 0, High: 1, Help: "one-hot: button to press"},
	}
	state := append(slices.Clone(fields), envs.Field{Name: "turn", Size: 1, Low: 0, High: float32(p.MaxTurns), Help: "executed actions"})
	s := &envs.Spec{
		ID: "test-rounds-v0", Params: envs.ParamValues(p), Team: true, MaxCycles: p.MaxTurns * p.Rounds,
		State: envs.NewBox(state), StateField: state,
		Info: []string{"success", "turn", "round", "executed", "valid", "agreed"}, Rewards: [2]float32{0, 1}, ObsVersion: 1,
	}
	r := &rounds{p: p, spec: s, messages: make([]int32, p.Agents), said: make([]string, p.Agents), stored: make([]int32, p.Agents),
		reasons: make([]string, p.Agents), errors: make([]string, p.Agents), wasted: make([]string, p.Agents), history: make([]int32, 0, p.MaxTurns)}
	for i := range p.Agents {
		s.Agents = append(s.Agents, "agent_"+strconv.Itoa(i))
		s.Roles = append(s.Roles, "agent")
		s.Obs = append(s.Obs, envs.NewBox(fields))
		s.ObsFields = append(s.ObsFields, fields)
		s.Action = append(s.Action, envs.NewDiscrete(roundsChoices))
		s.ActionName = append(s.ActionName, []string{"wait", "click red", "click green", "click blue", "status complete", "proposal"})
		s.Noop = append(s.Noop, roundsWait)
	}
	r.forget()
	return r
}

// Spec implements envs.Env.
func (r *rounds) Spec() *envs.Spec { return r.spec }

// Reset implements envs.Env.
func (r *rounds) Reset(seed uint64, out *envs.Frame) {
	var rng envs.Rand
	rng.Seed(seed)
	for i := range r.goal {
		r.goal[i] = rng.Intn(len(roundsButtons))
	}
	r.progress, r.turn, r.round, r.gaveUp, r.executed, r.most, r.valid, r.history = 0, 0, 0, false, 0, 0, 0, r.history[:0]
	r.forget()
	r.silence()
	clear(r.wasted)
	r.write(out, 0)
}

// Step implements envs.Env.
func (r *rounds) Step(a envs.Actions, out *envs.Frame) {
	r.spec.CheckActions(a)
	defer r.forget()
	r.executed, r.most, r.valid = 0, 0, 0
	if r.over() {
		r.write(out, 0)
		return
	}
	for i, c := range a.Choice {
		c = r.meant(i, c)
		r.messages[i], r.said[i], r.wasted[i] = c, "", ""
		if a.Choice[i] == roundsProposal {
			r.said[i], r.wasted[i] = r.reasons[i], r.errors[i]
		}
		if c != roundsWasted {
			r.valid++
		}
	}
	r.round++
	reward := float32(0)
	if r.round == r.p.Rounds {
		reward = r.execute()
	}
	r.write(out, reward)
}

// execute plays the majority of the messages.
func (r *rounds) execute() (reward float32) {
	winner := int32(roundsWait)
	for _, c := range r.messages {
		n := 0
		for _, d := range r.messages {
			if c == d && c != roundsWasted {
				n++
			}
		}
		if n > r.most {
			winner, r.most = c, n
		}
	}
	r.executed = 1
	r.turn, r.round = r.turn+1, 0
	r.history = append(r.history, winner)
	r.silence()
	switch {
	case winner == roundsStatus:
		r.gaveUp = true
	case winner == r.right():
		if r.progress++; r.progress == r.p.Length {
			return 1
		}
	}
	return 0
}

// meant is the choice of an agent with its stored proposal in the place of its number.
func (r *rounds) meant(agent int, c int32) int32 {
	switch {
	case c == roundsProposal && r.stored[agent] != roundsNothing:
		return r.stored[agent]
	case c < 0 || c >= roundsProposal:
		return roundsWait
	}
	return c
}

// right is the next right choice.
func (r *rounds) right() int32 { return int32(roundsPress + r.goal[min(r.progress, r.p.Length-1)]) }

func (r *rounds) won() bool  { return r.progress == r.p.Length }
func (r *rounds) over() bool { return r.won() || r.gaveUp || r.turn == r.p.MaxTurns }

func (r *rounds) forget() {
	for i := range r.stored {
		r.stored[i], r.reasons[i], r.errors[i] = roundsNothing, "", ""
	}
}

func (r *rounds) silence() {
	for i := range r.messages {
		r.messages[i], r.said[i] = roundsNothing, ""
	}
}

func (r *rounds) write(out *envs.Frame, reward float32) {
	live, done := !r.over(), r.won() || r.gaveUp
	obs := [5]float32{float32(r.progress), float32(r.round)}
	if !r.won() {
		obs[2+r.goal[r.progress]] = 1
	}
	copy(out.State, obs[:])
	out.State[5] = float32(r.turn)
	agreed := float32(r.most) / float32(max(r.valid, 1))
	for i := range r.p.Agents {
		copy(out.Obs[5*i:], obs[:])
		mask := out.Mask[roundsChoices*i : roundsChoices*(i+1)]
		for c := range mask {
			mask[c] = one(c == roundsWait || live && c != roundsProposal)
		}
		out.Rewards[i], out.Team[i] = reward, reward
		copy(out.Info[6*i:], []float32{float32(one(r.won())), float32(r.turn), float32(r.round), float32(r.executed), float32(one(r.wasted[i] == "")), agreed})
		out.Terminated[i], out.Truncated[i] = done, !done && !live
	}
}

// ints are everything that a frame depends on: what was said, but for its reasons.
func (r *rounds) ints() []int {
	code := 0
	for i := range r.p.Length {
		code = code*len(roundsButtons) + r.goal[i]
	}
	v := []int{r.p.Agents, r.p.Rounds, r.p.Length, r.p.MaxTurns, code, r.progress, r.turn, r.round, int(one(r.gaveUp)), r.executed, r.most, r.valid}
	for i, m := range r.messages {
		v = append(v, int(m), int(one(r.wasted[i] != "")))
	}
	for i := range r.p.MaxTurns {
		c := roundsNothing
		if i < len(r.history) {
			c = int(r.history[i])
		}
		v = append(v, c)
	}
	return v
}

// AppendSnapshot implements envs.Snapshotter.
func (r *rounds) AppendSnapshot(dst []byte) []byte { return appendInts(dst, 'r', r.ints()...) }

// Restore implements envs.Snapshotter. The reasons of what was said aren't kept.
func (r *rounds) Restore(snapshot []byte, out *envs.Frame) error {
	v := r.ints()
	p := [4]int(v)
	if err := readInts(snapshot, 'r', v); err != nil {
		return err
	}
	if [4]int(v) != p {
		return fmt.Errorf("%w: of a world with other parameters", envs.ErrSnapshot)
	}
	return r.become(v, out)
}

// become makes the game what the ints say, where they are a state.
func (r *rounds) become(v []int, out *envs.Frame) error {
	codes := 1
	for range r.p.Length {
		codes *= len(roundsButtons)
	}
	low, high := make([]int, len(v)), []int{r.p.Agents, r.p.Rounds, r.p.Length, r.p.MaxTurns,
		codes - 1, r.p.Length, r.p.MaxTurns, r.p.Rounds - 1, 1, 1, r.p.Agents, r.p.Agents}
	said := len(high)
	for range r.p.Agents {
		low[len(high)] = roundsNothing
		high = append(high, roundsStatus, 1)
	}
	played := len(high)
	for range r.p.MaxTurns {
		low[len(high)] = roundsNothing
		high = append(high, roundsStatus)
	}
	for i, x := range v {
		if x < low[i] || x > high[i] {
			return fmt.Errorf("%w: element %d is %d, want %d to %d", envs.ErrSnapshot, i, x, low[i], high[i])
		}
	}
	won, up, late := v[5] == r.p.Length, v[8] == 1, v[6] == r.p.MaxTurns
	if v[5] > v[6] || won && up || (won || up || late) && v[7] > 0 || up && v[5] == v[6] || v[10] > v[11] {
		return fmt.Errorf("%w: a state that can't be reached", envs.ErrSnapshot)
	}
	for i, code := r.p.Length-1, v[4]; i >= 0; i-- {
		r.goal[i], code = code%len(roundsButtons), code/len(roundsButtons)
	}
	r.progress, r.turn, r.round, r.gaveUp, r.executed, r.most, r.valid = v[5], v[6], v[7], up, v[9], v[10], v[11]
	r.forget()
	r.silence()
	for i := range r.messages {
		r.messages[i], r.wasted[i] = int32(v[said+2*i]), ""
		if v[said+2*i+1] == 1 {
			r.wasted[i] = "it could not be played"
		}
	}
	r.history = r.history[:0]
	for _, c := range v[played:][:r.turn] {
		r.history = append(r.history, int32(max(c, roundsWait)))
	}
	r.write(out, 0)
	return nil
}

// Clone implements envs.Cloner.
func (r *rounds) Clone() envs.Env {
	d := newRounds(r.p)
	r.CloneInto(d)
	return d
}

// CloneInto implements envs.Cloner.
func (r *rounds) CloneInto(dst envs.Env) {
	d := dst.(*rounds)
	d.goal, d.progress, d.turn, d.round, d.gaveUp = r.goal, r.progress, r.turn, r.round, r.gaveUp
	d.executed, d.most, d.valid = r.executed, r.most, r.valid
	d.history = append(d.history[:0], r.history...)
	copy(d.messages, r.messages)
	copy(d.said, r.said)
	copy(d.stored, r.stored)
	copy(d.reasons, r.reasons)
	copy(d.errors, r.errors)
	copy(d.wasted, r.wasted)
}
