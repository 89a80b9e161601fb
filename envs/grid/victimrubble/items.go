package victimrubble

import (
	"fmt"
	"strings"

	"marlpit/envs"
)

// An item is one entry of a layout: how a thing or an agent shows in an
// observation, the state or the focus. Tables and values are both made of it.
type item struct {
	kind  kind
	index int
	seen  bool // begins with a flag of being in view; the rest is 0 where it isn't
	place bool // has x and y
	flag  bool // ends with a flag: cleared, healed, open, out
	bit   int  // of the flag, in State.flags
	at    int  // of its first element in the layout
}

type kind uint8

const (
	own    kind = iota // the agent's own place; its flag: it is out
	mate               // another agent; likewise
	heap               // rubble; its flag: cleared
	victim             // its flag: healed
	door               // its flag: open
	trap
)

// list lays out what agents observe, the state, and what scoring models see.
func (w *world) list() {
	for i := range w.agents {
		me := item{kind: own, index: i, place: true}
		mine := w.things(i, w.random || w.sites)
		view := append([]item{me}, mine...)
		for j := range w.agents {
			if j != i && (!w.sites || w.pair(j) == w.pair(i)) {
				view = append(view, item{kind: mate, index: j, place: true, flag: w.ends()})
			}
		}
		for k := range view[1:] {
			it := &view[1+k]
			// A scout tells where it is, as long as it lives.
			it.seen = w.near && !(it.kind == mate && it.index == w.scout && w.traps == 0)
		}
		w.views = append(w.views, laid(view))
		me.flag = w.ends()
		w.focus = append(w.focus, laid(append([]item{me}, w.concerns(i)...)))
		w.focusFields = append(w.focusFields, append([]envs.Field{w.cellField("own_cell")}, w.fields(w.focus[i])...))
		w.whole = append(w.whole, item{kind: mate, index: i, place: true, flag: w.ends()})
	}
	w.whole = append(w.whole, w.few(heap, 0, w.rubble, w.random)...)
	w.whole = append(w.whole, w.few(victim, 0, w.victims, w.random)...)
	w.whole = laid(append(w.whole, w.rest(w.random)...))
}

// laid are the items with their places in the layout and their bits.
func laid(items []item) []item {
	at := 0
	for i := range items {
		it := &items[i]
		it.at, it.bit = at, it.index+[...]int{heap: heapBit, victim: victimBit, door: doorBit, trap: 0}[it.kind]
		at += it.size()
	}
	return items
}

// ends says whether agents may be out before the end.
func (w *world) ends() bool { return w.leave || w.traps > 0 }

// things are what concerns an agent: rubble all but nobody; victims those who
// heal or look out; with sites, only those of its pair.
func (w *world) things(agent int, place bool) []item {
	from, end := w.jobs(agent, w.rubble)
	out := w.few(heap, from, end, place)
	if r := w.roles[agent]; r == medic || r == scout {
		from, end = w.jobs(agent, w.victims)
		out = append(out, w.few(victim, from, end, place)...)
	}
	return append(out, w.rest(w.random)...)
}

// concerns are what an agent's scoring model sees beside the agent: rubble,
// victims and the door; with sites, those of its pair.
func (w *world) concerns(agent int) []item {
	place := w.random || w.sites
	from, end := w.jobs(agent, w.rubble)
	out := w.few(heap, from, end, place)
	from, end = w.jobs(agent, w.victims)
	return append(append(out, w.few(victim, from, end, place)...), w.rest(w.random)...)
}

func (w *world) few(k kind, from, end int, place bool) []item {
	var out []item
	for i := from; i < end; i++ {
		out = append(out, item{kind: k, index: i, place: place, flag: true})
	}
	return out
}

// rest are the door, and traps where they aren't always the same.
func (w *world) rest(place bool) []item {
	var out []item
	if w.door {
		out = append(out, item{kind: door, place: place, flag: true})
	}
	for k := range w.traps {
		if place {
			out = append(out, item{kind: trap, index: k, place: true})
		}
	}
	return out
}

// size is the number of elements of items.
func size(items []item) int {
	n := 0
	for _, it := range items {
		n += it.size()
	}
	return n
}

func (it item) size() int {
	n := 0
	if it.seen {
		n++
	}
	if it.place {
		n += 2
	}
	if it.flag {
		n++
	}
	return n
}

// fields are the rows of the layout table of items.
func (w *world) fields(items []item) []envs.Field {
	var out []envs.Field
	for _, it := range items {
		name, noun := w.label(it)
		if it.seen {
			out = append(out, boolean(name+"_seen", "1 where "+noun+" is in view"))
		}
		if it.place {
			low, high := w.span(it)
			out = append(out, envs.Field{Name: name + "_place", Size: 2, Low: low, High: high, Help: "where " + noun + " is, x and y as a share of the map"})
		}
		if it.flag {
			verb := [...]string{own: "out", mate: "out", heap: "cleared", victim: "healed", door: "open"}[it.kind]
			out = append(out, boolean(name+"_"+verb, "1 where "+noun+" is "+verb))
		}
	}
	return out
}

// label is an item's name in tables, and with an article.
func (w *world) label(it item) (name, noun string) {
	switch it.kind {
	case own:
		return "own", "the agent"
	case mate:
		return w.names[it.index], w.names[it.index]
	case heap:
		name = fmt.Sprintf("rubble_%d", it.index)
	case victim:
		name = fmt.Sprintf("victim_%d", it.index)
	case trap:
		name = fmt.Sprintf("trap_%d", it.index)
	default:
		return "door", "the door"
	}
	return name, strings.ReplaceAll(name, "_", " ")
}

// boolean is a field of one element that is 0 or 1.
func boolean(name, help string) envs.Field {
	return envs.Field{Name: name, Size: 1, High: 1, Help: help}
}

// span is the least and the greatest coordinate that an item may have.
func (w *world) span(it item) (low, high float32) {
	low, high = 2, -1
	for _, c := range w.candidates(it) {
		for _, v := range w.places[c] {
			low, high = min(low, v), max(high, v)
		}
	}
	if it.seen || it.kind == trap { // a trap may be missing
		low = 0
	}
	return low, high
}

// candidates are the cells where an item may be.
func (w *world) candidates(it item) []int16 {
	var out []int16
	floor := func() {
		for _, room := range w.floor {
			out = append(out, room...)
		}
	}
	switch it.kind {
	case own, mate:
		for c := range w.cells.Len() {
			out = append(out, int16(c))
		}
	case heap:
		if !w.random {
			return w.start.Rubble[it.index : it.index+1]
		}
		if out = append(out, w.gaps...); len(out) == 0 {
			out = append(out, w.doorways...)
			floor()
		}
	case victim:
		if !w.random {
			return w.start.Victim[it.index : it.index+1]
		}
		if out = append(out, w.behind...); len(out) == 0 || it.index >= w.rubble {
			out = nil
			floor()
		}
	case door:
		return w.doorways
	case trap:
		floor()
	}
	return out
}
