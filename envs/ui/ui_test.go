package ui_test

import (
	"testing"

	"marlpit/envs"
	"marlpit/envs/ui"
	"marlpit/envs/ui/uitest"
)

// jar is a small simulation: names in a list, added by a dialog.
type jar struct {
	Names []string `ui:"set"`
	Open  bool     `ui:"view"`
	Draft string   `ui:"view"`
}

func (j *jar) App() string { return "jar" }

func (j *jar) View(b *ui.Builder) {
	b.Heading(b.Cat("Jar of ", b.Int(len(j.Names))))
	b.Button("add", 0, "Add")
	b.Scroll("names", 0)
	for i, n := range j.Names {
		b.Item("name", i, n, "")
	}
	b.End()
	if j.Open {
		b.Dialog("New name")
		b.Field("draft", 0, "Name", j.Draft)
		b.Row(2)
		b.Button("cancel", 0, "Cancel")
		b.Button("save", 0, "Save").Disable(j.Draft == "")
	}
}

func (j *jar) Update(e ui.Event) {
	switch {
	case e.Is(ui.Click, "add"):
		j.Open, j.Draft = true, ""
	case e.Is(ui.Click, "cancel"), e.Kind == ui.Back:
		j.Open = false
	case e.Is(ui.Input, "draft"):
		j.Draft = e.Text
	case e.Is(ui.Click, "save"):
		j.Names, j.Open = append(j.Names, j.Draft), false
	case e.Is(ui.Click, "name"):
		j.Names = append(j.Names[:e.Key], j.Names[e.Key+1:]...)
	}
}

// fillJar fills a jar from a seed.
func fillJar(j *jar, r *envs.Rand) {
	*j = jar{Names: j.Names[:0]}
	for range 15 + r.Intn(10) {
		j.Names = append(j.Names, ui.Pick(r, []string{"Ann", "Bob", "Cem", "Dora"}))
	}
}

// addName asks for one name more.
type addName struct{ Name string }

func (a *addName) Setup(_ *jar, t *ui.Task) {
	a.Name = ui.Pick(t.Rand, []string{"Eve", "Finn", "Gil"})
	t.Say("Add " + a.Name + " to the jar.")
	t.Offer(a.Name, "Zoe")
}

func (a *addName) Want(j *jar) { j.Names = append(j.Names, a.Name) }

func (a *addName) Solve(j *jar, p *ui.Pilot) {
	for _, n := range j.Names {
		if n == a.Name {
			p.Complete()
			return
		}
	}
	switch {
	case !j.Open:
		p.Tap("add", 0)
	case j.Draft != a.Name:
		p.Type("draft", 0, a.Name)
	default:
		p.Tap("save", 0)
	}
}

var templates = []ui.Template{
	ui.Define[jar, addName](ui.Template{
		Name: "jar-add", Summary: "add a name", Apps: []string{"jar"}, Kind: ui.Create, Level: 1, MaxTurns: 8,
	}, fillJar),
}

func TestTemplates(t *testing.T) { uitest.Run(t, templates) }

// TestApplyAllocatesNothing plays solutions on a warm device.
func TestApplyAllocatesNothing(t *testing.T) {
	var d, start ui.Device
	start.Start(&templates[0], 3)
	play := func() {
		d.CopyFrom(&start)
		for d.Status() == ui.Playing {
			d.Apply(d.Solution())
		}
		if !d.Success() {
			t.Fatal(d.Result())
		}
	}
	play()
	if n := testing.AllocsPerRun(20, play); n != 0 {
		t.Errorf("an episode allocates %v times", n)
	}
}

func TestDiffNamesWhatNobodyAskedFor(t *testing.T) {
	var d ui.Device
	d.Start(&templates[0], 1)
	d.Apply(ui.Action{Verb: ui.VerbClick, Index: 2})
	d.Apply(ui.Action{Verb: ui.VerbStatus, Complete: true})
	t.Log(d.Result())
	if d.Success() || d.Result() == "done" {
		t.Error("a name taken out went unnoticed")
	}
}
