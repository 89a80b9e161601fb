package ui

// Pilot chooses the next action for a Job's Solve. The first call that finds
// what it wants decides; later ones do nothing. Where none does, it goes back.
type Pilot struct {
	d       *Device
	action  Action
	decided bool
}

func (p *Pilot) decide(a Action) {
	if !p.decided {
		p.action, p.decided = a, true
	}
}

// App is the name of the app or page that is shown.
func (p *Pilot) App() string { return p.d.Sim().App() }

// Answered is what was answered last; "" where nothing was.
func (p *Pilot) Answered() string { return string(p.d.answer) }

// Shows says whether the view has a widget of the name, in sight or scrolled away.
func (p *Pilot) Shows(on string, key int) bool { return p.d.find(on, key) != nil }

// Tap clicks the widget of the name, after scrolling to it where it isn't in sight.
func (p *Pilot) Tap(on string, key int) { p.use(Action{Verb: VerbClick}, on, key) }

// Hold presses it long.
func (p *Pilot) Hold(on string, key int) { p.use(Action{Verb: VerbLongPress}, on, key) }

// Type makes text the content of the field of the name.
func (p *Pilot) Type(on string, key int, text string) {
	p.use(Action{Verb: VerbInput, Text: text}, on, key)
}

// Swipe swipes over the widget of the name, to the left or right.
func (p *Pilot) Swipe(on string, key int, dir Direction) {
	p.use(Action{Verb: VerbScroll, Dir: dir}, on, key)
}

// Enter presses the keyboard's enter.
func (p *Pilot) Enter() { p.decide(Action{Verb: VerbEnter}) }

// Back goes back.
func (p *Pilot) Back() { p.decide(Action{Verb: VerbBack}) }

// Home goes to the home screen.
func (p *Pilot) Home() { p.decide(Action{Verb: VerbHome}) }

// Wait lets a turn pass.
func (p *Pilot) Wait() { p.decide(Action{}) }

// Open opens an app by its name.
func (p *Pilot) Open(app string) { p.decide(Action{Verb: VerbOpen, Text: app}) }

// Answer answers.
func (p *Pilot) Answer(text string) { p.decide(Action{Verb: VerbAnswer, Text: text}) }

// Complete says that the task is done.
func (p *Pilot) Complete() { p.decide(Action{Verb: VerbStatus, Complete: true}) }

// Infeasible says that the task can't be done.
func (p *Pilot) Infeasible() { p.decide(Action{Verb: VerbStatus}) }

// use does a on the widget of the name, or what brings it into sight.
func (p *Pilot) use(a Action, on string, key int) {
	w := p.d.find(on, key)
	if w == nil || p.decided {
		return
	}
	if w.Visible {
		for i := range p.d.elements {
			if p.d.Element(i) == w {
				a.Index = i
				p.decide(a)
			}
		}
		return
	}
	if w.region < 0 || p.d.b.regions[w.region].bottom-p.d.b.regions[w.region].top < heights[w.Role] {
		if p.d.Typing() {
			p.Back() // the keyboard is over it
		}
		return
	}
	r := &p.d.b.regions[w.region]
	dir := Down
	if w.top < r.top {
		dir = Up
	}
	p.decide(Action{Verb: VerbScroll, Index: p.d.firstIn(int(w.region)), Dir: dir})
}

// firstIn is the first element of a part that scrolls, or -1.
func (d *Device) firstIn(region int) int {
	for i := range d.elements {
		if int(d.Element(i).region) == region {
			return i
		}
	}
	return -1
}

// Solution is the action that the task's own solution takes next.
func (d *Device) Solution() Action {
	p := &d.pilot
	*p = Pilot{d: d}
	d.play.solve(p)
	if !p.decided {
		p.Back()
	}
	return p.action
}
