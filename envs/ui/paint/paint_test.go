package paint_test

import (
	"image"
	"image/color"
	"testing"

	"marlpit/envs"
	"marlpit/envs/ui"
	"marlpit/envs/ui/paint"
)

// form is a screen with one widget of each kind.
type form struct {
	Name  string
	On    bool
	Asked bool
}

func (f *form) App() string { return "form" }

func (f *form) View(b *ui.Builder) {
	b.Heading("Form")
	b.Field("name", 0, "Name", f.Name)
	b.Field("code", 0, "Code", "1234").Set(ui.Secret, true)
	b.Check("on", 0, "On", f.On)
	b.Switch("on", 1, "Switch", f.On)
	b.Radio("on", 2, "Radio", f.On)
	b.Row(2)
	b.Tab("tab", 0, "One", true)
	b.Tab("tab", 1, "Two", false)
	b.Link("link", 0, "A link")
	b.Select("select", 0, "Colour", "red")
	b.Slider("slider", 0, "Loud", "30")
	b.Picture("a hill")
	b.Scroll("list", 0)
	for i := range 20 {
		b.Item("item", i, "An entry", "its second line")
		b.Option("option", i, "An option", i == 0)
	}
	b.Icon("icon", 0, "an icon")
	b.End()
	if f.Asked {
		b.Dialog("Sure?")
		b.Button("yes", 0, "Yes")
	}
}

func (f *form) Update(e ui.Event) {
	f.Asked = e.Is(ui.Click, "link")
	f.On = f.On != e.Is(ui.Click, "on")
	if e.Is(ui.Input, "name") {
		f.Name = e.Text
	}
}

type fill struct{}

func (*fill) Setup(_ *form, t *ui.Task) { t.Say("Look.") }
func (*fill) Solve(*form, *ui.Pilot)    {}

var template = ui.Define[form, fill](ui.Template{Name: "form", MaxTurns: 99}, func(f *form, _ *envs.Rand) { *f = form{} })

func shot(d *ui.Device) *image.RGBA {
	m := image.NewRGBA(image.Rect(0, 0, ui.DefaultWidth, ui.DefaultHeight+ui.Caption))
	paint.Screen(m, d, []string{"A goal that is long enough to need more than the one line that the strip has for it", "turn 1"})
	return m
}

// differ counts the pixels that differ within a rectangle.
func differ(a, b *image.RGBA, r image.Rectangle) (n int) {
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			if a.RGBAAt(x, y) != b.RGBAAt(x, y) {
				n++
			}
		}
	}
	return n
}

func find(t *testing.T, d *ui.Device, on string, key int) int {
	for i := range d.Len() {
		if w := d.Element(i); w.On == on && w.Key == key {
			return i
		}
	}
	t.Fatalf("no element %s %d", on, key)
	return 0
}

// TestWhatIsDoneIsSeen tests that each change of the screen changes its place in the picture.
func TestWhatIsDoneIsSeen(t *testing.T) {
	var d ui.Device
	d.Start(&template, 0)
	before := shot(&d)
	for _, x := range []struct {
		on     string
		key    int
		a      ui.Action
		whole  bool // more than the widget changes
		atMost int
	}{
		{"on", 0, ui.Action{Verb: ui.VerbClick}, false, 3000},
		{"name", 0, ui.Action{Verb: ui.VerbInput, Text: "Ada"}, true, 0},
		{"link", 0, ui.Action{Verb: ui.VerbClick}, true, 0},
	} {
		d.Start(&template, 0)
		i := find(t, &d, x.on, x.key)
		b := d.Element(i).Bounds
		x.a.Index = i
		d.Apply(x.a)
		after := shot(&d)
		if n := differ(before, after, image.Rect(b.X, b.Y, b.X+b.W, b.Y+b.H)); n < 20 {
			t.Errorf("%s: %d pixels of it changed", x.on, n)
		}
		if n := differ(before, after, before.Bounds()); !x.whole && n > x.atMost {
			t.Errorf("%s: %d pixels changed", x.on, n)
		}
	}
}

// TestDialogsDimAndKeyboardsCover tests colours at chosen places.
func TestDialogsDimAndKeyboardsCover(t *testing.T) {
	var d ui.Device
	d.Start(&template, 0)
	plain := shot(&d)
	foot := image.Pt(1, ui.DefaultHeight-2)
	d.Apply(ui.Action{Verb: ui.VerbClick, Index: find(t, &d, "name", 0)})
	if typing := shot(&d); typing.RGBAAt(foot.X, foot.Y) == plain.RGBAAt(foot.X, foot.Y) {
		t.Error("no keyboard at the foot of the screen")
	}
	d.Start(&template, 0)
	d.Apply(ui.Action{Verb: ui.VerbClick, Index: find(t, &d, "link", 0)})
	asked := shot(&d)
	was, is := plain.RGBAAt(foot.X, foot.Y), asked.RGBAAt(foot.X, foot.Y)
	if is.R >= was.R || is.G >= was.G {
		t.Errorf("behind the dialog %v was %v: it isn't darker", is, was)
	}
	if got := asked.RGBAAt(ui.DefaultWidth/2, ui.DefaultHeight/5); got != (color.RGBA{0xff, 0xff, 0xff, 0xff}) {
		t.Errorf("the dialog's card is %v", got)
	}
}

// TestLettersAreSmooth tests that text has grey edges.
func TestLettersAreSmooth(t *testing.T) {
	var d ui.Device
	d.Start(&template, 0)
	m := shot(&d)
	b := d.Element(find(t, &d, "link", 0)).Bounds
	colours := map[color.RGBA]bool{}
	for y := b.Y; y < b.Y+b.H; y++ {
		for x := b.X; x < b.X+60; x++ {
			colours[m.RGBAAt(x, y)] = true
		}
	}
	if len(colours) < 10 {
		t.Errorf("%d colours in a word", len(colours))
	}
}
