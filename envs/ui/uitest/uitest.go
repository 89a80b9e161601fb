// Package uitest is the conformance kit of task templates: what every one has
// to keep, whatever its world.
package uitest

import (
	"encoding/json"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"marlpit/envs"
	"marlpit/envs/ui"
)

// MaxElements is the greatest number of elements a screen may show, a notice
// aside: that many are listed for learners by default.
const MaxElements = 36

// seeds is how many starts of a template are solved.
func seeds() int {
	if testing.Short() {
		return 30
	}
	return 200
}

// Thorough says whether everything is tried from every start, and random play is
// long enough to tell which templates are easy: minutes for a world, so it is
// asked for by the environment variable MARLPIT_THOROUGH.
func Thorough() bool { return os.Getenv("MARLPIT_THOROUGH") != "" }

// closely is from how many of the starts each turn is looked at closely.
func closely() uint64 {
	if Thorough() {
		return 30
	}
	return 4
}

var name = regexp.MustCompile(`^[a-z]+(-[a-z0-9]+)+$`)

// Run tests every template on its own: it is solved by its own solution within
// its limit, and by nothing less.
func Run(t *testing.T, templates []ui.Template) {
	seen := map[string]bool{}
	for i := range templates {
		tm := &templates[i]
		if seen[tm.Name] {
			t.Fatalf("two templates have the name %q", tm.Name)
		}
		seen[tm.Name] = true
		t.Run(tm.Name, func(t *testing.T) {
			t.Parallel()
			if !name.MatchString(tm.Name) {
				t.Fatalf("the name %q is not lower-case words with hyphens", tm.Name)
			}
			if tm.Summary == "" || len(tm.Apps) == 0 || tm.Kind == "" || tm.Level < 1 || tm.Level > 3 || tm.MaxTurns < 1 {
				t.Fatalf("summary, apps, kind, level (1 to 3) or turns are missing: %+v", tm)
			}
			solved(t, tm, ui.Options{}, seeds())
			solved(t, tm, ui.Options{Reworded: true, Distractors: true}, seeds()/8)
			idle(t, tm)
			random(t, tm)
		})
	}
}

// solved plays the solution from many starts.
func solved(t *testing.T, tm *ui.Template, options ui.Options, starts int) {
	t.Helper()
	d := ui.Device{Options: options}
	goals := map[string]bool{}
	for seed := range uint64(starts) { //nolint:gosec // small
		d.Start(tm, seed)
		if strings.TrimSpace(d.Task().Goal) == "" {
			t.Fatal("no goal")
		}
		goals[d.Task().Goal] = true
		near := seed < closely()
		left := 0
		if near || Thorough() {
			left = d.Remaining()
		}
		var log []string
		for d.Status() == ui.Playing {
			a := d.Solution()
			if err := d.Explain(a); err != nil {
				t.Fatalf("seed %d, turn %d, %q: the solution's action is illegal: %v\nso far: %s", seed, d.Turns(), d.Task().Goal, err, strings.Join(log, "; "))
			}
			log = append(log, string(a.AppendJSON(nil)))
			if !near && !Thorough() {
				d.Apply(a)
				continue
			}
			screen(t, &d, seed)
			if !slices.Contains(d.AppendLegal(nil), a) {
				t.Fatalf("seed %d, turn %d, %q: a learner has no such choice: %s (offer its text)", seed, d.Turns(), d.Task().Goal, a.AppendJSON(nil))
			}
			if near && !d.Right(a, d.Remaining()) { // it plays to the end twice
				t.Fatalf("seed %d, turn %d, %q: the solution's action brings nothing nearer (%d remain)\nso far: %s", seed, d.Turns(), d.Task().Goal, d.Remaining(), strings.Join(log, "; "))
			}
			d.Apply(a)
		}
		if !d.Success() {
			t.Fatalf("seed %d, %q: %s\nso far: %s", seed, d.Task().Goal, d.Result(), strings.Join(log, "; "))
		}
		if left != 0 && left != d.Turns() {
			t.Fatalf("seed %d: %d actions were said to remain, %d were needed", seed, left, d.Turns())
		}
		if len(d.Task().Wanted) > 0 && (near || Thorough()) {
			wrongAnswer(t, tm, seed)
		}
	}
	if len(goals) < 2 && !strings.HasSuffix(tm.Name, "-fixed") {
		t.Errorf("the goal is always %q: a task is drawn from its seed", d.Task().Goal)
	}
}

