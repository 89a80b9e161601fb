package phone

import (
	"testing"

	"marlpit/envs"
	"marlpit/envs/ui"
	"marlpit/envs/ui/uitest"
)

// TestSolutionsFromAnywhere plays at random, and then lets the solution go on.
// Where the data are still as they were it has to succeed; where they aren't,
// it mends what can be mended.
func TestSolutionsFromAnywhere(t *testing.T) {
	starts := 2
	if uitest.Thorough() {
		starts = 8
	}
	for i := range templates {
		tm := templates[i]
		tm.MaxTurns = 1 << 20
		t.Run(tm.Name, func(t *testing.T) {
			t.Parallel()
			var d ui.Device
			var r envs.Rand
			var start Phone
			var legal []ui.Action
			states, lost, example := 0, 0, ""
			for seed := range uint64(starts) { //nolint:gosec // small
				r.Seed(seed + 7)
				d.Start(&tm, seed)
				ui.Copy(&start, d.Sim().(*Phone))
				for k := range 60 {
					for legal = d.AppendLegal(legal[:0]); ; {
						a := legal[r.Intn(len(legal))]
						if a.Verb != ui.VerbStatus && (a.Verb != ui.VerbHome && a.Verb != ui.VerbOpen || r.Intn(20) == 0) {
							d.Apply(a)
							break
						}
					}
					if k%6 != 0 {
						continue
					}
					states++
					if d.Remaining() < ui.Unreachable {
						continue
					}
					lost++
					p := d.Sim().(*Phone)
					if example = ui.Diff(&start, p); example == "" {
						t.Fatalf("seed %d, %q: nothing has changed, yet the solution doesn't succeed from %q in %s: it chooses %s",
							seed, d.Task().Goal, d.Title(), p.App(), d.Solution().AppendJSON(nil))
					}
				}
			}
			if lost > 0 {
				t.Logf("from %d of %d random states the solution doesn't succeed, as after this: %s", lost, states, example)
			}
		})
	}
}
