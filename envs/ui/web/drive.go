package web

import (
	"slices"

	"marlpit/envs"
	"marlpit/envs/ui"
)

// drivePage is a file manager. Saving a name, moving and deleting end the episode.
type drivePage struct {
	Base
	Folders []string
	Files   []driveFile `ui:"set"`
	In      int         `ui:"view"` // the folder that is shown from 1, 0 for the list of folders
	Open    int         `ui:"view"` // the file that is shown from 1, 0 for none
	Ask     driveAsk    `ui:"view"`
	Draft   string      `ui:"view"` // the new name
}

// driveAsk is what the page asks about the open file.
type driveAsk int

const (
	askNothing driveAsk = iota
	askName
	askFolder
)

// driveFile is a file.
type driveFile struct {
	Name   string
	Folder string
	Size   int  // in kB
	Picked bool `ui:"view"` // to be deleted
}

func (s *drivePage) fill(r *envs.Rand) {
	*s = drivePage{Folders: ui.Draw(r, topics, 4)}
	sizes := twoDigits(r, 16)
	for i, w := range ui.Draw(r, plain, 16) {
		end := ui.Pick(r, []string{".txt", ".png", ".pdf"})
		s.Files = append(s.Files, driveFile{Name: w + end, Folder: s.Folders[i%4], Size: sizes[i]})
	}
}

// App implements ui.Sim.
func (s *drivePage) App() string { return "drive" }

// View implements ui.Sim.
func (s *drivePage) View(b *ui.Builder) {
	switch {
	case within(s.Open-1, len(s.Files)):
		s.viewFile(b, &s.Files[s.Open-1])
	case within(s.In-1, len(s.Folders)):
		b.Heading(s.Folders[s.In-1])
		b.Row(2)
		b.Link("folders", 0, "All folders")
		b.Button("delete", 0, "Delete checked")
		for i := range s.Files {
			if f := &s.Files[i]; f.Folder == s.Folders[s.In-1] {
				b.Row(2)
				b.Link("file", i, f.Name).Describe(b.Cat(b.Int(f.Size), " kB"))
				b.Check("picked", i, "", f.Picked).Describe(f.Name)
			}
		}
	default:
		b.Heading("My files")
		for i, f := range s.Folders {
			b.Item("folder", i, f, "folder")
		}
	}
}

func (s *drivePage) viewFile(b *ui.Builder, f *driveFile) {
	b.Heading(f.Name)
	b.Label(b.Cat(b.Int(f.Size), " kB, in ", f.Folder))
	b.Row(2)
	b.Button("rename", 0, "Rename")
	b.Button("move", 0, "Move")
	b.Link("back", 0, "Back to the folder")
	switch s.Ask {
	case askName:
		b.Dialog("New name")
		b.Field("name", 0, "Name", s.Draft)
		b.Button("save", 0, "Save").Disable(s.Draft == "")
	case askFolder:
		b.Dialog("Move to")
		for i, to := range s.Folders {
			b.Option("to", i, to, to == f.Folder)
		}
	}
}

// Update implements ui.Sim.
func (s *drivePage) Update(e ui.Event) {
	switch {
	case within(s.Open-1, len(s.Files)):
		s.updateFile(e, &s.Files[s.Open-1])
	case !within(s.In-1, len(s.Folders)):
		if s.In, s.Open = 0, 0; e.Is(ui.Click, "folder") {
			s.In = e.Key + 1
		}
	case e.Kind == ui.Back, e.Is(ui.Click, "folders"):
		s.In = 0
	case e.Is(ui.Click, "file"):
		s.Open, s.Ask = e.Key+1, askNothing
	case e.Is(ui.Click, "picked") && within(e.Key, len(s.Files)):
		s.Files[e.Key].Picked = !s.Files[e.Key].Picked
	case e.Is(ui.Click, "delete"):
		s.Files = slices.DeleteFunc(s.Files, func(f driveFile) bool { return f.Picked })
		s.Done = true
	}
}

func (s *drivePage) updateFile(e ui.Event, f *driveFile) {
	switch {
	case e.Kind == ui.Back && s.Ask != askNothing:
		s.Ask = askNothing
	case e.Kind == ui.Back, e.Is(ui.Click, "back"):
		s.Open = 0
	case e.Is(ui.Click, "rename"):
		s.Ask, s.Draft = askName, f.Name
	case e.Is(ui.Click, "move"):
		s.Ask = askFolder
	case e.Is(ui.Input, "name"):
		s.Draft = e.Text
	case e.Is(ui.Click, "save") && s.Draft != "":
		f.Name, s.Open, s.Done = s.Draft, 0, true
	case e.Is(ui.Click, "to") && within(e.Key, len(s.Folders)):
		f.Folder, s.Open, s.Done = s.Folders[e.Key], 0, true
	}
}

// at is the place of a file by its name and folder, or -1.
func (s *drivePage) at(name, folder string) int {
	return slices.IndexFunc(s.Files, func(f driveFile) bool { return f.Name == name && f.Folder == folder })
}

// enter gets to the list of a folder, and says whether it is shown.
func (s *drivePage) enter(x *ui.Pilot, folder string) bool {
	in := slices.Index(s.Folders, folder)
	switch {
	case s.Open != 0 && s.Ask != askNothing:
		x.Back()
	case s.Open != 0:
		x.Tap("back", 0)
	case s.In == 0:
		x.Tap("folder", in)
	case s.In != in+1:
		x.Tap("folders", 0)
	}
	return s.Open == 0 && in >= 0 && s.In == in+1
}

// openFile gets to a file, and says whether it is shown.
func (s *drivePage) openFile(x *ui.Pilot, name, folder string) bool {
	at := s.at(name, folder)
	if at < 0 || s.Open != at+1 {
		if s.enter(x, folder) {
			x.Tap("file", at)
		}
	}
	return at >= 0 && s.Open == at+1
}
