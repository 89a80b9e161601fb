package ui

// history is what was executed, oldest first. Names and texts are copied into
// memory of its own, since those of elements pass with their screen.
type history struct {
	text  []byte
	steps []step
}

// step is one executed action.
type step struct {
	verb     Verb
	dir      Direction
	complete bool
	name     span // what the element was called
	typed    span // Action.Text
}

// span is a part of history's text.
type span struct{ at, end int32 }

func (h *history) reset() { h.text, h.steps = h.text[:0], h.steps[:0] }

// add adds an action that is about to be executed.
func (h *history) add(d *Device, a Action) {
	h.append(step{verb: a.Verb, dir: a.Dir, complete: a.Complete}, d.nameOf(a), a.Text)
}

func (h *history) append(s step, name, typed string) {
	s.name, s.typed = h.keep(name), h.keep(typed)
	h.steps = append(h.steps, s)
}

func (h *history) keep(s string) span {
	at := int32(len(h.text)) //nolint:gosec // far from full
	h.text = append(h.text, s...)
	return span{at, int32(len(h.text))} //nolint:gosec // far from full
}

func (h *history) of(s span) []byte { return h.text[s.at:s.end] }

func (h *history) copyFrom(o *history) {
	h.text, h.steps = append(h.text[:0], o.text...), append(h.steps[:0], o.steps...)
}

// words appends step i in words.
func (h *history) words(dst []byte, i int) []byte {
	s := &h.steps[i]
	return appendWords(dst, s, h.of(s.name), h.of(s.typed))
}

// nameOf is what the element of an action is called; "" where it has none.
func (d *Device) nameOf(a Action) string {
	if i := a.element(); i >= 0 && i < d.Len() {
		return d.Element(i).Name()
	}
	return ""
}

// appendAction appends an action of the present state in words.
func (d *Device) appendAction(dst []byte, a Action) []byte {
	return appendWords(dst, &step{verb: a.Verb, dir: a.Dir, complete: a.Complete}, d.nameOf(a), a.Text)
}

// appendWords appends an action in words: click "Add contact".
func appendWords[S string | []byte](dst []byte, s *step, name, typed S) []byte {
	dst = append(dst, [...]string{"wait", "click", "long press", "type", "press enter", "go home", "go back", "scroll",
		"open", "answer", "status"}[s.verb]...)
	switch s.verb {
	case VerbClick, VerbLongPress:
		dst = quoted(dst, name)
	case VerbInput:
		dst = quoted(dst, typed)
		dst = quoted(append(dst, " into"...), name)
	case VerbScroll:
		if len(name) > 0 {
			dst = quoted(dst, name)
		}
		dst = append(append(dst, ' '), s.dir.String()...)
	case VerbOpen:
		dst = append(append(dst, ' '), typed...)
	case VerbAnswer:
		dst = quoted(dst, typed)
	case VerbStatus:
		dst = append(append(dst, ' '), statusWord(s.complete)...)
	}
	return dst
}

func quoted[S string | []byte](dst []byte, s S) []byte {
	dst = append(dst, ` "`...)
	return append(append(dst, s...), '"')
}
