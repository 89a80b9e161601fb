package web

import (
	"slices"
	"testing"

	"marlpit/envs"
	"marlpit/envs/ui"
)

// TestSolutionsTypeWhatIsOffered plays solutions from starts and from where
// random play leads: what they type is on offer, and what they answer is, or
// stands on an element, so that learners who choose by number can do the same.
func TestSolutionsTypeWhatIsOffered(t *testing.T) {
	for i := range templates {
		tm := &templates[i]
		t.Run(tm.Name, func(t *testing.T) {
			var d ui.Device
			var r envs.Rand
			var legal []ui.Action
			for seed := range uint64(30) {
				r.Seed(seed)
				d.Start(tm, seed)
				for range r.Intn(8) {
					legal = d.AppendLegal(legal[:0])
					d.Apply(legal[r.Intn(len(legal))])
				}
				for d.Status() == ui.Playing {
					a := d.Solution()
					known := slices.Contains(d.Task().Texts, a.Text)
					for k := 0; k < d.Len() && a.Verb == ui.VerbAnswer; k++ {
						known = known || d.Element(k).Name() == a.Text
					}
					if (a.Verb == ui.VerbInput || a.Verb == ui.VerbAnswer) && !known {
						t.Fatalf("seed %d, %q: %s, offered are %q", seed, d.Task().Goal, a.AppendJSON(nil), d.Task().Texts)
					}
					d.Apply(a)
				}
			}
		})
	}
}

// TestTextsAreDifferent tests that no text is offered twice, and none is empty.
func TestTextsAreDifferent(t *testing.T) {
	for i := range templates {
		var d ui.Device
		for seed := range uint64(50) {
			d.Start(&templates[i], seed)
			texts := slices.Sorted(slices.Values(d.Task().Texts))
			if len(slices.Compact(slices.Clone(texts))) != len(texts) || slices.Contains(texts, "") {
				t.Errorf("%s, seed %d: %q", templates[i].Name, seed, texts)
				break
			}
		}
	}
}

// TestStepsAllocateNothing plays at random, once warm.
func TestStepsAllocateNothing(t *testing.T) {
	for i := range templates {
		tm := &templates[i]
		t.Run(tm.Name, func(t *testing.T) {
			var start, d ui.Device
			var r envs.Rand
			start.Start(tm, 3)
			legal := make([]ui.Action, 0, 4096)
			play := func() {
				r.Seed(5)
				d.CopyFrom(&start)
				for range 60 {
					if d.Status() != ui.Playing {
						d.CopyFrom(&start)
					}
					legal = d.AppendLegal(legal[:0])
					d.Apply(legal[r.Intn(len(legal))])
					d.Success()
				}
			}
			play()
			if n := testing.AllocsPerRun(5, play); n > 0 {
				t.Errorf("60 steps allocate %.1f times", n)
			}
		})
	}
}
