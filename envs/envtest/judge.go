package envtest

import (
	"bytes"
	"image"
	"regexp"
	"slices"
	"testing"

	"marlpit/envs"
)

var familyName = regexp.MustCompile(`^[a-z]+( [a-z]+)*$`)

// checkFamilies tests that any two states can be classed, alike in both orders,
// under a name that is listed.
func checkFamilies(tb testing.TB, s *subject) {
	p := s.play(tb, 5)
	c, ok := envs.As[envs.Classifier](p.env)
	if !ok {
		tb.Skip("no Classifier")
	}
	names := c.Families()
	if n := len(slices.Compact(slices.Sorted(slices.Values(names)))); n != len(names) || n == 0 || n > 32 {
		tb.Fatalf("families: %q, want 1 to 32, none twice", names)
	}
	for _, n := range names {
		if !familyName.MatchString(n) {
			tb.Errorf("families: %q, want small letters", n)
		}
	}
	states := s.moments(tb)
	for x, a := range states {
		for y, b := range states[:x+1] {
			for i, agent := range s.spec.Agents {
				there, back := family(tb, p, c, a, b, i), family(tb, p, c, b, a, i)
				if there != back || !slices.Contains(names, there) {
					tb.Fatalf("families: states %d and %d are %q for %s, the other way %q; listed are %q", x, y, there, agent, back, names)
				}
			}
		}
	}
	if !panics(func() { c.Family([]byte("none"), 0) }) {
		tb.Error("families: a snapshot that is none does not panic")
	}
}

func family(tb testing.TB, p *player, c envs.Classifier, before, after []byte, agent int) string {
	tb.Helper()
	if err := p.restore(after); err != nil {
		tb.Fatalf("families: %v", err)
	}
	f := c.Family(before, agent)
	if !bytes.Equal(snapshot(tb, p), after) {
		tb.Fatal("families: classing changed the game")
	}
	return f
}

// checkPlaces tests that an agent can be put on each of its places, within the
// picture, and that the frame is whole.
func checkPlaces(tb testing.TB, s *subject) {
	p := s.play(tb, 5)
	placer, ok := envs.As[envs.Placer](p.env)
	if !ok {
		tb.Skip("no Placer")
	}
	d, ok := envs.As[envs.Drawer](p.env)
	if !ok {
		tb.Fatal("places: a Placer needs the picture of a Drawer")
	}
	p.wander(3)
	for i, name := range s.spec.Agents {
		places := placer.Places(i)
		states, tiles := map[string]bool{}, map[image.Rectangle]bool{}
		for k := range places {
			p.soil()
			p.t, p.restored = 0, true
			placer.Place(i, k, p.frame)
			checkPlay(tb, s, p)
			states[hash(p.frame.State, nil)] = true
			r := placer.PlaceBounds(i, k)
			tiles[r] = true
			if r.Empty() || !r.In(d.Bounds()) {
				tb.Fatalf("places: place %d of %s has the tile %v, the picture is %v", k, name, r, d.Bounds())
			}
		}
		if len(places) == 0 || len(states) != len(places) || len(tiles) != len(places) {
			tb.Fatalf("places: %d places of %s give %d states and %d tiles", len(places), name, len(states), len(tiles))
		}
	}
}

// checkBound tests that estimates of the remaining work are finite, and 0 at success.
func checkBound(tb testing.TB, s *subject) {
	p := s.play(tb, 5)
	b, ok := envs.As[envs.Bounder](p.env)
	if !ok {
		tb.Skip("no Bounder")
	}
	if b.BoundName() == "" {
		tb.Error("bound: it has no name")
	}
	for range horizon {
		work := b.Bound()
		if !(work >= 0 && work <= envs.SolverCap) || p.succeeded() != (work == 0) {
			tb.Fatalf("bound: step %d: %v, with success %v; want 0 at success alone, at most %v", p.t, work, p.succeeded(), envs.SolverCap)
		}
		p.step(p.random())
	}
}
