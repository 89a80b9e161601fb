package victimrubble

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"marlpit/envs"
)

// What guided words count, the moves that the agent's own next goal takes, goes
// down where its move leaves less work, and up where it leaves more: nearly always.
func TestSubGoalsAgreeWithExactCredit(t *testing.T) {
	for _, c := range []struct {
		least  float64
		params map[string]any
	}{
		{0.999, map[string]any{"max_cycles": 0}},
		{0.999, map[string]any{"max_cycles": 0, "places": "random"}},
		{0.97, map[string]any{"max_cycles": 0, "engineers": 2, "medics": 2}},
		{0.998, map[string]any{"max_cycles": 0, "layout": "rooms", "keybearer": true, "places": "random"}},
		{0.998, map[string]any{"max_cycles": 0, "layout": "rooms", "ending": "leave"}},
		{0.999, map[string]any{"max_cycles": 0, "layout": "sites", "engineers": 8, "medics": 8}},
	} {
		t.Run(fmt.Sprint(c.params), func(t *testing.T) {
			agree, asked := agreement(t, build(t, c.params))
			t.Logf("%d of %d, %.4f", agree, asked, float64(agree)/float64(asked))
			require.Greater(t, asked, 5000)
			require.Greater(t, float64(agree)/float64(asked), c.least)
		})
	}
}

func agreement(t *testing.T, g *Game) (agree, asked int) {
	require.NoError(t, g.Prepare())
	frame, actions := envs.NewFrame(g.Spec()), envs.NewActions(g.Spec())
	alone := g.Clone().(*Game)
	var r envs.Rand
	r.Seed(3)
	for episode := uint64(0); asked < 8000; episode++ {
		for g.Reset(episode, frame); g.now.T < 400 && !frame.Ended(); {
			envs.DrawLegal(g.Spec(), frame.Mask, &r, actions)
			was, _ := g.Remaining()
			for i := range g.agents {
				solo := make([]int32, g.agents)
				solo[i] = actions.Choice[i]
				g.CloneInto(alone)
				alone.Step(envs.Actions{Choice: solo}, envs.NewFrame(g.Spec()))
				is, _ := alone.Remaining()
				if was == is {
					continue
				}
				asked++
				to := g.aims(&g.now, &alone.now)
				if to[i] == none {
					continue
				}
				before, after := g.left(&g.now, i, int(to[i])), g.left(&alone.now, i, int(to[i]))
				if (after < before) == (is < was) {
					agree++
				}
			}
			g.Step(actions, frame)
		}
	}
	return agree, asked
}
