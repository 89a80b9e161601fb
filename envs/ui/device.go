package ui

import (
	"fmt"
	"slices"
	"strings"
	"unsafe"

	"marlpit/envs"
)

const maxScrolls = 4 // parts of a screen that remember how far they are scrolled

// scroll is how far one part of the screen is scrolled.
type scroll struct {
	On     string `json:"on"`
	Offset int    `json:"offset"` // pixels
}

// Options are how a device plays its tasks.
type Options struct {
	Reworded    bool // goals are drawn among their wordings
	Distractors bool // screens show notices that have nothing to do with the task
	MaxTurns    int  // limit of executed actions, 0 for the template's own
}

// Device is a simulation in somebody's hands: the task being played, what is
// on the screen, and the focus of the keyboard. It is not safe for concurrent
// use. The zero value plays nothing until Start.
type Device struct {
	Options
	template *Template
	seed     uint64
	task     Task
	rand     envs.Rand
	play     play
	b        Builder
	elements []int // the builder's widgets that are visible and meaningful
	focusOn  string
	focusKey int
	scrolls  [maxScrolls]scroll
	turns    int
	answer   []byte
	status   Verdict
	judged   bool // won says whether the task was done
	won      bool
	pilot    Pilot // of Solution; here so that it needs no memory of its own
}

// Verdict is how an episode stands.
type Verdict uint8

// The verdicts.
const (
	Playing    Verdict = iota
	Completed          // status(complete) was executed, or the page ended itself
	Impossible         // status(infeasible) was executed
	OutOfTurns         // the limit of turns was reached
)

// String returns "playing", "complete", "infeasible" or "out of turns".
func (v Verdict) String() string {
	return [...]string{"playing", "complete", "infeasible", "out of turns"}[v]
}

// Start sets a task of the template up from a seed and shows it.
func (d *Device) Start(t *Template, seed uint64) {
	d.take(t)
	d.seed = seed
	d.rand.Seed(seed)
	d.task = Task{Rand: &d.rand, reworded: d.Reworded, Texts: d.task.Texts[:0], Wanted: d.task.Wanted[:0]}
	d.play.setup(&d.task)
	d.rand.Shuffle(len(d.task.Texts), func(i, j int) {
		d.task.Texts[i], d.task.Texts[j] = d.task.Texts[j], d.task.Texts[i]
	})
	d.focusOn, d.focusKey, d.scrolls, d.turns = "", 0, [maxScrolls]scroll{}, 0
	d.answer, d.status, d.judged = d.answer[:0], Playing, false
	d.show()
}

// take takes up a template, in the memory of the one before where that fits.
func (d *Device) take(t *Template) {
	if d.template == t {
		return
	}
	var old any
	if d.play != nil {
		old = d.play.memory()
	}
	d.template, d.play = t, t.open(old)
}

// Task is the task being played: read only, until the next Start.
func (d *Device) Task() *Task { return &d.task }

// Template is the template being played.
func (d *Device) Template() *Template { return d.template }

// Sim is the simulation being shown.
func (d *Device) Sim() Sim { return d.play.sim() }

// Turns is the number of actions executed.
func (d *Device) Turns() int { return d.turns }

// MaxTurns is the limit of executed actions.
func (d *Device) MaxTurns() int {
	if d.Options.MaxTurns > 0 {
		return d.Options.MaxTurns
	}
	return d.template.MaxTurns
}

// Status is how the episode stands.
func (d *Device) Status() Verdict { return d.status }

// Title is the heading of the screen.
func (d *Device) Title() string { return d.b.Title }

// Typing says whether the keyboard is up.
func (d *Device) Typing() bool { return d.focusOn != "" }

// Len is the number of elements: visible, meaningful widgets.
func (d *Device) Len() int { return len(d.elements) }

// Element is one of them, in reading order. It is void after the next action.
func (d *Device) Element(i int) *Widget { return &d.b.Widgets[d.elements[i]] }

// Screen is the whole view, for drawing.
func (d *Device) Screen() *Builder { return &d.b }

// Success says whether the task was done: by the state, never by what anybody claims.
func (d *Device) Success() bool {
	if d.status != Completed && d.status != Impossible {
		return false
	}
	if !d.judged {
		d.judged, d.won = true, d.judge()
	}
	return d.won
}

// judge is Success of an episode that was ended: nothing changes after it.
func (d *Device) judge() bool {
	if d.task.Infeasible != (d.status == Impossible) || !d.play.done() {
		return false
	}
	return len(d.task.Wanted) == 0 || len(d.answer) > 0 && d.task.Answered(unsafe.String(&d.answer[0], len(d.answer)))
}

