package web

import "marlpit/envs/ui"

var _ = add[recordsPage, recordsEdit](ui.Template{
	Name: "records-edit", Summary: "change one cell of a table", Apps: []string{"records"},
	Kind: ui.Edit, Level: 2, MaxTurns: 12,
})

// recordsEdit asks to change the points or the town of a row.
type recordsEdit struct{ Row record }

// Setup implements ui.Job.
func (j *recordsEdit) Setup(s *recordsPage, t *ui.Task) {
	rows := ui.Draw(t.Rand, s.Rows, 4)
	j.Row = rows[0]
	for _, row := range rows {
		t.Offer(row.Points)
	}
	towns := drawOther(t.Rand, cities, []string{j.Row.Town}, 3)
	t.Offer(append(towns, j.Row.Town)...)
	if t.Rand.Intn(2) == 0 {
		j.Row.Town = towns[0]
		t.Say("Change the town of "+j.Row.Name+" to "+towns[0]+".", j.Row.Name+" has moved to "+towns[0]+": put that into the table and save it.")
		return
	}
	j.Row.Points = rows[1].Points
	t.Say("Change the points of "+j.Row.Name+" to "+j.Row.Points+".", j.Row.Name+" now has "+j.Row.Points+" points: put that into the table and save it.")
}

// Want implements ui.Wanter.
func (j *recordsEdit) Want(s *recordsPage) { s.Rows[s.at(j.Row.Name)] = j.Row }

// Solve implements ui.Job.
func (j *recordsEdit) Solve(s *recordsPage, x *ui.Pilot) {
	if s.Open == j.Row.Name {
		switch {
		case s.Draft.Town != j.Row.Town:
			x.Type("town", 0, j.Row.Town)
		case s.Draft.Points != j.Row.Points:
			x.Type("points", 0, j.Row.Points)
		}
		x.Tap("save", 0)
	}
	if s.turnTo(x, j.Row.Name) {
		x.Tap("row", s.at(j.Row.Name))
	}
}
