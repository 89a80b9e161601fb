package web

import "marlpit/envs/ui"

var _ = add[recordsPage, recordsCell](ui.Template{
	Name: "records-cell", Summary: "look a member's town and points up", Apps: []string{"records"},
	Kind: ui.Find, Level: 2, MaxTurns: 10, Easy: true,
})

// recordsCell asks for what a row says.
type recordsCell struct{ Row record }

// Setup implements ui.Job.
func (j *recordsCell) Setup(s *recordsPage, t *ui.Task) {
	rows := ui.Draw(t.Rand, s.Rows, 5)
	j.Row = rows[0]
	t.Answer("town", j.Row.Town)
	t.Answer("points", j.Row.Points)
	for _, row := range rows {
		t.Offer(row.Town + ", " + row.Points)
	}
	for _, row := range rows {
		offer(t, row.Town) // for the filter
	}
	t.Say("Which town is "+j.Row.Name+" from, and with how many points? Answer with town, points.",
		"Look "+j.Row.Name+" up in the table and answer with the town and the points.")
}

// Solve implements ui.Job.
func (j *recordsCell) Solve(s *recordsPage, x *ui.Pilot) {
	if x.Answered() == j.Row.Town+", "+j.Row.Points {
		x.Complete()
	}
	if s.turnTo(x, j.Row.Name) {
		x.Answer(j.Row.Town + ", " + j.Row.Points)
	}
}
