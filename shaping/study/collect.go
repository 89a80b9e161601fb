package study

import (
	"context"
	"errors"
	"fmt"

	"marlpit/envs"
	"marlpit/shaping/votes"
)

// ErrCollect is returned when a world can't be collected from, or options are
// out of range.
var ErrCollect = errors.New("study: can't collect")

// CollectOptions say what is played and how much of it is kept. Zero values
// take the defaults named.
type CollectOptions struct {
	Transitions int     // kept at most; 0: 2,000
	Seed        uint64  // of play and choice; 0 is a seed
	Copies      int     // games side by side; 0: 64
	Steps       int     // of each copy; 0: 1,000
	Draw        Draw    // of what is kept; "": DrawRarity where there are more than four agents, else DrawUniform
	Enough      float64 // stop early at this many times Transitions distinct pairs; 0: play on to the end
}

func (o CollectOptions) complete() (CollectOptions, error) {
	if o.Transitions < 0 || o.Copies < 0 || o.Steps < 0 || !(o.Enough >= 0) {
		return o, fmt.Errorf("%w: transitions, copies, steps and enough are numbers from 0 up", ErrCollect)
	}
	if o.Enough > 0 && o.Enough < 1 {
		return o, fmt.Errorf("%w: enough is a multiple of the transitions wanted, at least 1, got %v", ErrCollect, o.Enough)
	}
	if o.Draw != "" && o.Draw != DrawUniform && o.Draw != DrawRarity {
		return o, fmt.Errorf("%w: draw is %s or %s, got %.40q", ErrCollect, DrawUniform, DrawRarity, o.Draw)
	}
	setDefault(&o.Transitions, 2000)
	setDefault(&o.Copies, 64)
	setDefault(&o.Steps, 1000)
	return o, nil
}

func setDefault[T comparable](field *T, value T) {
	var zero T
	if *field == zero {
		*field = value
	}
}

// Collected is what came of collecting: everything a vote file holds before
// anybody is asked.
type Collected struct {
	World       votes.World
	Collection  votes.Collection
	Transitions []votes.Transition
}

// Collect plays a world at random with the limit of steps off and keeps
// transitions in which the state changed, each pair of states once: all that
// ended an episode (up to a quarter of the whole), and of the others a choice,
// uniform or by rarity. Equal arguments give equal results. Words, features, families and
// credit are added where the world has them. It returns errors wrapping ErrCollect,
// or envs.ErrParams from the entry.
func Collect(ctx context.Context, entry envs.Entry, params map[string]any, opt CollectOptions) (*Collected, error) {
	opt, err := opt.complete()
	if err != nil {
		return nil, err
	}
	asPlayed, err := entry.New(params)
	if err != nil {
		return nil, err
	}
	world := worldOf(asPlayed)
	if opt.Draw == "" {
		opt.Draw = drawFor(len(world.FocusSizes)) // who has no view has no rarity
	}
	free := unlimited(entry, params)
	p := &player{entry: entry, params: free, opt: opt}
	if err := p.play(ctx); err != nil {
		return nil, err
	}
	kept, policy := p.choice(), "random"
	if opt.Draw == DrawRarity {
		policy = "random, drawn by rarity"
	}
	out := &Collected{World: world, Transitions: kept, Collection: votes.Collection{
		Seed: opt.Seed, Policy: policy, Params: p.games[0].env.Spec().Params, Copies: opt.Copies, Steps: p.steps,
		Frames: int64(p.steps) * int64(opt.Copies), Changed: p.changed, Distinct: int64(len(p.seen)), Kept: len(kept),
	}}
	if len(kept) == 0 {
		return nil, fmt.Errorf("%w: %s: nothing changed in %d frames of random play", ErrCollect, world.Env, out.Collection.Frames)
	}
	out.Collection.Solver, err = annotate(ctx, p.games[0].env, kept)
	return out, err
}

// unlimited is params with the limit of steps off, where the world has one.
func unlimited(entry envs.Entry, params map[string]any) map[string]any {
	out := make(map[string]any, len(params)+1)
	for k, v := range params {
		out[k] = v
	}
	for _, p := range entry.Params {
		if p.Name == "max_cycles" && p.Min <= 0 {
			out["max_cycles"] = 0
		}
	}
	return out
}

func worldOf(e envs.Env) votes.World {
	s := e.Spec()
	w := votes.World{Env: s.ID, Params: s.Params, ObsVersion: s.ObsVersion, Agents: s.Agents, StateSize: s.State.Size()}
	if f, ok := envs.As[envs.Focuser](e); ok {
		for i := range s.Agents {
			w.FocusSizes = append(w.FocusSizes, envs.FieldsSize(f.FocusFields(i)))
		}
	}
	return w
}