// wrongAnswer plays the solution but answers something else.
func wrongAnswer(t *testing.T, tm *ui.Template, seed uint64) {
	var d ui.Device
	d.Start(tm, seed)
	for d.Status() == ui.Playing {
		a := d.Solution()
		if a.Verb == ui.VerbAnswer {
			d.Apply(ui.Action{Verb: ui.VerbAnswer, Text: "certainly not this"})
			a = ui.Action{Verb: ui.VerbStatus, Complete: true}
		}
		d.Apply(a)
	}
	if d.Success() {
		t.Fatalf("seed %d, %q: a wrong answer is taken for right", seed, d.Task().Goal)
	}
}

// idle ends the episode at once, or never acts.
func idle(t *testing.T, tm *ui.Template) {
	var d ui.Device
	for seed := range uint64(20) {
		d.Start(tm, seed)
		d.Apply(ui.Action{Verb: ui.VerbStatus, Complete: true})
		if d.Success() {
			t.Fatalf("seed %d, %q: status(complete) at the start is success", seed, d.Task().Goal)
		}
		d.Start(tm, seed)
		if d.Task().Infeasible != (tm.Kind == ui.Infeasible) {
			t.Fatalf("seed %d: kind %s, infeasible %t", seed, tm.Kind, d.Task().Infeasible)
		}
		d.Apply(ui.Action{Verb: ui.VerbStatus})
		if d.Success() != d.Task().Infeasible {
			t.Fatalf("seed %d, %q: status(infeasible) at the start: success is %t", seed, d.Task().Goal, d.Success())
		}
		d.Start(tm, seed)
		for d.Status() == ui.Playing {
			d.Apply(ui.Action{})
		}
		if d.Success() {
			t.Fatalf("seed %d, %q: success without doing anything", seed, d.Task().Goal)
		}
	}
}

// screen tests what every screen has to keep.
func screen(t *testing.T, d *ui.Device, seed uint64) {
	t.Helper()
	most := MaxElements
	if d.Distractors {
		most++
	}
	if d.Len() == 0 || d.Len() > most {
		t.Fatalf("seed %d: %q shows %d elements, a screen has 1 to %d", seed, d.Title(), d.Len(), most)
	}
	type ref struct {
		on  string
		key int
	}
	at := map[ref]bool{}
	for i := range d.Len() {
		w := d.Element(i)
		b, s := w.Bounds, d.Screen()
		if b.W <= 0 || b.H <= 0 || b.X < 0 || b.Y < 0 || b.X+b.W > s.Width || b.Y+b.H > s.Height {
			t.Fatalf("seed %d: %q: element %d, %q, is off the screen: %+v", seed, d.Title(), i, w.Name(), b)
		}
		if r := (ref{w.On, w.Key}); w.On != "" {
			if at[r] {
				t.Fatalf("seed %d: %q: two widgets are %s, %d", seed, d.Title(), w.On, w.Key)
			}
			at[r] = true
		}
	}
}

// random plays at random, tests every screen on the way, and that states
// survive JSON. Where the test is thorough it plays 1,000 actions from each of
// 50 starts and counts in how many of them it ever succeeds.
func random(t *testing.T, tm *ui.Template) {
	var d, start ui.Device
	var r envs.Rand
	var legal []ui.Action
	n, steps, won := 2, 250, 0
	if Thorough() {
		n, steps = 50, 1000
	}
	for seed := range uint64(n) { //nolint:gosec // small
		r.Seed(seed + 1)
		success := false
		start.Start(tm, seed)
		d.CopyFrom(&start)
		for k := range steps {
			if d.Status() != ui.Playing {
				success = success || d.Success()
				d.CopyFrom(&start)
			}
			legal = d.AppendLegal(legal[:0])
			d.Apply(legal[r.Intn(len(legal))])
			if k%50 == 0 {
				screen(t, &d, seed)
			}
			if k%250 == 0 {
				survives(t, &d)
			}
		}
		if success {
			won++
		}
	}
	if !Thorough() {
		return
	}
	share := float64(won) / float64(n)
	if share > 0.05 != tm.Easy {
		t.Errorf("Easy is %t, yet random play succeeds in %.0f %% of starts (more than 5 %% is easy)", tm.Easy, 100*share)
	}
}

// survives tests that a state comes back from JSON as it was.
func survives(t *testing.T, d *ui.Device) {
	t.Helper()
	before, err := json.Marshal(d.Sim())
	if err != nil {
		t.Fatal(err)
	}
	var c ui.Device
	c.CopyFrom(d)
	after, err := json.Marshal(c.Sim())
	if err != nil {
		t.Fatal(err)
	}
	if string(before) != string(after) {
		t.Fatalf("a copy differs:\n%s\n%s", before, after)
	}
}
