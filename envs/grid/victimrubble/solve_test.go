package victimrubble

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"marlpit/envs"
)

func build(t require.TestingT, params map[string]any) *Game {
	e, err := Entry.New(params)
	require.NoError(t, err)
	return e.(*Game)
}

// least is the least work from a game's present state by brute force: one
// agent moves at a time, breadth first over all states.
func least(t *testing.T, g *Game) float64 {
	choice := make([]int32, g.agents)
	queue := []State{g.now}
	type key struct {
		at                   [maxAgents]int16
		cleared, healed, out uint32
		open                 bool
	}
	seen := map[key]bool{}
	for depth := 0; len(queue) > 0; depth++ {
		var next []State
		for _, q := range queue {
			if q.success {
				return float64(depth)
			}
			if q.ended {
				continue
			}
			for i, space := range g.spec.Action {
				for c := int32(1); c < int32(space.N[0]); c++ {
					clear(choice)
					choice[i] = c
					after := q
					after.play(g.world, choice)
					if k := (key{after.At, after.Cleared, after.Healed, after.Out, after.Open}); !seen[k] {
						seen[k] = true
						next = append(next, after)
					}
				}
			}
		}
		queue = next
	}
	return envs.SolverCap
}

// The planner agrees with brute force from states of random play, for every
// layout, with several of a role, and where agents leave or die.
func TestLeastWorkIsExact(t *testing.T) {
	for _, p := range []map[string]any{
		{},
		{"width": 2, "height": 3, "engineers": 2},
		{"width": 2, "height": 3, "medics": 2, "places": "random", "ending": "death"},
		{"width": 2, "height": 2, "victims": 3, "places": "random"},
		{"layout": "rooms", "width": 2, "height": 2},
		{"layout": "rooms", "width": 2, "height": 2, "keybearer": true, "ending": "leave", "victims": 1, "rubble": 1, "places": "random"},
		{"layout": "rooms", "width": 2, "height": 2, "places": "random", "victims": 1},
		{"layout": "sites", "width": 3, "height": 3, "ending": "leave"},
	} {
		t.Run(fmt.Sprint(p), func(t *testing.T) {
			p["max_cycles"] = 0
			g := build(t, p)
			require.NoError(t, g.Prepare())
			frame, actions := envs.NewFrame(g.Spec()), envs.NewActions(g.Spec())
			var r envs.Rand
			r.Seed(1)
			for seed := range uint64(4) {
				g.Reset(seed, frame)
				for range 4 {
					work, time := g.Remaining()
					require.Equal(t, least(t, g), work, "%s", g.AppendText(nil))
					require.LessOrEqual(t, time, work)
					for range 12 {
						envs.DrawLegal(g.Spec(), frame.Mask, &r, actions)
						g.Step(actions, frame)
					}
				}
			}
		})
	}
}

// What the card says of how far best play is known.
func TestBestPlayIsKnownAsFarAsTheCardSays(t *testing.T) {
	for _, p := range []map[string]any{
		{"engineers": 7, "medics": 5},
		{"engineers": 3, "medics": 3, "rubble": 4, "victims": 4},
		{"rubble": 8, "victims": 6},
		{"layout": "rooms", "engineers": 4, "medics": 4, "keybearer": true, "scout": true},
		{"layout": "rooms", "engineers": 4, "medics": 4, "keybearer": true, "places": "random"},
		{"layout": "rooms", "width": 12, "height": 12},
		{"layout": "sites", "engineers": 8, "medics": 8, "places": "random"},
	} {
		start := time.Now()
		g := build(t, p)
		require.NoError(t, g.Prepare(), "%v", p)
		work, _ := g.Remaining()
		require.Less(t, work, envs.SolverCap)
		t.Logf("%v: %v", p, time.Since(start))
		require.Less(t, time.Since(start), 20*time.Second)
	}
}

// Games of equal layout share their distances; those of drawn places have their own.
func TestTablesAreShared(t *testing.T) {
	one, two := build(t, nil), build(t, map[string]any{"view": "radius", "max_cycles": 7, "medics": 2, "ending": "leave"})
	require.Same(t, one.ways, two.ways)
	require.NotSame(t, one.ways, build(t, map[string]any{"ending": "death"}).ways)
	require.Nil(t, build(t, map[string]any{"places": "random"}).ways)
}
