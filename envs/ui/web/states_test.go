package web

import (
	"encoding/json"
	"maps"
	"slices"
	"testing"

	"marlpit/envs"
	"marlpit/envs/ui"
)

// TestSolutionsFindBack plays at random for a while: from wherever that leads
// before the end, the solution still succeeds.
func TestSolutionsFindBack(t *testing.T) {
	for i := range templates {
		tm := &templates[i]
		t.Run(tm.Name, func(t *testing.T) {
			var d ui.Device
			var r envs.Rand
			var legal []ui.Action
			for seed := range uint64(40) {
				r.Seed(seed + 77)
				d.Start(tm, seed)
				var log []byte
				for range 1 + r.Intn(tm.MaxTurns-1) {
					legal = d.AppendLegal(legal[:0])
					a := legal[r.Intn(len(legal))]
					if a.Verb == ui.VerbStatus || a.Verb == ui.VerbAnswer {
						continue
					}
					var next ui.Device
					next.CopyFrom(&d)
					if next.Apply(a); next.Status() != ui.Playing {
						continue // what ends the page can't be undone
					}
					log = append(a.AppendJSON(log), ' ')
					d.Apply(a)
				}
				left := d.Remaining()
				if left == ui.Unreachable {
					t.Fatalf("seed %d, %q: no way from here after %s", seed, d.Task().Goal, log)
				}
				if a := d.Solution(); !d.Right(a, left) {
					t.Fatalf("seed %d, %q: %s brings nothing nearer (%d remain) after %s", seed, d.Task().Goal, a.AppendJSON(nil), left, log)
				}
			}
		})
	}
}

// TestAnyStateCanBeShown puts states with odd values into pages and goes on:
// nothing panics.
func TestAnyStateCanBeShown(t *testing.T) {
	numbers := []float64{-1, 0, 1, 7, 99, 1 << 40, -(1 << 40)}
	for i := range templates {
		tm := &templates[i]
		t.Run(tm.Name, func(t *testing.T) {
			var d ui.Device
			var r envs.Rand
			var legal []ui.Action
			for seed := range uint64(60) {
				r.Seed(seed)
				d.Start(tm, seed)
				was, err := json.Marshal(d.Sim())
				if err != nil {
					t.Fatal(err)
				}
				var state any
				if err := json.Unmarshal(was, &state); err != nil {
					t.Fatal(err)
				}
				odd, err := json.Marshal(mutate(state, &r, numbers))
				if err != nil {
					t.Fatal(err)
				}
				if err := json.Unmarshal(odd, d.Sim()); err != nil {
					t.Fatalf("%s: %v", odd, err)
				}
				func() {
					defer func() {
						if p := recover(); p != nil {
							t.Fatalf("seed %d: %v in the state %s", seed, p, odd)
						}
					}()
					for range 30 {
						legal = d.AppendLegal(legal[:0])
						d.Apply(legal[r.Intn(len(legal))])
						_ = d.Result()
						d.Apply(d.Solution())
					}
				}()
			}
		})
	}
}

// mutate changes some of the values of a JSON state.
func mutate(v any, r *envs.Rand, numbers []float64) any {
	change := r.Intn(4) == 0
	switch v := v.(type) {
	case map[string]any:
		for _, k := range sortedKeys(v) {
			v[k] = mutate(v[k], r, numbers)
		}
	case []any:
		if change {
			return v[:r.Intn(len(v)+1)]
		}
		for i := range v {
			v[i] = mutate(v[i], r, numbers)
		}
	case float64:
		if change {
			return ui.Pick(r, numbers)
		}
	case string:
		if change {
			return ""
		}
	case bool:
		return v != change
	}
	return v
}

func sortedKeys(m map[string]any) []string { return slices.Sorted(maps.Keys(m)) }

// TestPagesAllocateNothing plays solutions on a warm device.
func TestPagesAllocateNothing(t *testing.T) {
	for i := range templates {
		tm := &templates[i]
		t.Run(tm.Name, func(t *testing.T) {
			var start, d ui.Device
			start.Start(tm, 5)
			var moves []ui.Action
			for d.CopyFrom(&start); d.Status() == ui.Playing; d.Apply(moves[len(moves)-1]) {
				moves = append(moves, d.Solution())
			}
			play := func() {
				d.CopyFrom(&start)
				for _, a := range moves {
					d.Apply(a)
				}
			}
			if n := testing.AllocsPerRun(10, play); n != 0 {
				t.Errorf("%d moves allocate %v times", len(moves), n)
			}
		})
	}
}

// TestGoalsHaveWordings starts every task reworded: the goal differs for some
// seed, and nothing else does.
func TestGoalsHaveWordings(t *testing.T) {
	for i := range templates {
		tm := &templates[i]
		plainly, reworded := ui.Device{}, ui.Device{Options: ui.Options{Reworded: true}}
		differ := 0
		for seed := range uint64(20) {
			plainly.Start(tm, seed)
			reworded.Start(tm, seed)
			if plainly.Task().Goal != reworded.Task().Goal {
				differ++
			}
			a, _ := json.Marshal(plainly.Sim())
			b, _ := json.Marshal(reworded.Sim())
			if string(a) != string(b) {
				t.Errorf("%s, seed %d: rewording changes the page from %s to %s", tm.Name, seed, a, b)
			}
		}
		if differ == 0 {
			t.Errorf("%s: there is one wording only: %q", tm.Name, reworded.Task().Goal)
		}
	}
}
