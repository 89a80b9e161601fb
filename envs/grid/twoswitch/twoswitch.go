package twoswitch

import (
	"fmt"

	"marlpit/envs"
)

// Params are the parameters of two-switch-v1.
type Params struct {
	Agents     int    `param:"agents" min:"2" max:"4" help:"number of agents"`
	WidthLeft  int    `param:"width_left" min:"2" max:"20" help:"columns of the left room"`
	WidthRight int    `param:"width_right" min:"2" max:"20" help:"columns of the right room"`
	Height     int    `param:"height" min:"3" max:"20" help:"rows of both rooms"`
	Mode       string `param:"mode" enum:"latched,held" help:"whether a switch stays pressed, or counts only while an agent stands on it"`
	Start      string `param:"start" enum:"fixed,random" help:"fixed places, or anywhere in the left room but on a switch"`
	View       string `param:"view" enum:"full,radius" help:"how far agents see"`
	Radius     int    `param:"radius" min:"1" max:"20" help:"columns and rows an agent sees around it, where view is radius"`
	Obs        string `param:"obs" enum:"vector,grid" help:"compact vector, or planes around the agent"`
	MaxCycles  int    `param:"max_cycles" min:"0" max:"1000000" help:"limit of steps, 0 for none"`
}

// Defaults are a problem that random play solves about once in a thousand episodes.
var Defaults = Params{
	Agents: 2, WidthLeft: 4, WidthRight: 3, Height: 5, Mode: "latched", Start: "fixed",
	View: "full", Radius: 2, Obs: "vector", MaxCycles: 100,
}

// Entry is the world's line in the catalogue.
var Entry = envs.Define("two-switch-v1",
	"Two switches far apart open the door to the exit; paid once, when all are there.",
	card, Defaults, New)

// Game is one running game.
type Game struct {
	*world       // everything that never changes
	now    State // the present state
	before State // the state before the last step; the present one after Reset and Restore
	past   State // scratch of AppendWords and Family
}

// New builds a game.
func New(p Params) (envs.Env, error) {
	if p.Mode == "held" && p.Agents < 3 {
		return nil, fmt.Errorf("%w: two-switch-v1: mode held needs 3 or 4 agents, got %d: two agents that hold the switches can't go through the door", envs.ErrParams, p.Agents)
	}
	w := worlds.Get(p, func() *world { return newWorld(p) })
	g := &Game{world: w}
	g.now.start(w, 0)
	return g, nil
}

// Spec implements envs.Env.
func (g *Game) Spec() *envs.Spec { return g.spec }

// Reset implements envs.Env.
func (g *Game) Reset(seed uint64, out *envs.Frame) {
	g.now.start(g.world, seed)
	g.before = g.now
	g.write(out, 0)
}

// Step implements envs.Env.
func (g *Game) Step(a envs.Actions, out *envs.Frame) {
	g.spec.CheckActions(a)
	g.before = g.now
	if g.now.ended {
		g.write(out, 0)
		return
	}
	g.now.play(g.world, a.Choice)
	g.write(out, g.now.reward(g.world))
}

// DenseRewards implements envs.DenseRewarder: 0.1 for each step nearer to the
// agent's sub-goal, minus as much for each step away from it.
func (g *Game) DenseRewards(dst []float32) {
	goals := g.goals(&g.before)
	for i := range dst {
		d := g.dist[goals[i]]
		dst[i] = 0.1 * float32(d[g.before.At[i]]-d[g.now.At[i]])
	}
}

// write writes the frame of the present state, with the team's reward.
func (g *Game) write(out *envs.Frame, reward float32) {
	s := &g.now
	n := g.agents
	open := g.open(s)
	for i := range n {
		out.Rewards[i] = reward
		out.Team[i] = reward
		out.Terminated[i] = s.ended && s.success
		out.Truncated[i] = s.ended && !s.success
		out.Info[2*i] = bit(s.success)
		out.Info[2*i+1] = bit(open)
		g.writeMask(out.Mask[i*5:i*5+5], int(s.At[i]), open)
	}
	g.writeState(out.State, s, open)
	g.observe(g.world, s, open, out.Obs)
}

func bit(b bool) float32 {
	if b {
		return 1
	}
	return 0
}
