package ui

// AppendLegal appends every legal action of a learner in the present state:
// the globals, then each element's, with the texts that the task offers. The
// answers are those texts and the elements' words. Of the scrolls of one part
// of the screen there is one, on its first element.
func (d *Device) AppendLegal(dst []Action) []Action {
	add := func(a Action) {
		if d.offers(a) {
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
		if name := d.Element(i).Name(); name != "" {
			add(Action{Verb: VerbAnswer, Text: name})
		}
		for _, text := range d.task.Texts {
			add(Action{Verb: VerbInput, Index: i, Text: text})
		}
	}
	return dst
}

// offers says whether a learner may choose an action: it is legal, and no other
// does the same.
func (d *Device) offers(a Action) bool { return d.Legal(a) && d.canonical(a).Index == a.Index }

// canonical is the action that learners choose in the place of a legal one:
// it moves a part of the screen by its first element.
func (d *Device) canonical(a Action) Action {
	if a.Verb == VerbScroll && a.Index >= 0 && (a.Dir == Up || a.Dir == Down) {
		a.Index = d.firstIn(int(d.Element(a.Index).region))
	}
	return a
}

// writeMask writes which choices can be made: offers, for all of them at once.
func (g *Game) writeMask(mask []uint8, over bool) {
	clear(mask)
	mask[choiceWait] = 1
	if over {
		return
	}
	d := &g.d
	mask[choiceEnter] = one(d.Typing())
	mask[choiceHome], mask[choiceBack], mask[choiceComplete], mask[choiceStatus] = 1, 1, 1, 1
	for dir := range Right + 1 {
		mask[choiceScroll+int(dir)] = one(d.Legal(Action{Verb: VerbScroll, Index: -1, Dir: dir}))
	}
	for i := range g.apps {
		mask[choiceOpen+i] = 1
	}
	texts := len(d.task.Texts)
	for k := range texts {
		mask[g.answers+k] = 1
	}
	for i := range min(d.Len(), g.listed) {
		w := d.Element(i)
		row := mask[g.elements+i*perElem:][:perElem]
		row[onAnswer] = one(w.Name() != "")
		if w.Has(Disabled) {
			continue
		}
		row[onClick], row[onLong] = one(w.Has(Clickable)), one(w.Has(LongPress))
		row[onScroll+int(Left)] = one(w.Has(Swipeable))
		row[onScroll+int(Right)] = row[onScroll+int(Left)]
		if w.Has(Editable) {
			for k := range texts {
				row[onInput+k] = 1
			}
		}
	}
	for r := range d.b.regions {
		i := d.firstIn(r)
		if i < 0 || i >= g.listed {
			continue
		}
		for dir := range Down + 1 {
			mask[g.elements+i*perElem+onScroll+int(dir)] = one(d.region(Action{Verb: VerbScroll, Index: i, Dir: dir}) >= 0)
		}
	}
}

func one(b bool) uint8 {
	if b {
		return 1
	}
	return 0
}
