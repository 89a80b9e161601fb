package ui

// Verb is what an action does: the set of actions is AndroidWorld's (Rawles
// and others 2024), as papers on agents for user interfaces use it.
type Verb uint8

// The verbs.
const (
	VerbWait Verb = iota
	VerbClick
	VerbLongPress
	VerbInput
	VerbEnter
	VerbHome
	VerbBack
	VerbScroll
	VerbOpen
	VerbAnswer
	VerbStatus
	Verbs = int(VerbStatus) + 1
)

// String returns the verb's action_type: "wait", "click", "long_press" ….
func (v Verb) String() string {
	return [...]string{"wait", "click", "long_press", "input_text", "keyboard_enter", "navigate_home",
		"navigate_back", "scroll", "open_app", "answer", "status"}[v]
}

// Action is one action. The zero value waits.
type Action struct {
	Verb     Verb
	Index    int       // element of a click, long press, input or scroll; -1: none
	Dir      Direction // of a scroll
	Text     string    // typed or answered, or the name of an app
	Complete bool      // of a status: true for complete, false for infeasible
}

// element is the index of the element an action is about, or -1.
func (a Action) element() int {
	switch a.Verb {
	case VerbClick, VerbLongPress, VerbInput, VerbScroll:
		return a.Index
	}
	return -1
}

// AppendJSON appends the action as a JSON object.
func (a Action) AppendJSON(dst []byte) []byte {
	dst = append(dst, `{"action_type":"`...)
	dst = append(dst, a.Verb.String()...)
	dst = append(dst, '"')
	if i := a.element(); i >= 0 {
		dst = appendInt(dst, `,"index":`, i)
	}
	switch a.Verb {
	case VerbInput, VerbAnswer:
		dst = append(dst, `,"text":`...)
		dst = appendString(dst, a.Text)
	case VerbScroll:
		dst = append(dst, `,"direction":"`...)
		dst = append(dst, a.Dir.String()...)
		dst = append(dst, '"')
	case VerbOpen:
		dst = append(dst, `,"app_name":`...)
		dst = appendString(dst, a.Text)
	case VerbStatus:
		dst = append(dst, `,"goal_status":"`...)
		dst = append(dst, statusWord(a.Complete)...)
		dst = append(dst, '"')
	}
	return append(dst, '}')
}

func statusWord(complete bool) string {
	if complete {
		return "complete"
	}
	return "infeasible"
}
