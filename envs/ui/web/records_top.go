package web

import "marlpit/envs/ui"

var _ = add[recordsPage, recordsTop](ui.Template{
	Name: "records-top", Summary: "say who from a town has the most points, and how many", Apps: []string{"records"},
	Kind: ui.Find, Level: 2, MaxTurns: 12, Easy: true, HeldOut: true,
})

// recordsTop asks for the row with the most points among those of a town.
type recordsTop struct{ Row record }

// Setup implements ui.Job.
func (j *recordsTop) Setup(s *recordsPage, t *ui.Task) {
	j.Row = record{Town: ui.Pick(t.Rand, s.Rows).Town}
	for _, row := range s.Rows {
		if row.Town == j.Row.Town && row.Points > j.Row.Points {
			j.Row = row
		}
	}
	t.Answer("name", j.Row.Name)
	t.Answer("points", j.Row.Points)
	t.Offer(j.Row.Town, j.Row.Name+", "+j.Row.Points)
	for _, row := range ui.Draw(t.Rand, s.Rows, 5) {
		if row != j.Row {
			t.Offer(row.Name + ", " + row.Points)
		}
	}
	t.Say("Who of the members from "+j.Row.Town+" has the most points, and how many? Answer with name, points.",
		"Find the member with the greatest number of points among those from "+j.Row.Town+". Answer with the name and the points.")
}

// Solve implements ui.Job.
func (j *recordsTop) Solve(s *recordsPage, x *ui.Pilot) {
	switch {
	case x.Answered() == j.Row.Name+", "+j.Row.Points:
		x.Complete()
	case s.Open != "":
		x.Tap("cancel", 0)
	case s.Filter != j.Row.Town:
		x.Type("filter", 0, j.Row.Town)
	case s.Sorted != 3 || !s.Down:
		x.Tap("sort", 2)
	}
	if s.turnTo(x, j.Row.Name) {
		x.Answer(j.Row.Name + ", " + j.Row.Points)
	}
}
