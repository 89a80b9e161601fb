package bank

import (
	"context"
	"fmt"
	"math"
	"slices"

	"marlpit/envs"
	"marlpit/shaping/study"
	"marlpit/shaping/votes"
)

// perView is the number of items in each viewpoint; evenPerView of them have no
// credit.
const (
	perView     = 500
	evenPerView = 50
)

// candidate is an agent's side of a transition, in one viewpoint.
type candidate struct {
	Item
	transition int // number of it, over all worlds
	variant    int // of the worlds
}

// Draw makes the bank of a seed: worlds in sizes that the seed draws, random
// play in them, and a choice of what was seen. No text is in it twice, nor its
// reverse, nor one of the bank without; a transition gives one item in a
// viewpoint; texts that don't decide the sign of the credit are left out.
func Draw(ctx context.Context, registry envs.Registry, seed uint64, without *Bank) (*Bank, error) {
	d := &drawing{used: map[string]bool{}}
	d.rng.Seed(envs.EpisodeSeed(seed, 1, 0))
	if without != nil {
		for _, i := range without.Items {
			d.used[i.Forward], d.used[i.Backward] = true, true
		}
	}
	var worlds []string
	for n, v := range variants(&d.rng) {
		if !slices.Contains(worlds, v.world) {
			worlds = append(worlds, v.world)
		}
		if err := d.collect(ctx, registry, n, v, seed); err != nil {
			return nil, err
		}
	}
	for _, view := range []string{"guided", "plain"} {
		if err := d.choose(view, worlds); err != nil {
			return nil, err
		}
	}
	text, err := lines(d.items)
	return &Bank{Seed: &seed, SHA256: hash(text), Items: d.items}, err
}

// drawing is a bank on its way.
type drawing struct {
	rng        envs.Rand
	candidates []candidate
	seen       int // transitions, over all variants
	used       map[string]bool
	items      []Item
}

// variant is a world in one size.
type variant struct {
	world  string
	params map[string]any
}

// variants draws the worlds' sizes, all of them small enough to be solved exactly.
func variants(rng *envs.Rand) []variant {
	within := func(low, high int) int { return low + rng.Intn(high-low+1) }
	either := func(a, b string) string { return []string{a, b}[rng.Intn(2)] }
	var out []variant
	two := func(params map[string]any) { out = append(out, variant{"two-switch-v1", params}) }
	for range 4 {
		two(map[string]any{"agents": 2, "width_left": within(3, 7), "width_right": within(2, 6), "height": within(4, 8), "start": either("fixed", "random")})
	}
	for _, mode := range []string{"latched", "held", "held"} {
		two(map[string]any{"agents": 3, "width_left": within(3, 4), "width_right": within(2, 4), "height": within(3, 5), "mode": mode})
	}
	rubble := func(params map[string]any) { out = append(out, variant{"victim-rubble-v1", params}) }
	for _, medics := range []int{1, 1, 2} {
		rubble(map[string]any{"medics": medics, "width": within(4, 7), "height": within(4, 7), "rubble": within(1, 3), "victims": within(2, 3), "places": either("fixed", "random")})
	}
	rubble(map[string]any{"layout": "rooms", "scout": true, "width": within(2, 4), "height": within(2, 4)})
	rubble(map[string]any{"layout": "rooms", "keybearer": true, "width": within(2, 4), "height": within(2, 4), "rubble": within(2, 3)})
	for range 2 {
		pairs := within(2, 4)
		rubble(map[string]any{"layout": "sites", "engineers": pairs, "medics": pairs, "width": within(7, 10), "height": within(5, 8), "ending": either("together", "leave")})
	}
	return out
}

// collect plays a variant and takes all that was seen as candidates.
func (d *drawing) collect(ctx context.Context, registry envs.Registry, number int, v variant, seed uint64) error {
	entry, err := registry.Find(v.world)
	if err != nil {
		return err
	}
	got, err := study.Collect(ctx, entry, v.params, study.CollectOptions{Transitions: 1200, Copies: 16, Steps: 800, Draw: study.DrawRarity, Seed: envs.EpisodeSeed(seed, 2, number)})
	if err != nil {
		return err
	}
	if got.Collection.Solver != "exact" {
		return fmt.Errorf("%w: %s with %v: %s", ErrBank, v.world, v.params, got.Collection.Solver)
	}
	for _, t := range got.Transitions {
		for _, a := range t.Agents {
			if a.Index == votes.Team || math.IsNaN(a.Truth) {
				continue
			}
			c := candidate{transition: d.seen, variant: number, Item: Item{World: v.world, Params: v.params, Clothes: own,
				Agent: got.World.Agents[a.Index], Family: a.Family, Truth: a.Truth}}
			c.View, c.Forward, c.Backward = "guided", a.Guided[0], a.Guided[1]
			d.candidates = append(d.candidates, c)
			c.View, c.Forward, c.Backward = "plain", a.Plain[0], a.Plain[1]
			d.candidates = append(d.candidates, c)
		}
		d.seen++
	}
	return nil
}
