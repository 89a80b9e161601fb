package ui

import (
	"strconv"
	"unicode/utf8"
	"unsafe"
)

// The screen's measures in pixels.
const (
	DefaultWidth  = 360
	DefaultHeight = 664
	StatusBar     = 24  // height of the strip above a phone's screen, where nothing is laid out
	Caption       = 64  // height of the strip below a screen in pictures, for who watches
	Keyboard      = 220 // height of the keyboard while it is up
	margin        = 8
	charWidth     = 8  // of running text, about
	lineHeight    = 20 // of running text
)

// heights are those of one-line widgets by role.
var heights = [Roles]int{Text: 24, Heading: 44, Button: 44, Field: 52, Checkbox: 40, Switch: 44, Radio: 40,
	Tab: 44, Link: 32, Item: 48, Select: 48, Option: 40, Slider: 48, Image: 56}

// Builder lays the widgets of a view out from top to bottom, in the order of
// the calls. Widgets that are returned may be changed until the next call.
type Builder struct {
	Widgets []Widget // all of the view, in reading order, seen or not
	Width   int      // of the screen
	Height  int      // of the screen
	Title   string   // the last heading of a screen or dialog

	text    []byte // memory of derived strings
	y       int    // where the next widget goes
	bottom  int    // end of the part that can be seen
	columns int    // of the row under way, 0: none
	column  int
	rowTop  int
	rowMax  int // greatest height in the row
	regions []region
	inside  int // region under way, or -1
	scrolls *[maxScrolls]scroll
	dialog  bool
	first   int    // the first widget that isn't covered
	due     bool   // a notice is to be placed
	seed    uint64 // which one
}

// region is a part of the screen that scrolls.
type region struct {
	on          string
	top, bottom int // on the screen
	offset      int // how far it is scrolled
	content     int // height of all that is in it
}

// begin starts a view: the builder's strings and widgets of before are void.
func (b *Builder) begin(width, height, top int, typing bool, scrolls *[maxScrolls]scroll) {
	b.Widgets, b.text, b.regions = b.Widgets[:0], b.text[:0], b.regions[:0]
	b.Width, b.Height, b.bottom = width, height, height
	if typing {
		b.bottom -= Keyboard
	}
	b.Title, b.y, b.columns, b.inside, b.dialog, b.first, b.scrolls = "", top+margin, 0, -1, false, 0, scrolls
}

// finish ends what is under way and hides what a dialog covers.
func (b *Builder) finish() {
	if b.inside >= 0 {
		b.End()
	}
	b.notice()
	for i := range b.Widgets[:b.first] {
		b.Widgets[i].Visible = false
	}
}

// add lays one widget out.
func (b *Builder) add(w Widget) *Widget {
	b.notice()
	x, width := margin, b.Width-2*margin
	if b.columns > 0 {
		width /= b.columns
		x += b.column * width
	}
	h := heights[w.Role]
	lines := 1
	if w.Role == Text || w.Role == Item {
		if per := max(1, width/charWidth); w.Text != "" {
			lines = (utf8.RuneCountInString(w.Text) + per - 1) / per
		}
		h += (lines - 1) * lineHeight
		if w.Role == Item && w.Desc != "" {
			h += lineHeight
		}
	}
	w.top, w.height, w.region = b.y, h, int8(b.inside) //nolint:gosec // a screen has few regions
	top, bottom := 0, b.bottom
	if b.inside >= 0 {
		r := &b.regions[b.inside]
		w.top -= r.offset
		top, bottom = r.top, r.bottom
		w.Flags |= Scrollable
	}
	from, to := max(w.top, top), min(w.top+h, bottom)
	w.Visible = to-from >= h/2 // a strip too thin to read or hit doesn't count
	w.Bounds = Rect{x, from, width, max(0, to-from)}
	if n := len(b.Widgets); n == cap(b.Widgets) { // by so many at a time: there may be thousands of screens
		b.Widgets = append(make([]Widget, 0, n+12), b.Widgets...)
	}
	b.Widgets = append(b.Widgets, w)
	switch {
	case b.columns == 0:
		b.y += h
	case b.column == b.columns-1:
		b.y = b.rowTop + max(b.rowMax, h)
		b.columns = 0
	default:
		b.column++
		b.rowMax = max(b.rowMax, h)
	}
	return &b.Widgets[len(b.Widgets)-1]
}

// Row puts the next n widgets beside each other, in equal columns.
func (b *Builder) Row(n int) {
	b.columns, b.column, b.rowTop, b.rowMax = n, 0, b.y, 0
}

// Scroll starts a part that scrolls, down to the screen's end, or to leave
// pixels above it so that something fits below. End ends it.
func (b *Builder) Scroll(on string, leave int) {
	if b.inside >= 0 {
		panic("ui: Builder.Scroll: inside a part that scrolls already")
	}
	b.notice()
	r := region{on: on, top: b.y, bottom: max(b.y, b.bottom-leave)}
	for i := range b.scrolls {
		if b.scrolls[i].On == on {
			r.offset = b.scrolls[i].Offset
		}
	}
	b.regions = append(b.regions, r)
	b.inside = len(b.regions) - 1
}

// End ends the part that scrolls; what follows stands below it.
func (b *Builder) End() {
	r := &b.regions[b.inside]
	r.content = b.y - r.top
	b.y, b.inside, b.columns = min(r.bottom, b.y), -1, 0
}

