package ui

import "strconv"

// Numbers of the choices that are the same in all worlds. After them come the
// apps to open, the offered texts as answers, the elements' choices, and the
// stored proposal as the last one.
const (
	choiceWait = iota
	choiceEnter
	choiceHome
	choiceBack
	choiceScroll                        // and the other directions
	choiceComplete = choiceScroll + 4   // status complete
	choiceStatus   = choiceComplete + 1 // status infeasible
	choiceOpen     = choiceStatus + 1   // the first app
)

// Places of an element's choices among its own.
const (
	onClick = iota
	onLong
	onScroll                // and the other directions
	onAnswer = onScroll + 4 // its words as the answer
	onInput  = onAnswer + 1 // the first offered text
	perElem  = onInput + MaxTexts
)

// candidates are the numbered choices of learners.
type candidates struct {
	apps     []string
	answers  int // the choice of the first offered text as the answer
	elements int // the first element's first choice
	listed   int // number of elements
	choices  int // number of choices, proposal included
}

func newCandidates(apps []string, elements int) candidates {
	c := candidates{apps: apps, answers: choiceOpen + len(apps), listed: elements}
	c.elements = c.answers + MaxTexts
	c.choices = c.elements + elements*perElem + 1
	return c
}

// proposal is the choice of the stored proposal.
func (c *candidates) proposal() int32 { return int32(c.choices - 1) } //nolint:gosec // about a thousand

// action is what a choice stands for in the device's present state; false where
// there is no such element or text, and for the stored proposal.
func (c *candidates) action(d *Device, choice int32) (Action, bool) {
	k := int(choice)
	switch {
	case k < 0 || k >= c.choices-1:
		return Action{}, false
	case k >= c.elements:
		return c.onElement(d, (k-c.elements)/perElem, (k-c.elements)%perElem)
	case k >= c.answers:
		if k -= c.answers; k < len(d.task.Texts) {
			return Action{Verb: VerbAnswer, Text: d.task.Texts[k]}, true
		}
		return Action{}, false
	case k >= choiceOpen:
		return Action{Verb: VerbOpen, Text: c.apps[k-choiceOpen]}, true
	case k == choiceComplete, k == choiceStatus:
		return Action{Verb: VerbStatus, Complete: k == choiceComplete}, true
	case k >= choiceScroll:
		return Action{Verb: VerbScroll, Index: -1, Dir: Direction(k - choiceScroll)}, true //nolint:gosec // one of four
	}
	return Action{Verb: [...]Verb{VerbWait, VerbEnter, VerbHome, VerbBack}[k]}, true
}

func (c *candidates) onElement(d *Device, i, k int) (Action, bool) {
	if i >= d.Len() {
		return Action{}, false
	}
	switch {
	case k >= onInput:
		if k -= onInput; k < len(d.task.Texts) {
			return Action{Verb: VerbInput, Index: i, Text: d.task.Texts[k]}, true
		}
		return Action{}, false
	case k == onAnswer:
		name := d.Element(i).Name()
		return Action{Verb: VerbAnswer, Text: name}, name != ""
	case k >= onScroll:
		return Action{Verb: VerbScroll, Index: i, Dir: Direction(k - onScroll)}, true //nolint:gosec // one of four
	}
	return Action{Verb: [...]Verb{VerbClick, VerbLongPress}[k], Index: i}, true
}

// choice is the first number that stands for an action; false where none does.
func (c *candidates) choice(d *Device, a Action) (int32, bool) {
	k := -1
	switch a.Verb {
	case VerbWait:
		k = choiceWait
	case VerbEnter:
		k = choiceEnter
	case VerbHome:
		k = choiceHome
	case VerbBack:
		k = choiceBack
	case VerbStatus:
		k = choiceStatus
		if a.Complete {
			k = choiceComplete
		}
	case VerbOpen:
		k = at(c.apps, a.Text, choiceOpen)
	case VerbAnswer:
		k = at(d.task.Texts, a.Text, c.answers)
		for i := 0; k < 0 && i < min(d.Len(), c.listed); i++ {
			if d.Element(i).Name() == a.Text && a.Text != "" {
				k = c.elements + i*perElem + onAnswer
			}
		}
	case VerbScroll:
		k = choiceScroll + int(a.Dir)
		if a.Index >= 0 {
			k = c.of(a.Index, onScroll+int(a.Dir))
		}
	case VerbClick:
		k = c.of(a.Index, onClick)
	case VerbLongPress:
		k = c.of(a.Index, onLong)
	case VerbInput:
		if t := at(d.task.Texts, a.Text, onInput); t >= 0 {
			k = c.of(a.Index, t)
		}
	}
	return int32(k), k >= 0 //nolint:gosec // about a thousand
}

// of is the choice k of an element, or -1 beyond those listed.
func (c *candidates) of(element, k int) int {
	if element < 0 || element >= c.listed {
		return -1
	}
	return c.elements + element*perElem + k
}

// at is base plus the place of s in a list, or -1.
func at(list []string, s string, base int) int {
	for i := range list {
		if list[i] == s {
			return base + i
		}
	}
	return -1
}

// names are those of all choices.
func (c *candidates) names() []string {
	out := []string{"wait", "press enter", "go home", "go back", "scroll up", "scroll down", "scroll left", "scroll right",
		"status complete", "status infeasible"}
	for _, a := range c.apps {
		out = append(out, "open "+a)
	}
	for k := range MaxTexts {
		out = append(out, "answer text "+strconv.Itoa(k))
	}
	for i := range c.listed {
		e := strconv.Itoa(i)
		out = append(out, "click "+e, "long press "+e)
		for dir := range Right + 1 {
			out = append(out, "scroll "+e+" "+dir.String())
		}
		out = append(out, "answer "+e)
		for k := range MaxTexts {
			out = append(out, "type text "+strconv.Itoa(k)+" into "+e)
		}
	}
	return append(out, "proposal")
}
