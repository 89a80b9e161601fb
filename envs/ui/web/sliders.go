package web

import (
	"slices"
	"strconv"

	"marlpit/envs"
	"marlpit/envs/ui"
)

var (
	_ = add[slidersPage, slidersOne](ui.Template{
		Name: "sliders-one", Summary: "set a slider to a value", Apps: []string{"sliders"},
		Kind: ui.Operate, Level: 1, MaxTurns: 20,
	})
	_ = add[slidersPage, slidersMix](ui.Template{
		Name: "sliders-mix", Summary: "mix a colour with three sliders", Apps: []string{"sliders"},
		Kind: ui.Several, Level: 2, MaxTurns: 34,
	})
)

// slidersPage has sliders that swipes to the right raise and to the left lower.
type slidersPage struct {
	Form
	Sliders []slider
}

// slider is a value between bounds that a swipe moves by a step.
type slider struct {
	Label              string
	Value, Least, Most int
	Step               int
}

func (s *slidersPage) fill(r *envs.Rand) {
	*s = slidersPage{}
	for _, label := range ui.Draw(r, []string{"Volume", "Brightness", "Speed", "Zoom"}, 2) {
		s.Sliders = append(s.Sliders, slider{Label: label, Value: 10 * r.Intn(11), Most: 100, Step: 10})
	}
}

// App implements ui.Sim.
func (s *slidersPage) App() string { return "sliders" }

// View implements ui.Sim.
func (s *slidersPage) View(b *ui.Builder) {
	b.Heading("Adjust")
	for i := range s.Sliders {
		b.Slider("slider", i, s.Sliders[i].Label, b.Int(s.Sliders[i].Value))
	}
	s.submit(b)
}

// Update implements ui.Sim.
func (s *slidersPage) Update(e ui.Event) {
	s.submits(e)
	if !e.Is(ui.Swipe, "slider") || !within(e.Key, len(s.Sliders)) {
		return
	}
	d := &s.Sliders[e.Key]
	by := d.Step
	if e.Dir == ui.Left {
		by = -by
	}
	d.Value = max(d.Least, min(d.Value+by, d.Most))
}

// wantedValues are the values to set, slider by slider.
type wantedValues struct{ Values []int }

// Want implements ui.Wanter.
func (j *wantedValues) Want(s *slidersPage) {
	for i, v := range j.Values {
		s.Sliders[i].Value = v
	}
	s.Submitted = true
}

// Solve implements ui.Job.
func (j *wantedValues) Solve(s *slidersPage, x *ui.Pilot) {
	for i := range min(len(s.Sliders), len(j.Values)) {
		if s.Sliders[i].Value < j.Values[i] {
			x.Swipe("slider", i, ui.Right)
		} else if s.Sliders[i].Value > j.Values[i] {
			x.Swipe("slider", i, ui.Left)
		}
	}
	x.Tap("submit", 0)
}

// slidersOne asks for one slider to be moved, and the other to stay.
type slidersOne struct{ wantedValues }

// Setup implements ui.Job.
func (j *slidersOne) Setup(s *slidersPage, t *ui.Task) {
	j.Values = []int{s.Sliders[0].Value, s.Sliders[1].Value}
	k := t.Rand.Intn(2)
	for abs(j.Values[k]-s.Sliders[k].Value) < 40 {
		j.Values[k] = 10 * t.Rand.Intn(11)
	}
	label, value := s.Sliders[k].Label, strconv.Itoa(j.Values[k])
	t.Say("Set "+quoted(label)+" to "+value+" and submit.",
		"Move the slider "+quoted(label)+" until it says "+value+", then press Submit.")
}

// slidersMix asks for three parts of a colour.
type slidersMix struct{ wantedValues }

// Setup implements ui.Job.
func (j *slidersMix) Setup(s *slidersPage, t *ui.Task) {
	s.Sliders, j.Values = nil, nil
	var parts []string
	for _, c := range ui.Draw(t.Rand, []string{"Red", "Green", "Blue"}, 3) {
		from := 2 + t.Rand.Intn(7)
		to := from
		for to == from {
			to = t.Rand.Intn(11)
		}
		s.Sliders = append(s.Sliders, slider{Label: c, Value: from, Most: 10, Step: 1})
		j.Values = append(j.Values, to)
		parts = append(parts, times(to, "part")+" of "+c)
	}
	t.Say("Mix "+listed(parts)+", and submit.",
		"The colour is made of "+listed(slices.Sorted(slices.Values(parts)))+". Set the sliders to that and submit.")
}

// abs is the absolute value.
func abs(n int) int { return max(n, -n) }
