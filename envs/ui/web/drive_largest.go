package web

import (
	"strconv"

	"marlpit/envs/ui"
)

var _ = add[drivePage, driveLargest](ui.Template{
	Name: "drive-largest", Summary: "say which file of a folder is the largest", Apps: []string{"drive"},
	Kind: ui.Find, Level: 1, MaxTurns: 10, Easy: true,
})

// driveLargest asks for the name and the size of a folder's largest file.
type driveLargest struct{ Folder, Answer string }

// Setup implements ui.Job.
func (j *driveLargest) Setup(s *drivePage, t *ui.Task) {
	j.Folder = ui.Pick(t.Rand, s.Folders)
	best := driveFile{}
	for _, f := range s.Files {
		if f.Folder == j.Folder {
			t.Offer(f.Name+", "+strconv.Itoa(f.Size), f.Name+", "+strconv.Itoa(f.Size+1))
			if f.Size > best.Size {
				best = f
			}
		}
	}
	j.Answer = best.Name + ", " + strconv.Itoa(best.Size)
	t.Answer("name", best.Name)
	t.Answer("kB", strconv.Itoa(best.Size))
	t.Say("Which file in the folder "+j.Folder+" is the largest, and how many kB has it? Answer with name, size.",
		"Look into "+j.Folder+" and answer with the name of the largest file and its size in kB, with a comma between.")
}

// Solve implements ui.Job.
func (j *driveLargest) Solve(s *drivePage, x *ui.Pilot) {
	if x.Answered() == j.Answer {
		x.Complete()
	}
	if s.enter(x, j.Folder) {
		x.Answer(j.Answer)
	}
}
