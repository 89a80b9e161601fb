package ui

import (
	"strconv"
	"sync"

	"marlpit/envs"
)

// maxAgents is the greatest number of agents.
const maxAgents = 16

// game is what all games of one world and parameters share.
type game struct {
	World
	Params
	templates []*Template // that are drawn from
	spec      *envs.Spec
	hash      uint32    // of world and parameters, for snapshots
	spares    sync.Pool // of *Game, to try something on
	candidates
	layout
}

// Game is a team of agents around one Device. A step is a round of talk: every
// agent proposes an action, and the majority of the last round is executed.
type Game struct {
	*game
	d      Device
	goal   goalIndex
	past   history
	hears  [maxAgents]uint16 // (agents,) bits of the agents whose messages it sees: its predecessors
	cycle  int               // steps since the reset
	round  int               // rounds of talk in this turn
	said   []message         // (agents,) what was proposed in the round before, in this turn
	stored []message         // (agents,) of Propose, for the coming step
	wasted []string          // (agents,) what was wrong with the last step's proposal; "" nothing
	vote   vote              // of the last step
	words  []byte            // of an action or a step, while it is written

	judged    []judgement // in this turn; their texts are those of its screen
	remaining int         // Device.Remaining of this turn; 0: not yet known
}

// info are the columns of the info array.
var info = []string{"success", "turn", "round", "executed", "valid", "agreed"}

func (w World) newShared(p Params, templates []*Template) *game {
	g := &game{World: w, Params: p, templates: templates, hash: envs.ParamsHash(struct {
		ID string
		Params
	}{w.ID, p})}
	g.candidates = newCandidates(w.Apps, p.Elements)
	g.layout = newLayout(p)
	s := &envs.Spec{
		ID: w.ID, Params: envs.ParamValues(p), Team: true, MaxCycles: p.MaxCycles,
		State: envs.NewBox(g.state), StateField: g.state,
		Info: info, Rewards: [2]float32{0, 1}, ObsVersion: 1, AllocatingReset: true, PolicySolver: true,
	}
	names, space := g.names(), envs.NewDiscrete(g.choices)
	obs := envs.NewBox(g.fields)
	for i := range p.Agents {
		s.Agents = append(s.Agents, "agent_"+strconv.Itoa(i))
		s.Roles = append(s.Roles, "agent")
		s.Obs = append(s.Obs, obs)
		s.ObsFields = append(s.ObsFields, g.fields)
		s.Action = append(s.Action, space)
		s.ActionName = append(s.ActionName, names)
		s.Noop = append(s.Noop, choiceWait)
	}
	g.spec = s
	return g
}

func newGame(shared *game) *Game {
	n := shared.Agents
	g := &Game{game: shared, said: make([]message, n), stored: make([]message, n), wasted: make([]string, n)}
	g.d.Options = Options{
		Reworded: shared.Words == "reworded", Distractors: shared.Distractors,
		MaxTurns: shared.MaxTurns,
	}
	g.start(shared.templates[0], 0)
	return g
}

// Spec implements envs.Env.
func (g *Game) Spec() *envs.Spec { return g.spec }

// Reset implements envs.Env.
func (g *Game) Reset(seed uint64, out *envs.Frame) {
	var r envs.Rand
	r.Seed(seed)
	t := g.templates[r.Intn(len(g.templates))]
	g.start(t, g.taskSeed(&r))
	g.drawGraph(&r)
	g.write(out, 0)
}

// taskSeed draws a task's seed, of 53 bits so that any reader of JSON can hold
// it. Even ones are for training, odd ones are held out: no start is in both.
func (g *game) taskSeed(r *envs.Rand) uint64 {
	seed := r.Uint64() >> 11
	switch g.Split {
	case "train":
		seed &^= 1
	case "heldout-seeds":
		seed |= 1
	}
	return seed
}

// start begins an episode of a template.
func (g *Game) start(t *Template, seed uint64) {
	g.d.Start(t, seed)
	g.goal.build(&g.d.task)
	g.past.reset()
	g.cycle, g.round, g.vote = 0, 0, vote{}
	g.forget()
	g.silence()
	g.unjudge()
	clear(g.wasted)
}

// Step implements envs.Env.
func (g *Game) Step(a envs.Actions, out *envs.Frame) {
	g.spec.CheckActions(a)
	g.vote = vote{}
	clear(g.wasted)
	reward := float32(0)
	if !g.over() {
		for i, c := range a.Choice {
			g.said[i] = g.meant(i, c)
			g.wasted[i] = g.said[i].problem
		}
		g.cycle++
		if g.round++; g.round == g.Rounds {
			reward = g.execute()
		}
	}
	g.forget()
	g.write(out, reward)
}

// execute plays what the majority proposed and returns the team's reward.
func (g *Game) execute() float32 {
	var a Action
	a, g.vote = elect(g.said)
	g.past.add(&g.d, a)
	g.d.Apply(a)
	g.round = 0
	g.silence()
	g.unjudge()
	if g.d.Success() {
		return 1
	}
	return 0
}

// over says whether the episode has ended.
func (g *Game) over() bool {
	return g.d.status != Playing || g.MaxCycles > 0 && g.cycle >= g.MaxCycles
}

// write writes the frame of the present state, with the team's reward.
func (g *Game) write(out *envs.Frame, reward float32) {
	n := g.Agents
	done, over := g.d.status == Completed || g.d.status == Impossible, g.over()
	common := [...]float32{bit(g.d.Success()), float32(g.d.turns), float32(g.round), bit(g.vote.executed), 1, g.vote.agreed()}
	for i := range n {
		out.Rewards[i], out.Team[i] = reward, reward
		out.Terminated[i], out.Truncated[i] = done, over && !done
		row := out.Info[i*len(info) : (i+1)*len(info)]
		copy(row, common[:])
		row[4] = bit(g.wasted[i] == "")
	}
	width := g.choices
	g.writeMask(out.Mask[:width], over)
	for i := 1; i < n; i++ {
		copy(out.Mask[i*width:], out.Mask[:width])
	}
	g.observe(out)
}

func bit(b bool) float32 {
	if b {
		return 1
	}
	return 0
}
