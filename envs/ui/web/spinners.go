package web

import (
	"strconv"

	"marlpit/envs"
	"marlpit/envs/ui"
)

var (
	_ = add[spinnersPage, spinnersOne](ui.Template{
		Name: "spinners-one", Summary: "set a number with plus and minus buttons", Apps: []string{"spinners"},
		Kind: ui.Operate, Level: 1, MaxTurns: 16,
	})
	_ = add[spinnersPage, spinnersOrder](ui.Template{
		Name: "spinners-order", Summary: "set the amounts of three things", Apps: []string{"spinners"},
		Kind: ui.Several, Level: 2, MaxTurns: 28,
	})
	_ = add[spinnersPage, spinnersMore](ui.Template{
		Name: "spinners-more", Summary: "change amounts by what is asked for", Apps: []string{"spinners"},
		Kind: ui.Edit, Level: 2, MaxTurns: 20, HeldOut: true,
	})
)

// maxAmount is the greatest number a spinner shows.
const maxAmount = 20

// spinnersPage has numbers with a minus and a plus button each.
type spinnersPage struct {
	Form
	Rows []amount
}

// amount is how many there are of something.
type amount struct {
	Label string
	Value int
}

func (s *spinnersPage) fill(r *envs.Rand) {
	*s = spinnersPage{}
	for _, label := range ui.Draw(r, fruits, 4) {
		s.Rows = append(s.Rows, amount{Label: label, Value: 4 + r.Intn(4)})
	}
}

// App implements ui.Sim.
func (s *spinnersPage) App() string { return "spinners" }

// View implements ui.Sim.
func (s *spinnersPage) View(b *ui.Builder) {
	b.Heading("Amounts")
	for i := range s.Rows {
		row := &s.Rows[i]
		b.Row(4)
		b.Label(row.Label)
		b.Button("less", i, "-").Describe(b.Cat("less ", row.Label)).Disable(row.Value <= 0)
		b.Label(b.Int(row.Value))
		b.Button("more", i, "+").Describe(b.Cat("more ", row.Label)).Disable(row.Value >= maxAmount)
	}
	s.submit(b)
}

// Update implements ui.Sim.
func (s *spinnersPage) Update(e ui.Event) {
	s.submits(e)
	if !within(e.Key, len(s.Rows)) {
		return
	}
	switch row := &s.Rows[e.Key]; {
	case e.Is(ui.Click, "less"):
		row.Value = max(0, row.Value-1)
	case e.Is(ui.Click, "more"):
		row.Value = min(row.Value+1, maxAmount)
	}
}

// wantedAmounts are the numbers to set, row by row.
type wantedAmounts struct{ Values []int }

// start takes the amounts there are.
func (j *wantedAmounts) start(s *spinnersPage) {
	j.Values = nil
	for _, row := range s.Rows {
		j.Values = append(j.Values, row.Value)
	}
}

// Want implements ui.Wanter.
func (j *wantedAmounts) Want(s *spinnersPage) {
	for i, v := range j.Values {
		s.Rows[i].Value = v
	}
	s.Submitted = true
}

// Solve implements ui.Job.
func (j *wantedAmounts) Solve(s *spinnersPage, x *ui.Pilot) {
	for i := range min(len(s.Rows), len(j.Values)) {
		if s.Rows[i].Value < j.Values[i] {
			x.Tap("more", i)
		} else if s.Rows[i].Value > j.Values[i] {
			x.Tap("less", i)
		}
	}
	x.Tap("submit", 0)
}

// spinnersOne asks for another number in one of the rows.
type spinnersOne struct{ wantedAmounts }

// Setup implements ui.Job.
func (j *spinnersOne) Setup(s *spinnersPage, t *ui.Task) {
	j.start(s)
	k := t.Rand.Intn(len(s.Rows))
	for abs(j.Values[k]-s.Rows[k].Value) < 4 {
		j.Values[k] = t.Rand.Intn(12)
	}
	n := strconv.Itoa(j.Values[k])
	t.Say("Set the amount of "+s.Rows[k].Label+" to "+n+" and submit.",
		"Change "+s.Rows[k].Label+" to "+n+" and leave the others. Then press Submit.")
}

// spinnersOrder asks for new numbers in three rows that start at zero.
type spinnersOrder struct{ wantedAmounts }

// Setup implements ui.Job.
func (j *spinnersOrder) Setup(s *spinnersPage, t *ui.Task) {
	for i := range s.Rows {
		s.Rows[i].Value = 0
	}
	j.start(s)
	var parts []string
	for _, k := range ui.Draw(t.Rand, []int{0, 1, 2, 3}, 3) {
		j.Values[k] = 1 + t.Rand.Intn(5)
		parts = append(parts, strconv.Itoa(j.Values[k])+" of "+s.Rows[k].Label)
	}
	t.Say("Order "+listed(parts)+", and submit.", "I need "+listed(parts)+". Enter that and press Submit.",
		"Set the amounts to "+listed(parts)+", nothing else. Then submit.")
}

// spinnersMore asks for more of one thing and less of another.
type spinnersMore struct{ wantedAmounts }

// Setup implements ui.Job.
func (j *spinnersMore) Setup(s *spinnersPage, t *ui.Task) {
	j.start(s)
	rows := ui.Draw(t.Rand, []int{0, 1, 2, 3}, 2)
	up, down := 2+t.Rand.Intn(3), 2+t.Rand.Intn(2)
	j.Values[rows[0]] += up
	j.Values[rows[1]] -= down
	more := strconv.Itoa(up) + " more of " + s.Rows[rows[0]].Label
	less := strconv.Itoa(down) + " less of " + s.Rows[rows[1]].Label
	t.Say("Change the order: "+more+", "+less+". Then submit.",
		"We want "+less+" and "+more+" than it says now. Submit that.")
}
