package phone

import (
	"slices"

	"marlpit/envs"
	"marlpit/envs/ui"
)

// Phone is the whole state of a simulated phone.
type Phone struct {
	Shown string `ui:"view"` // the app on the screen; "" for the home screen
	Today int    // the day of the year, as ui.Date's
	Now   int    // minutes since midnight; time stands still

	Contacts Contacts
	Messages Messages
	Clock    Clock
	Calendar Calendar
	Notes    Notes
	Tasks    Tasks
	Expenses Expenses
	Files    Files
	Settings Settings
	Mail     Mail
	Music    Music
}

// app is one app of a phone. Its state is a field of Phone; methods get the
// phone too, for what leads from one app to another.
type app interface {
	fill(p *Phone, r *envs.Rand)           // a seeded content; apps named before have theirs
	open()                                 // back to the first screen, as when its icon is clicked
	view(p *Phone, b *ui.Builder)          // as ui.Sim's View
	update(p *Phone, e ui.Event) (ok bool) // as ui.Sim's Update; false for a Back that leads out of the app
}

// mender is an app that knows how to bring its data to what a task wants.
type mender interface {
	// toward decides the next action on the way from p's data of this app to
	// want's. It returns false, and decides nothing, where they are the same.
	toward(p, want *Phone, x *ui.Pilot) bool
}

// mend is the next action towards the data that the task wants: undoing what
// nobody asked for, doing what is missing. It returns false where nothing is left to do.
func mend(p *Phone, x *ui.Pilot) bool {
	want := ui.Target[Phone](x)
	for _, n := range names {
		if m, ok := p.app(n).(mender); ok && m.toward(p, want, x) {
			return true
		}
	}
	return false
}

// finish is the Solve of tasks whose way the data tell: it mends, then completes.
func finish(p *Phone, x *ui.Pilot) {
	if !mend(p, x) {
		x.Complete()
	}
}

// names are the apps of a phone, in the order of the home screen.
var names = []string{"contacts", "messages", "clock", "calendar", "notes", "tasks", "expenses", "files", "settings", "mail", "music"}

// app is the app of a name, nil for none.
func (p *Phone) app(name string) app {
	switch name {
	case "contacts":
		return &p.Contacts
	case "messages":
		return &p.Messages
	case "clock":
		return &p.Clock
	case "calendar":
		return &p.Calendar
	case "notes":
		return &p.Notes
	case "tasks":
		return &p.Tasks
	case "expenses":
		return &p.Expenses
	case "files":
		return &p.Files
	case "settings":
		return &p.Settings
	case "mail":
		return &p.Mail
	case "music":
		return &p.Music
	}
	return nil
}

// fill gives every app a seeded content and shows the home screen.
func (p *Phone) fill(r *envs.Rand) {
	p.Shown, p.Today, p.Now = "", 40+r.Intn(280), 8*60+5*r.Intn(12*10)
	for _, n := range names {
		p.app(n).fill(p, r)
	}
}

// App implements ui.Sim.
func (p *Phone) App() string {
	if p.Shown == "" {
		return "home"
	}
	return p.Shown
}

// Apps implements ui.Launcher.
func (p *Phone) Apps() []string { return names }

// show opens an app at its first screen.
func (p *Phone) show(name string) {
	p.Shown = name
	p.app(name).open()
}

// View implements ui.Sim.
func (p *Phone) View(b *ui.Builder) {
	if a := p.app(p.Shown); a != nil {
		a.view(p, b)
		return
	}
	b.Heading("Home")
	b.Label(b.Cat(b.Date(p.Today), ", ", b.Clock(p.Now))).Describe("now")
	for i, n := range names {
		if i%3 == 0 {
			b.Row(3)
		}
		b.Icon("app", i, n)
	}
}

// Update implements ui.Sim.
func (p *Phone) Update(e ui.Event) {
	a := p.app(p.Shown)
	switch {
	case e.Kind == ui.Home:
		p.Shown = ""
	case e.Kind == ui.Open:
		if slices.Contains(names, e.Text) {
			p.show(e.Text)
		}
	case a != nil:
		if !a.update(p, e) {
			p.Shown = ""
		}
	case e.Is(ui.Click, "app") && e.Key >= 0 && e.Key < len(names):
		p.show(names[e.Key])
	}
}

// templates are all task templates; each file of a task adds its own.
var templates []ui.Template

// add adds a template whose job is J. A task is one file that calls it:
//
//	var _ = add[addContact](ui.Template{Name: "contacts-add", …})
func add[J any, PJ interface {
	*J
	ui.Job[Phone]
}](t ui.Template) struct{} {
	templates = append(templates, ui.Define[Phone, J, *Phone, PJ](t, (*Phone).fill))
	return struct{}{}
}
