package ui

import (
	"errors"
	"fmt"
	"strings"

	"marlpit/envs"
)

// ErrAction is wrapped by errors of actions that can't be executed in the
// present state; the message tells the agent what is wrong.
var ErrAction = errors.New("this action can't be executed")

// problem is what is wrong with an action, without words: Legal is on the step path.
type problem uint8

const (
	fine problem = iota
	noIndex
	badIndex
	notClickable
	notLong
	notEditable
	disabled
	noFocus
	noScroll
	noApps
	noApp
)

// Legal says whether the action can be executed in the present state.
func (d *Device) Legal(a Action) bool { return d.problem(a) == fine }

// Explain is nil for a legal action, else an error wrapping ErrAction that says what is wrong.
func (d *Device) Explain(a Action) error {
	p := d.problem(a)
	if p == fine {
		return nil
	}
	say := func(format string, args ...any) error {
		return fmt.Errorf("%w: %s: %s", ErrAction, a.Verb, fmt.Sprintf(format, args...))
	}
	switch p {
	case noIndex:
		return say("an index is needed: the element's, from 0 to %d", d.Len()-1)
	case badIndex:
		return say("there is no element %d: they are numbered from 0 to %d", a.Index, d.Len()-1)
	case noFocus:
		return say("no field has the keyboard: click one or type into it first")
	case noScroll:
		return say("nothing here scrolls %s", a.Dir)
	case noApps:
		return say("there are no apps to open here")
	case noApp:
		return say("no app is named %q: there are %s", a.Text, strings.Join(d.apps(), ", ")+envs.DidYouMean(a.Text, d.apps()))
	}
	w := d.Element(a.Index)
	what := map[problem]string{notClickable: "can't be clicked", notLong: "takes no long press",
		notEditable: "takes no text", disabled: "is disabled"}[p]
	return say("element %d, the %s %q, %s", a.Index, w.Role, w.Name(), what)
}

// Name is what a person would call the widget: its words, else what it is for, else its value.
func (w *Widget) Name() string {
	switch {
	case w.Text != "":
		return w.Text
	case w.Desc != "":
		return w.Desc
	}
	return w.Value
}

func (d *Device) problem(a Action) problem {
	switch a.Verb {
	case VerbClick, VerbLongPress, VerbInput:
		return d.onElement(a)
	case VerbScroll:
		if a.Index >= d.Len() {
			return badIndex
		}
		if d.region(a) < 0 && !d.swipes(a) {
			return noScroll
		}
	case VerbEnter:
		if !d.Typing() {
			return noFocus
		}
	case VerbOpen:
		switch {
		case d.apps() == nil:
			return noApps
		case d.appNamed(a.Text) == "":
			return noApp
		}
	}
	return fine
}

func (d *Device) onElement(a Action) problem {
	if a.Index < 0 {
		return noIndex
	}
	if a.Index >= d.Len() {
		return badIndex
	}
	w := d.Element(a.Index)
	switch {
	case w.Has(Disabled):
		return disabled
	case a.Verb == VerbClick && !w.Has(Clickable):
		return notClickable
	case a.Verb == VerbLongPress && !w.Has(LongPress):
		return notLong
	case a.Verb == VerbInput && !w.Has(Editable):
		return notEditable
	}
	return fine
}

// swipes says whether a scroll is a swipe over a widget, or over a page that takes swipes.
func (d *Device) swipes(a Action) bool {
	if a.Dir != Left && a.Dir != Right {
		return false
	}
	if a.Index >= 0 {
		return d.Element(a.Index).Has(Swipeable) && !d.Element(a.Index).Has(Disabled)
	}
	for i := range d.elements {
		if d.Element(i).Has(Swipeable) {
			return true
		}
	}
	return false
}

// region is the part of the screen that a scroll up or down moves and that can
// still move that way, or -1: that of the element, else the first.
func (d *Device) region(a Action) int {
	if a.Dir == Left || a.Dir == Right {
		return -1
	}
	for i := range d.b.regions {
		if a.Index >= 0 && int(d.Element(a.Index).region) != i || !d.uncovered(i) {
			continue
		}
		r := &d.b.regions[i]
		if a.Dir == Up && r.offset > 0 || a.Dir == Down && r.offset < r.content-(r.bottom-r.top) {
			return i
		}
	}
	return -1
}

// uncovered says whether no dialog covers a part that scrolls.
func (d *Device) uncovered(region int) bool {
	for i := d.b.first; i < len(d.b.Widgets); i++ {
		if int(d.b.Widgets[i].region) == region {
			return true
		}
	}
	return false
}

// Apply executes one action and shows what comes of it. An illegal one is a
// turn in which nothing is done; after the end nothing happens at all.
func (d *Device) Apply(a Action) {
	if d.status != Playing {
		return
	}
	if !d.Legal(a) {
		a = Action{}
	}
	d.turns++
	d.execute(a)
	d.show()
	if e, ok := d.play.sim().(Ender); ok && e.Ended() && d.status == Playing {
		d.status = Completed
	}
	if d.status == Playing && d.turns >= d.MaxTurns() {
		d.status = OutOfTurns
	}
}

func (d *Device) execute(a Action) {
	sim := d.play.sim()
	switch a.Verb {
	case VerbWait:
		sim.Update(Event{Kind: Wait})
	case VerbClick, VerbLongPress, VerbInput:
		w := d.Element(a.Index)
		e := Event{Kind: Click, On: w.On, Key: w.Key}
		editable := w.Has(Editable)
		d.focusOn, d.focusKey = "", 0
		if editable && a.Verb != VerbLongPress {
			d.focusOn, d.focusKey = w.On, w.Key
		}
		switch a.Verb {
		case VerbLongPress:
			e.Kind = Press
		case VerbInput:
			e.Kind, e.Text = Input, a.Text
		}
		sim.Update(e)
	case VerbEnter:
		e := Event{Kind: Enter, On: d.focusOn, Key: d.focusKey}
		d.focusOn, d.focusKey = "", 0
		sim.Update(e)
	case VerbHome:
		d.focusOn, d.focusKey = "", 0
		sim.Update(Event{Kind: Home})
	case VerbBack:
		if d.Typing() {
			d.focusOn, d.focusKey = "", 0 // the keyboard goes first, as on real phones
			return
		}
		sim.Update(Event{Kind: Back})
	case VerbScroll:
		d.scroll(a)
	case VerbOpen:
		d.focusOn, d.focusKey = "", 0
		d.scrolls = [maxScrolls]scroll{}
		sim.Update(Event{Kind: Open, Text: d.appNamed(a.Text)})
	case VerbAnswer:
		d.answer = append(d.answer[:0], a.Text...)
	case VerbStatus:
		d.status = Impossible
		if a.Complete {
			d.status = Completed
		}
	}
}

// scroll moves a part of the screen by three quarters of its height, or swipes.
func (d *Device) scroll(a Action) {
	if i := d.region(a); i >= 0 {
		d.focusOn, d.focusKey = "", 0 // the keyboard goes, else the focused field would come back into sight
		r := &d.b.regions[i]
		by := (r.bottom - r.top) * 3 / 4
		if a.Dir == Up {
			by = -by
		}
		d.setScroll(r.on, max(0, min(r.offset+by, r.content-(r.bottom-r.top))))
		return
	}
	e := Event{Kind: Swipe, Dir: a.Dir}
	if a.Index >= 0 {
		w := d.Element(a.Index)
		e.On, e.Key = w.On, w.Key
	}
	d.play.sim().Update(e)
}
