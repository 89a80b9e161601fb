package phone

import "slices"

// record is an entry of an app's list.
type record[T any] interface {
	comparable
	key() int // its ID
	plain() T // itself without what isn't compared: the ID, marks of the display
}

// repair finds the next thing to do to a list of records so that it holds what
// is wanted, in any order. A wrong one with a right one is to be changed into
// it, a wrong one alone to be deleted, a right one alone to be made; neither
// says that all is well.
func repair[T record[T]](now, want []T) (wrong, right *T) {
	if slices.Equal(now, want) {
		return nil, nil
	}
	for i := range now {
		if n := &now[i]; copies(now, *n) > copies(want, *n) {
			for j := range want {
				if w := &want[j]; (*w).key() == (*n).key() && copies(now, *w) < copies(want, *w) {
					return n, w
				}
			}
			return n, nil
		}
	}
	for j := range want {
		if w := &want[j]; copies(now, *w) < copies(want, *w) {
			return nil, w
		}
	}
	return nil, nil
}

// copies is how many of a list are the record but for its ID.
func copies[T record[T]](list []T, r T) (n int) {
	plain := r.plain()
	for i := range list {
		if list[i].plain() == plain {
			n++
		}
	}
	return n
}
