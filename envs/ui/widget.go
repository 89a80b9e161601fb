package ui

// Role is what a widget is to a person.
type Role uint8

// The roles of widgets.
const (
	Text     Role = iota // a line or more of words
	Heading              // the title of a screen, section or dialog
	Button               // does something when clicked
	Field                // takes text
	Checkbox             // on or off
	Switch               // on or off, at once
	Radio                // one of several
	Tab                  // one of several views
	Link                 // leads elsewhere
	Item                 // an entry of a list
	Select               // shows one of several options; opens when clicked
	Option               // one of them
	Slider               // a value moved by swipes to the left and right
	Image                // a picture or an icon
	Roles    = int(Image) + 1
)

// String returns the role's name in observations: "text", "button" ….
func (r Role) String() string {
	return [...]string{"text", "heading", "button", "field", "checkbox", "switch", "radio", "tab",
		"link", "item", "select", "option", "slider", "image"}[r]
}

// Flag is a set of attributes of a widget.
type Flag uint16

// The attributes of widgets.
const (
	Clickable  Flag = 1 << iota // a click does something
	LongPress                   // so does a long press
	Editable                    // takes text
	Checkable                   // is on or off
	Checked                     // is on
	Disabled                    // is shown, and does nothing
	Selected                    // is the chosen one of several
	Focused                     // takes what the keyboard types
	Scrollable                  // stands in a part of the screen that scrolls
	Swipeable                   // takes swipes to the left and right
	Secret                      // shows dots in place of its value
)

// Rect is a rectangle in pixels of the screen; X and Y are its upper left corner.
type Rect struct{ X, Y, W, H int }

// Widget is one element of a view. Strings may live in the builder's memory
// until its next Begin: clone what is kept.
type Widget struct {
	Role    Role
	Visible bool // on the screen: not scrolled away, not covered
	region  int8 // the scroll region it stands in, or -1
	Flags   Flag
	On      string // what Update knows it by; "" for what takes no events
	Key     int    // which of several of that name
	Text    string // the words on it
	Desc    string // what it is for, where that isn't on it; the label of a field
	Value   string // the content of a field, the choice of a select, the position of a slider
	Bounds  Rect   // the part of it that can be seen
	top     int    // its upper edge, whether seen or not
	height  int    // of all of it, whether seen or not
}

// Whole is the widget's place with the part of it that can't be seen.
func (w *Widget) Whole() Rect { return Rect{w.Bounds.X, w.top, w.Bounds.W, w.height} }

// Has says whether all the given attributes are set.
func (w *Widget) Has(f Flag) bool { return w.Flags&f == f }

// Set sets or clears attributes and returns the widget.
func (w *Widget) Set(f Flag, on bool) *Widget {
	if on {
		w.Flags |= f
	} else {
		w.Flags &^= f
	}
	return w
}

// Disable shows the widget without function where off is true.
func (w *Widget) Disable(off bool) *Widget { return w.Set(Disabled, off) }

// Long lets the widget take long presses.
func (w *Widget) Long() *Widget { return w.Set(LongPress, true) }

// Select marks the chosen one of several.
func (w *Widget) Select(on bool) *Widget { return w.Set(Selected, on) }

// Describe sets what the widget is for, in words that aren't on it.
func (w *Widget) Describe(desc string) *Widget { w.Desc = desc; return w }

// meaningful says whether the widget belongs in the list of elements.
func (w *Widget) meaningful() bool {
	return w.Text != "" || w.Desc != "" || w.Value != "" || w.On != ""
}
