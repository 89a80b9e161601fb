package web

import "marlpit/envs/ui"

var _ = add[drivePage, driveMove](ui.Template{
	Name: "drive-move", Summary: "find a file and move it to another folder", Apps: []string{"drive"},
	Kind: ui.Edit, Level: 2, MaxTurns: 20, Easy: true, HeldOut: true,
})

// driveMove asks to move a file of which only the name is told.
type driveMove struct{ Name, From, To string }

// Setup implements ui.Job.
func (j *driveMove) Setup(s *drivePage, t *ui.Task) {
	f := ui.Pick(t.Rand, s.Files)
	j.Name, j.From = f.Name, f.Folder
	j.To = drawOther(t.Rand, s.Folders, []string{f.Folder}, 1)[0]
	t.Say("Move "+j.Name+" to the folder "+j.To+". It is in one of the other folders.", "Somewhere there is a file "+j.Name+". It belongs into "+j.To+": find it and move it.")
}

// Want implements ui.Wanter.
func (j *driveMove) Want(s *drivePage) { s.Files[s.at(j.Name, j.From)].Folder = j.To }

// Solve implements ui.Job.
func (j *driveMove) Solve(s *drivePage, x *ui.Pilot) {
	switch {
	case !s.openFile(x, j.Name, j.From):
	case s.Ask == askName:
		x.Back()
	case s.Ask == askNothing:
		x.Tap("move", 0)
	}
	for i, f := range s.Folders {
		if f == j.To {
			x.Tap("to", i)
		}
	}
}
