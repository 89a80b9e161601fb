package phone

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"marlpit/envs"
	"marlpit/envs/ui"
)

// idle is a job that asks for nothing.
type idle struct{}

func (idle) Setup(_ *Phone, t *ui.Task) {
	t.Say("Do as you like.")
	t.Offer("x", "07:30", "123", "", "Ada Adler")
}
func (idle) Solve(_ *Phone, x *ui.Pilot) { x.Complete() }

// from is a template that starts with a copy of a phone.
func from(start *Phone) ui.Template {
	return ui.Define[Phone, idle](ui.Template{Name: "idle", MaxTurns: 1 << 30},
		func(p *Phone, _ *envs.Rand) { ui.Copy(p, start) })
}

// wander plays n random actions that end nothing.
func wander(d *ui.Device, r *envs.Rand, n int) (played []ui.Action) {
	var legal []ui.Action
	for range n {
		legal = d.AppendLegal(legal[:0])
		a := ui.Pick(r, legal)
		if a.Verb == ui.VerbStatus || a.Verb == ui.VerbHome && r.Intn(4) > 0 || a.Verb == ui.VerbOpen && r.Intn(4) > 0 {
			continue
		}
		a.Text = strings.Clone(a.Text)
		d.Apply(a)
		played = append(played, a)
	}
	return played
}

// mutate changes about one in ten of the numbers, words and flags of a JSON value.
func mutate(v any, r *envs.Rand) any {
	switch v := v.(type) {
	case map[string]any:
		for k := range v { // the order is Go's: every run tries others
			v[k] = mutate(v[k], r)
		}
	case []any:
		for i := range v {
			v[i] = mutate(v[i], r)
		}
		if n := len(v); n > 0 && r.Intn(10) == 0 {
			return v[:r.Intn(n)]
		}
	case float64:
		if r.Intn(10) == 0 {
			return ui.Pick(r, []float64{-1, 0, 1, 2, 7, 100, 255, 1 << 40, -1 << 40})
		}
	case string:
		if r.Intn(10) == 0 {
			return ui.Pick(r, append([]string{"", "x", "edit", "menu", "delete", "card", "show", "pick", "hour", "minute", "day",
				"thread", "text", "new", "forward", "event", "month", "note", "item", "timer", "\u00e9\x00"}, names...))
		}
	case bool:
		return v != (r.Intn(10) == 0)
	case nil: // an empty list
	default:
		panic(fmt.Sprintf("%T", v))
	}
	return v
}

// TestNoStatePanics lets any state that JSON can give be seen and played with.
func TestNoStatePanics(t *testing.T) {
	var r envs.Rand
	r.Seed(7)
	trials := 3000
	if testing.Short() {
		trials = 300
	}
	var d ui.Device
	for k := range trials {
		var p, mutant Phone
		p.fill(&r)
		if k%3 == 0 {
			tm := from(&p)
			d.Start(&tm, 1)
			wander(&d, &r, 50)
			ui.Copy(&p, d.Sim().(*Phone))
		}
		b, err := json.Marshal(&p)
		if err != nil {
			t.Fatal(err)
		}
		var v any
		if err := json.Unmarshal(b, &v); err != nil {
			t.Fatal(err)
		}
		if b, err = json.Marshal(mutate(v, &r)); err != nil {
			t.Fatal(err)
		}
		var raw map[string]any
		if err := json.Unmarshal(b, &raw); err != nil {
			t.Fatal(err)
		}
		for f, x := range raw { // numbers too great for their field are refused where states are read
			one, err := json.Marshal(map[string]any{f: x})
			if err != nil {
				t.Fatal(err)
			}
			if json.Unmarshal(one, &mutant) != nil {
				continue
			}
		}
		mutant.Shown = ui.Pick(&r, names)
		play(t, &mutant, &r, b)
	}
}

// play shows a state and plays a little, with events that no view offers among them.
func play(t *testing.T, p *Phone, r *envs.Rand, state []byte) {
	defer func() {
		if e := recover(); e != nil {
			t.Errorf("%v\n%s", e, state)
			panic(e)
		}
	}()
	tm := from(p)
	var d ui.Device
	d.Start(&tm, 1)
	var on []string
	for range 12 {
		wander(&d, r, 2)
		for i := range d.Screen().Widgets {
			if w := &d.Screen().Widgets[i]; w.On != "" {
				on = append(on, w.On)
			}
		}
		if len(on) > 0 {
			kind := ui.Pick(r, []ui.EventKind{ui.Click, ui.Press, ui.Input, ui.Enter})
			d.Sim().Update(ui.Event{Kind: kind, On: ui.Pick(r, on), Key: ui.Pick(r, []int{-1, 0, 1, 5, 99, 1 << 40}), Text: "z"})
			d.Apply(ui.Action{})
		}
	}
}

// TestStepsAllocateNothing replays random play on a warm device.
func TestStepsAllocateNothing(t *testing.T) {
	var r envs.Rand
	for seed := range uint64(20) {
		r.Seed(seed)
		var p Phone
		p.fill(&r)
		tm := from(&p)
		var start, d ui.Device
		start.Start(&tm, seed)
		d.Start(&tm, seed)
		actions := wander(&d, &r, 300)
		replay := func() {
			d.CopyFrom(&start)
			for _, a := range actions {
				d.Apply(a)
			}
		}
		replay()
		if n := testing.AllocsPerRun(5, replay); n != 0 {
			t.Errorf("seed %d: %d actions allocate %v times", seed, len(actions), n)
		}
	}
}

// TestEveryAppHasTasks counts the templates that need an app.
func TestEveryAppHasTasks(t *testing.T) {
	uses := map[string]int{}
	for _, tm := range templates {
		for _, a := range tm.Apps {
			if index(names, a) < 0 {
				t.Errorf("%s needs %q, which is no app", tm.Name, a)
			}
			uses[a]++
		}
	}
	for _, a := range names {
		if uses[a] < 3 {
			t.Errorf("%s is needed by %d templates, want 3 or more", a, uses[a])
		}
	}
}
