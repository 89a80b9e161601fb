package phone

import (
	"slices"

	"marlpit/envs/ui"
)

// repaired says whether an app from which something is to be read holds what it
// should; where not, it mends that.
func repaired(p *Phone, x *ui.Pilot, from mender) bool {
	return !from.toward(p, ui.Target[Phone](x), x)
}

// enter types what a field of a form wants. It returns false where the field has
// it. One that should be empty is best left with its form: nothing is typed for it.
func enter(x *ui.Pilot, on, have, want string) bool {
	switch {
	case have == want:
		return false
	case want == "":
		x.Back()
	default:
		x.Type(on, 0, want)
	}
	return true
}

// surplus says whether a saved record has words where none should be: as nobody
// types nothing, it is deleted and made again.
func surplus(have, want string) bool { return want == "" && have != "" }

// discard takes entry i out of a list. Behind the end its memory waits for a new one.
func discard[T any](list []T, i int) []T {
	gone := list[i]
	copy(list[i:], list[i+1:])
	list[len(list)-1] = gone
	return list[:len(list)-1]
}

// room adds an entry to a list, in memory of one that is gone where there is
// any: its slices are to be emptied and used again.
func room[T any](list []T) []T { return slices.Grow(list, 1)[:len(list)+1] }

// emptied is a list without its entries, in its own memory; never nil, which
// JSON tells from an empty one.
func emptied[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list[:0]
}
