package victimrubble

import "marlpit/envs"

// Entry is the world's line in the catalogue.
var Entry = envs.Define("victim-rubble-v1",
	"Unlike agents clear rubble and heal the victims behind it; paid once, when all are saved.",
	card, Defaults, New)

// Game is one running game.
type Game struct {
	*world          // everything that never changes
	now    State    // the present state
	before State    // the state before the last step; the present one after Reset and Restore
	past   State    // scratch of AppendWords and Family
	plans  *planner // made when first asked for
}

// New builds a game. Combinations that make no world return an error wrapping
// envs.ErrParams.
func New(p Params) (envs.Env, error) {
	p, err := p.resolved()
	if err != nil {
		return nil, err
	}
	w := worlds.Get(p, func() *world { return newWorld(p) })
	for _, t := range w.start.Trap[:w.traps] {
		if t < 0 {
			return nil, refuse("no room for a trap that leaves a way around it; want larger rooms or fewer victims")
		}
	}
	g := &Game{world: w}
	g.now.begin(w, 0)
	g.before = g.now
	return g, nil
}

// Spec implements envs.Env.
func (g *Game) Spec() *envs.Spec { return g.spec }

// Reset implements envs.Env.
func (g *Game) Reset(seed uint64, out *envs.Frame) {
	g.now.begin(g.world, seed)
	g.before = g.now
	g.write(out, 0, 0)
}

// Step implements envs.Env.
func (g *Game) Step(a envs.Actions, out *envs.Frame) {
	g.spec.CheckActions(a)
	g.before = g.now
	if g.now.ended {
		g.write(out, 0, 0)
		return
	}
	g.now.play(g.world, a.Choice)
	g.write(out, g.now.reward(g.world), g.before.Out)
}
