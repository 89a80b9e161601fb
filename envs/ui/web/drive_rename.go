package web

import (
	"strings"

	"marlpit/envs/ui"
)

var _ = add[drivePage, driveRename](ui.Template{
	Name: "drive-rename", Summary: "give a file another name", Apps: []string{"drive"},
	Kind: ui.Edit, Level: 2, MaxTurns: 12,
})

// driveRename asks for a new name for one file.
type driveRename struct{ From, Folder, To string }

// Setup implements ui.Job.
func (j *driveRename) Setup(s *drivePage, t *ui.Task) {
	files := ui.Draw(t.Rand, s.Files, 3)
	words := drawOther(t.Rand, animals, nil, 2)
	j.From, j.Folder = files[0].Name, files[0].Folder
	end := j.From[len(j.From)-4:]
	j.To = strings.ToLower(words[0]) + end
	t.Offer(j.To, strings.ToLower(words[1])+end, files[0].Name, files[1].Name, files[2].Name)
	t.Say("Rename the file "+j.From+" in the folder "+j.Folder+" to "+j.To+".", "Give "+j.From+" from "+j.Folder+" the new name "+j.To+".")
}

// Want implements ui.Wanter.
func (j *driveRename) Want(s *drivePage) { s.Files[s.at(j.From, j.Folder)].Name = j.To }

// Solve implements ui.Job.
func (j *driveRename) Solve(s *drivePage, x *ui.Pilot) {
	switch {
	case !s.openFile(x, j.From, j.Folder):
	case s.Ask == askFolder:
		x.Back()
	case s.Ask == askNothing:
		x.Tap("rename", 0)
	case s.Draft != j.To:
		x.Type("name", 0, j.To)
	default:
		x.Tap("save", 0)
	}
}
