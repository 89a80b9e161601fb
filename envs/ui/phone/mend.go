package phone

import "marlpit/envs/ui"

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

// discard takes entry i out of a list. Behind the end its memory waits for a new one.
func discard[T any](list []T, i int) []T {
	gone := list[i]
	copy(list[i:], list[i+1:])
	list[len(list)-1] = gone
	return list[:len(list)-1]
}
