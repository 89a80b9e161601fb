package victimrubble

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"marlpit/envs"
)

// Games of one layout play and solve side by side with what they share.
func TestGamesSideBySide(t *testing.T) {
	for _, p := range []map[string]any{rooms, {"places": "random"}} {
		works := make([]float64, 8)
		var all sync.WaitGroup
		for i := range works {
			all.Add(1)
			go func() {
				defer all.Done()
				e, err := Entry.New(p)
				if err != nil {
					return
				}
				g, frame := e.(*Game), envs.NewFrame(e.Spec())
				for seed := range uint64(5) {
					for g.Reset(seed, frame); !frame.Ended(); {
						g.Step(envs.Actions{Choice: g.AppendBest(nil)}, frame)
						work, _ := g.Remaining()
						works[i] += work
					}
				}
			}()
		}
		all.Wait()
		for _, w := range works {
			require.Equal(t, works[0], w)
			require.Positive(t, w)
		}
	}
}
