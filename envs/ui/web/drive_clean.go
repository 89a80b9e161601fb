package web

import (
	"slices"
	"strings"

	"marlpit/envs/ui"
)

var _ = add[drivePage, driveClean](ui.Template{
	Name: "drive-clean", Summary: "delete all files of a kind from a folder", Apps: []string{"drive"},
	Kind: ui.Delete, Level: 2, MaxTurns: 12, Easy: true,
})

// driveClean asks to delete the files of one folder whose names end alike.
type driveClean struct{ Folder, End string }

// Setup implements ui.Job.
func (j *driveClean) Setup(s *drivePage, t *ui.Task) {
	f := ui.Pick(t.Rand, s.Files)
	j.Folder, j.End = f.Folder, f.Name[len(f.Name)-4:]
	t.Say("Delete all files whose names end with "+j.End+" from the folder "+j.Folder+", and no others.",
		"In "+j.Folder+", check each "+j.End+" file and delete the checked ones.")
}

// meant says whether a file is to go.
func (j *driveClean) meant(f *driveFile) bool {
	return f.Folder == j.Folder && strings.HasSuffix(f.Name, j.End)
}

// Want implements ui.Wanter.
func (j *driveClean) Want(s *drivePage) {
	s.Files = slices.DeleteFunc(s.Files, func(f driveFile) bool { return j.meant(&f) })
}

// Solve implements ui.Job.
func (j *driveClean) Solve(s *drivePage, x *ui.Pilot) {
	for i := range s.Files { // those of other folders first
		if f := &s.Files[i]; f.Picked && !j.meant(f) && s.enter(x, f.Folder) {
			x.Tap("picked", i)
		}
	}
	if !s.enter(x, j.Folder) {
		return
	}
	for i := range s.Files {
		if f := &s.Files[i]; !f.Picked && j.meant(f) {
			x.Tap("picked", i)
		}
	}
	x.Tap("delete", 0)
}
