package web

import (
	"cmp"
	"slices"

	"marlpit/envs"
	"marlpit/envs/ui"
)

var (
	_ = add[rowsPage, rowsNamed](ui.Template{
		Name: "rows-named", Summary: "bring rows into a given order", Apps: []string{"rows"},
		Kind: ui.Edit, Level: 2, MaxTurns: 22,
	})
	_ = add[rowsPage, rowsSort](ui.Template{
		Name: "rows-sort", Summary: "sort rows by a number", Apps: []string{"rows"},
		Kind: ui.Edit, Level: 3, MaxTurns: 22,
	})
)

// rowsPage has rows that are moved up and down.
type rowsPage struct {
	Form
	Rows []amount
}

func (s *rowsPage) fill(r *envs.Rand) {
	*s = rowsPage{}
	names := ui.Draw(r, people, 5)
	for i, n := range twoDigits(r, len(names)) {
		s.Rows = append(s.Rows, amount{names[i], n})
	}
}

// App implements ui.Sim.
func (s *rowsPage) App() string { return "rows" }

// View implements ui.Sim.
func (s *rowsPage) View(b *ui.Builder) {
	b.Heading("Ranking")
	for i := range s.Rows {
		row := &s.Rows[i]
		b.Row(4)
		b.Label(row.Label)
		b.Label(b.Int(row.Value))
		b.Button("up", i, "Up").Describe(b.Cat(row.Label, " up")).Disable(i == 0)
		b.Button("down", i, "Down").Describe(b.Cat(row.Label, " down")).Disable(i == len(s.Rows)-1)
	}
	s.submit(b)
}

// Update implements ui.Sim.
func (s *rowsPage) Update(e ui.Event) {
	i := e.Key
	switch {
	case e.Is(ui.Click, "up"):
		i--
		fallthrough
	case e.Is(ui.Click, "down"):
		if within(i, len(s.Rows)-1) {
			s.Rows[i], s.Rows[i+1] = s.Rows[i+1], s.Rows[i]
		}
	default:
		s.submits(e)
	}
}

// wantedRows is the order to bring the rows into.
type wantedRows struct{ Order []string }

// Want implements ui.Wanter.
func (j *wantedRows) Want(s *rowsPage) {
	slices.SortFunc(s.Rows, func(a, b amount) int {
		return cmp.Compare(slices.Index(j.Order, a.Label), slices.Index(j.Order, b.Label))
	})
	s.Submitted = true
}

// Solve implements ui.Job: it sorts by insertion, so that every move puts one pair right.
func (j *wantedRows) Solve(s *rowsPage, x *ui.Pilot) {
	for i := 1; i < len(s.Rows); i++ {
		if slices.Index(j.Order, s.Rows[i].Label) < slices.Index(j.Order, s.Rows[i-1].Label) {
			x.Tap("up", i)
		}
	}
	x.Tap("submit", 0)
}

// order makes the names the order that is wanted and the rows one far from it.
func (j *wantedRows) order(s *rowsPage, r *envs.Rand, rows []amount) {
	j.Order = nil
	for _, row := range rows {
		j.Order = append(j.Order, row.Label)
	}
	const far = 5 // moves
	for moves := 0; moves < far; {
		s.Rows, moves = ui.Draw(r, rows, len(rows)), 0
		for i := range s.Rows {
			for k := range i {
				if slices.Index(j.Order, s.Rows[k].Label) > slices.Index(j.Order, s.Rows[i].Label) {
					moves++
				}
			}
		}
	}
}

// rowsNamed asks for an order by names.
type rowsNamed struct{ wantedRows }

// Setup implements ui.Job.
func (j *rowsNamed) Setup(s *rowsPage, t *ui.Task) {
	j.order(s, t.Rand, ui.Draw(t.Rand, s.Rows, len(s.Rows)))
	t.Say("Order the rows: "+listed(j.Order)+". Then submit.",
		"From top to bottom the rows have to be "+listed(j.Order)+". Move them and press Submit.")
}

// rowsSort asks for an order by the numbers.
type rowsSort struct{ wantedRows }

// Setup implements ui.Job.
func (j *rowsSort) Setup(s *rowsPage, t *ui.Task) {
	sign, how := 1, "smallest number to the greatest"
	if t.Rand.Intn(2) == 0 {
		sign, how = -1, "greatest number to the smallest"
	}
	j.order(s, t.Rand, slices.SortedFunc(slices.Values(s.Rows), func(a, b amount) int {
		return sign * cmp.Compare(a.Value, b.Value)
	}))
	first := s.Rows[0].Label
	t.Say("Sort the rows, of which "+first+" is the first now, from the "+how+", and submit.",
		"Move the rows until they go from the "+how+". "+first+" is on top so far. Then press Submit.")
}
