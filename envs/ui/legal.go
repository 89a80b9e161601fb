package ui

// AppendLegal appends every legal action of a learner in the present state:
// the globals, then each element's, with the texts that the task offers. The
// answers are those texts and the elements' words.
func (d *Device) AppendLegal(dst []Action) []Action {
	add := func(a Action) {
		if d.Legal(a) {
			dst = append(dst, a)
		}
	}
	add(Action{})
	add(Action{Verb: VerbEnter})
	add(Action{Verb: VerbHome})
	add(Action{Verb: VerbBack})
	for dir := range Right + 1 {
		add(Action{Verb: VerbScroll, Index: -1, Dir: dir})
	}
	add(Action{Verb: VerbStatus, Complete: true})
	add(Action{Verb: VerbStatus})
	for _, app := range d.apps() {
		add(Action{Verb: VerbOpen, Text: app})
	}
	for _, text := range d.task.Texts {
		add(Action{Verb: VerbAnswer, Text: text})
	}
	for i := range d.elements {
		add(Action{Verb: VerbClick, Index: i})
		add(Action{Verb: VerbLongPress, Index: i})
		for dir := range Right + 1 {
			add(Action{Verb: VerbScroll, Index: i, Dir: dir})
		}
		for _, text := range d.task.Texts {
			add(Action{Verb: VerbInput, Index: i, Text: text})
		}
		if name := d.Element(i).Name(); name != "" {
			add(Action{Verb: VerbAnswer, Text: name})
		}
	}
	return dst
}
