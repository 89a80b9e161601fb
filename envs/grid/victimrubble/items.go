package victimrubble

import "marlpit/envs"

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
