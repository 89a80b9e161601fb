package ui

// EventKind is what happened to a simulation.
type EventKind uint8

// The kinds of events.
const (
	Click EventKind = iota // on the widget On, Key
	Press                  // a long press on it
	Input                  // its text is now Text
	Enter                  // the keyboard's enter, in the field On, Key
	Swipe                  // Dir over the widget On, Key; over no widget where On is ""
	Back                   // the navigation's back; the keyboard was down
	Home                   // the navigation's home
	Open                   // the app Text was asked for
	Wait                   // a turn in which nothing was done
)

// Event is one thing that happens to a simulation.
type Event struct {
	Kind EventKind
	On   string    // Widget.On
	Key  int       // Widget.Key
	Text string    // of Input and Open
	Dir  Direction // of Swipe
}

// Is says whether the event is of the kind, on a widget of the name.
func (e Event) Is(kind EventKind, on string) bool { return e.Kind == kind && e.On == on }

// Direction is where content is asked to move: down shows what is further down.
type Direction uint8

// The directions.
const (
	Up Direction = iota
	Down
	Left
	Right
)

// String returns "up", "down", "left" or "right".
func (d Direction) String() string { return [...]string{"up", "down", "left", "right"}[d] }

// Sim is a simulation: its fields are its whole state. Both methods work on
// any state that JSON can give it, and allocate nothing once warm.
//
// Fields are exported and of type string, bool, an integer or a float, of
// structs, arrays and slices of these. Tags tell Equal what is compared:
// `ui:"view"` for what only concerns the display (the open screen, drafts),
// `ui:"id"` for numbers that only name a record, `ui:"set"` for lists whose
// order says nothing.
type Sim interface {
	// View lists the widgets that show the state, in reading order. It changes nothing.
	View(b *Builder)

	// Update changes the state by one event; one that concerns nothing is ignored.
	Update(e Event)

	// App is the name of the app or page that is shown.
	App() string
}

// Launcher is a Sim with apps to open by name.
type Launcher interface {
	Apps() []string // constant, read only
}

// Ender is a Sim that ends the episode itself, as pages with a submit button do.
type Ender interface {
	Ended() bool
}

// Sizer is a Sim with a screen that isn't DefaultWidth × DefaultHeight.
type Sizer interface {
	Size() (width, height int)
}
