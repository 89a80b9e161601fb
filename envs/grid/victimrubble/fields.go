package victimrubble

import (
	"fmt"
	"strings"

	"marlpit/envs"
)

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