// Result says in words how the episode ended, and what is wrong or missing.
func (d *Device) Result() string {
	switch {
	case d.status == Playing:
		return "still playing"
	case d.Success():
		return "done"
	case d.status == OutOfTurns:
		return fmt.Sprintf("not done in %d turns", d.turns)
	case d.task.Infeasible != (d.status == Impossible):
		return "ended as " + d.status.String() + ", which it isn't"
	}
	if wrong := d.play.check(); wrong != "" {
		return wrong
	}
	if len(d.answer) == 0 {
		return "an answer is wanted, none was given"
	}
	return fmt.Sprintf("the answer %q is wrong", d.answer)
}

// show lays the present state out.
func (d *Device) show() {
	for range 3 { // scrolling may have to be mended, once for the range and once for the focus
		d.view()
		if !d.mendScrolls() {
			break
		}
	}
	d.elements = d.elements[:0]
	for i := range d.b.Widgets {
		if w := &d.b.Widgets[i]; w.Visible && w.meaningful() {
			d.elements = append(d.elements, i)
		}
	}
}

func (d *Device) view() {
	width, height, top := DefaultWidth, DefaultHeight, StatusBar
	if s, ok := d.play.sim().(Sizer); ok {
		width, height = s.Size()
		top = 0
	}
	d.b.begin(width, height, top, d.Typing(), &d.scrolls)
	d.b.due, d.b.seed = d.Distractors, d.seed
	d.play.sim().View(&d.b)
	d.b.finish()
	if !d.Typing() {
		return
	}
	if w := d.find(d.focusOn, d.focusKey); w != nil && w.Has(Editable) && !w.Has(Disabled) {
		w.Flags |= Focused
		return
	}
	d.focusOn, d.focusKey = "", 0
	d.view() // the field is gone, and the keyboard with it
}

// mendScrolls keeps scrolled parts within their content and brings the focused
// field into sight. It reports whether anything changed.
func (d *Device) mendScrolls() bool {
	changed := false
	for i := range d.b.regions {
		r := &d.b.regions[i]
		want := r.offset
		if d.Typing() {
			if w := d.find(d.focusOn, d.focusKey); w != nil && int(w.region) == i && !w.Visible {
				want += w.top - r.top - margin
			}
		}
		want = max(0, min(want, r.content-(r.bottom-r.top)))
		if want != r.offset {
			d.setScroll(r.on, want)
			changed = true
		}
	}
	return changed
}

func (d *Device) setScroll(on string, offset int) {
	for i := range d.scrolls {
		if s := &d.scrolls[i]; s.On == on || s.On == "" {
			*s = scroll{on, offset}
			return
		}
	}
	copy(d.scrolls[:], d.scrolls[1:]) // the one that was scrolled longest ago is forgotten
	d.scrolls[maxScrolls-1] = scroll{on, offset}
}

// find is the widget of a name in the view that no dialog covers, or nil.
func (d *Device) find(on string, key int) *Widget {
	for i := d.b.first; i < len(d.b.Widgets); i++ {
		if w := &d.b.Widgets[i]; w.On == on && w.Key == key {
			return w
		}
	}
	return nil
}

// CopyFrom makes the device an independent copy of another.
func (d *Device) CopyFrom(o *Device) {
	d.take(o.template)
	d.play.copyFrom(o.play)
	d.Options, d.seed, d.rand = o.Options, o.seed, o.rand
	d.task = Task{Goal: o.task.Goal, Texts: append(d.task.Texts[:0], o.task.Texts...),
		Wanted: append(d.task.Wanted[:0], o.task.Wanted...), Infeasible: o.task.Infeasible,
		Rand: &d.rand, reworded: o.task.reworded}
	d.focusOn, d.focusKey, d.scrolls, d.turns, d.status = o.focusOn, o.focusKey, o.scrolls, o.turns, o.status
	d.answer, d.judged = append(d.answer[:0], o.answer...), false
	d.show()
}

// apps are the apps that open_app knows; nil where there are none to open.
func (d *Device) apps() []string {
	if l, ok := d.play.sim().(Launcher); ok {
		return l.Apps()
	}
	return nil
}

// appNamed is the app's own spelling of a name, or "".
func (d *Device) appNamed(name string) string {
	i := slices.IndexFunc(d.apps(), func(a string) bool { return strings.EqualFold(a, name) })
	if i < 0 {
		return ""
	}
	return d.apps()[i]
}