// Dialog covers all there is so far with a dialog; what follows stands in it.
func (b *Builder) Dialog(title string) {
	if b.inside >= 0 {
		b.End()
	}
	b.first, b.dialog, b.columns = len(b.Widgets), true, 0
	b.y = b.Height / 5
	b.Heading(title)
}

// Heading adds the title of a screen, a section or a dialog.
func (b *Builder) Heading(text string) *Widget {
	b.Title = text
	return b.add(Widget{Role: Heading, Text: text})
}

// Label adds words.
func (b *Builder) Label(text string) *Widget { return b.add(Widget{Role: Text, Text: text}) }

// Button adds a button.
func (b *Builder) Button(on string, key int, text string) *Widget {
	return b.add(Widget{Role: Button, Flags: Clickable, On: on, Key: key, Text: text})
}

// Icon adds a button that shows a picture; desc says what it is for.
func (b *Builder) Icon(on string, key int, desc string) *Widget {
	return b.add(Widget{Role: Image, Flags: Clickable, On: on, Key: key, Desc: desc})
}

// Field adds a field for text with its label and content.
func (b *Builder) Field(on string, key int, label, value string) *Widget {
	return b.add(Widget{Role: Field, Flags: Clickable | Editable, On: on, Key: key, Desc: label, Value: value})
}

// Check adds a checkbox.
func (b *Builder) Check(on string, key int, text string, checked bool) *Widget {
	return b.add(Widget{Role: Checkbox, Flags: Clickable | Checkable, On: on, Key: key, Text: text}).Set(Checked, checked)
}

// Switch adds a switch.
func (b *Builder) Switch(on string, key int, text string, checked bool) *Widget {
	return b.add(Widget{Role: Switch, Flags: Clickable | Checkable, On: on, Key: key, Text: text}).Set(Checked, checked)
}

// Radio adds one of several choices.
func (b *Builder) Radio(on string, key int, text string, checked bool) *Widget {
	return b.add(Widget{Role: Radio, Flags: Clickable | Checkable, On: on, Key: key, Text: text}).Set(Checked, checked)
}

// Tab adds one of several views, most often in a Row.
func (b *Builder) Tab(on string, key int, text string, selected bool) *Widget {
	return b.add(Widget{Role: Tab, Flags: Clickable, On: on, Key: key, Text: text}).Set(Selected, selected)
}

// Link adds a link.
func (b *Builder) Link(on string, key int, text string) *Widget {
	return b.add(Widget{Role: Link, Flags: Clickable, On: on, Key: key, Text: text})
}

// Item adds an entry of a list, with a second line that may be empty.
func (b *Builder) Item(on string, key int, text, second string) *Widget {
	return b.add(Widget{Role: Item, Flags: Clickable, On: on, Key: key, Text: text, Desc: second})
}

// Select adds a closed list of options that shows its choice.
func (b *Builder) Select(on string, key int, label, value string) *Widget {
	return b.add(Widget{Role: Select, Flags: Clickable, On: on, Key: key, Desc: label, Value: value})
}

// Option adds an option of an open list.
func (b *Builder) Option(on string, key int, text string, selected bool) *Widget {
	return b.add(Widget{Role: Option, Flags: Clickable, On: on, Key: key, Text: text}).Set(Selected, selected)
}

// Slider adds a value that swipes to the left and right move.
func (b *Builder) Slider(on string, key int, label, value string) *Widget {
	return b.add(Widget{Role: Slider, Flags: Swipeable, On: on, Key: key, Desc: label, Value: value})
}

// Picture adds a picture that isn't a button; desc says what it shows.
func (b *Builder) Picture(desc string) *Widget { return b.add(Widget{Role: Image, Desc: desc}) }

// Cat joins strings in the builder's memory: what it returns is void at the next view.
func (b *Builder) Cat(parts ...string) string {
	at := len(b.text)
	for _, p := range parts {
		b.text = append(b.text, p...)
	}
	return b.since(at)
}

// Int is a whole number in words of the builder's memory, as Cat's.
func (b *Builder) Int(n int) string {
	at := len(b.text)
	b.text = strconv.AppendInt(b.text, int64(n), 10)
	return b.since(at)
}

// Cents is a number of hundredths: 1250 is "12.50".
func (b *Builder) Cents(n int) string {
	at := len(b.text)
	b.text = AppendCents(b.text, n)
	return b.since(at)
}

// Clock is a time of day, in minutes since midnight: 450 is "07:30".
func (b *Builder) Clock(minutes int) string {
	at := len(b.text)
	b.text = AppendClock(b.text, minutes)
	return b.since(at)
}

// Date is a day of the simulated year: "Tue 3 Mar".
func (b *Builder) Date(day int) string {
	at := len(b.text)
	b.text = AppendDate(b.text, day)
	return b.since(at)
}

// since is the text written from at on. The bytes are not written again before
// begin, and where the memory grows the old one stays as it is.
func (b *Builder) since(at int) string {
	if at == len(b.text) {
		return ""
	}
	return unsafe.String(&b.text[at], len(b.text)-at)
}

// Covered is the number of widgets that a dialog covers: the first ones.
func (b *Builder) Covered() int { return b.first }

// Bar is a part of the screen that scrolls: where it is, and which part of its
// content is shown.
type Bar struct {
	Rect
	Offset, Content int // in pixels
}

// Bars are the parts of the screen with more content than room.
func (b *Builder) Bars() []Bar {
	var out []Bar
	for _, r := range b.regions {
		if room := r.bottom - r.top; room > 0 && r.content > room {
			out = append(out, Bar{Rect{0, r.top, b.Width, room}, r.offset, r.content})
		}
	}
	return out
}
