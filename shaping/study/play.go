package study

import (
	"context"
	"fmt"
	"slices"

	"marlpit/envs"
	"marlpit/shaping/votes"
)

// player plays copies of a world at random and draws from what it sees.
type player struct {
	entry  envs.Entry
	params map[string]any
	opt    CollectOptions

	games   []*game
	rng     envs.Rand
	seen    map[uint64]struct{}
	steps   int
	changed int64

	rest      reservoir // pairs within episodes
	rare      weighed   // the same, drawn by rarity
	terminals reservoir // pairs that ended one

	rarity   *rarity // nil: drawn alike
	counting bool    // the first time round, in which nothing is kept
}

// game is one copy.
type game struct {
	env     envs.Env
	snap    envs.Snapshotter
	frame   *envs.Frame
	action  envs.Actions
	before  []byte
	state   []float32
	seed    uint64
	episode int
	step    int
	rng     envs.Rand
}

// reservoir keeps a uniform choice of at most size of what it is offered
// (Vitter's algorithm R).
type reservoir struct {
	size    int
	offered int
	kept    []votes.Transition
}

// offer makes the transition only where it is taken.
func (r *reservoir) offer(rng *envs.Rand, made func() votes.Transition) {
	r.offered++
	if len(r.kept) < r.size {
		r.kept = append(r.kept, made())
		return
	}
	if r.size == 0 {
		return
	}
	if i := rng.Intn(r.offered); i < r.size {
		r.kept[i] = made()
	}
}

// play sees everything once; where rarity counts, it plays the same again when
// all counts are known.
func (p *player) play(ctx context.Context) error {
	p.rest.size, p.terminals.size = p.opt.Transitions, (p.opt.Transitions+3)/4
	if p.opt.Draw == DrawRarity {
		e, err := p.entry.New(p.params)
		if err != nil {
			return err
		}
		if p.rarity, err = newRarity(e); err != nil {
			return err
		}
		p.rare.size, p.counting = p.opt.Transitions, true
		if err := p.round(ctx); err != nil {
			return err
		}
		p.counting = false
	}
	return p.round(ctx)
}

func (p *player) round(ctx context.Context) error {
	p.seen, p.games, p.steps, p.changed = map[uint64]struct{}{}, nil, 0, 0
	p.rng.Seed(envs.EpisodeSeed(p.opt.Seed, -1, 0))
	for i := range p.opt.Copies {
		g, err := p.newGame(i)
		if err != nil {
			return err
		}
		p.games = append(p.games, g)
	}
	for p.steps < p.opt.Steps {
		if err := ctx.Err(); err != nil {
			return err
		}
		for i, g := range p.games {
			p.step(i, g)
		}
		p.steps++
		if p.opt.Enough > 0 && float64(len(p.seen)) >= p.opt.Enough*float64(p.opt.Transitions) {
			break
		}
	}
	return nil
}

func (p *player) newGame(i int) (*game, error) {
	e, err := p.entry.New(p.params)
	if err != nil {
		return nil, err
	}
	s := e.Spec()
	snap, ok := envs.As[envs.Snapshotter](e)
	if !ok {
		return nil, fmt.Errorf("%w: %s has no snapshots", ErrCollect, s.ID)
	}
	g := &game{env: e, snap: snap, frame: envs.NewFrame(s), action: envs.NewActions(s)}
	g.rng.Seed(envs.EpisodeSeed(p.opt.Seed, i, -1))
	g.reset(p.opt.Seed, i)
	return g, nil
}

func (g *game) reset(seed uint64, index int) {
	g.seed = envs.EpisodeSeed(seed, index, g.episode)
	g.episode++
	g.step = 0
	g.env.Reset(g.seed, g.frame)
}

// step plays one random joint action of one copy and offers the transition.
func (p *player) step(i int, g *game) {
	g.before = g.snap.AppendSnapshot(g.before[:0])
	g.state = append(g.state[:0], g.frame.State...)
	if p.rarity != nil {
		p.rarity.enter(g.env)
	}
	envs.DrawLegal(g.env.Spec(), g.frame.Mask, &g.rng, g.action)
	g.env.Step(g.action, g.frame)
	ended := g.frame.Ended()
	if !slices.Equal(g.state, g.frame.State) {
		p.changed++
		key := votes.PairKey(g.state, g.frame.State)
		if _, ok := p.seen[key]; !ok {
			p.seen[key] = struct{}{}
			p.offer(i, g, ended)
		}
	}
	g.step++
	if ended {
		g.reset(p.opt.Seed, i)
	}
}

func (p *player) offer(i int, g *game, ended bool) {
	made := func() votes.Transition {
		return votes.Transition{
			Seed: g.seed, Copy: i, Step: g.step, Actions: slices.Clone(g.action.Choice),
			SnapshotA: slices.Clone(g.before), SnapshotB: g.snap.AppendSnapshot(nil),
			StateA: slices.Clone(g.state), StateB: slices.Clone(g.frame.State), Terminal: ended,
		}
	}
	switch {
	case p.counting:
		p.rarity.count(g.env)
	case ended:
		p.terminals.offer(&p.rng, made)
	case p.rarity != nil:
		p.rare.offer(p.rarity.weight(g.env), &p.rng, made)
	default:
		p.rest.offer(&p.rng, made)
	}
}

// choice is what is kept: the ends of episodes, and of the rest what there is
// room for. The reservoir's content is in no order that matters, but its first
// elements are early ones: they are drawn, too. So is a heap's.
func (p *player) choice() []votes.Transition {
	rest := p.rest.kept
	if p.rarity != nil {
		rest = p.rare.kept
	}
	p.rng.Shuffle(len(rest), func(i, j int) { rest[i], rest[j] = rest[j], rest[i] })
	out := slices.Clone(p.terminals.kept)
	return append(out, rest[:min(len(rest), p.opt.Transitions-len(out))]...)
}
