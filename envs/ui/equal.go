package ui

import (
	"fmt"
	"reflect"
	"sync"
	"unsafe"
)

// comparer says whether two values of one type, at these places, hold the same.
type comparer func(a, b unsafe.Pointer) bool

// comparers are made once a type: judging a state is on the step path.
var comparers sync.Map // reflect.Type → comparer

// Equal says whether two states hold the same, as the tags of Sim tell.
func Equal[S any](a, b *S) bool {
	return comparerOf(reflect.TypeFor[S]())(unsafe.Pointer(a), unsafe.Pointer(b))
}

// equal is Equal for values that can be addressed.
func equal(a, b reflect.Value) bool {
	return comparerOf(a.Type())(a.Addr().UnsafePointer(), b.Addr().UnsafePointer())
}

func comparerOf(t reflect.Type) comparer {
	if c, ok := comparers.Load(t); ok {
		return c.(comparer)
	}
	c := newComparer(t)
	comparers.Store(t, c)
	return c
}

func newComparer(t reflect.Type) comparer {
	switch t.Kind() {
	case reflect.String:
		return same[string]
	case reflect.Bool, reflect.Int8, reflect.Uint8:
		return same[uint8]
	case reflect.Int16, reflect.Uint16:
		return same[uint16]
	case reflect.Int32, reflect.Uint32:
		return same[uint32]
	case reflect.Int, reflect.Uint, reflect.Int64, reflect.Uint64:
		return same[uint64]
	case reflect.Float32:
		return same[float32]
	case reflect.Float64:
		return same[float64]
	case reflect.Struct:
		return structComparer(t)
	case reflect.Array:
		elem, n := elements(t.Elem()), t.Len()
		return func(a, b unsafe.Pointer) bool { return elem.sameList(a, b, n) }
	case reflect.Slice:
		return sliceComparer(t, false)
	}
	panic(fmt.Sprintf("ui: a state can't hold a %s", t))
}

func same[T comparable](a, b unsafe.Pointer) bool { return *(*T)(a) == *(*T)(b) }

func structComparer(t reflect.Type) comparer {
	type part struct {
		offset uintptr
		same   comparer
	}
	var parts []part
	for i, f := range fieldsOf(t) {
		x := t.Field(i)
		switch {
		case f.skip:
		case f.set:
			parts = append(parts, part{x.Offset, sliceComparer(x.Type, true)})
		default:
			parts = append(parts, part{x.Offset, comparerOf(x.Type)})
		}
	}
	return func(a, b unsafe.Pointer) bool {
		for i := range parts {
			p := &parts[i]
			if !p.same(unsafe.Add(a, p.offset), unsafe.Add(b, p.offset)) {
				return false
			}
		}
		return true
	}
}

// header is a slice of any type.
type header struct {
	data     unsafe.Pointer
	len, cap int
}

// sliceComparer compares slices; those that are sets in any order.
func sliceComparer(t reflect.Type, set bool) comparer {
	elem := elements(t.Elem())
	return func(a, b unsafe.Pointer) bool {
		x, y := (*header)(a), (*header)(b)
		if x.len != y.len {
			return false
		}
		if set {
			return elem.sameSet(x.data, y.data, x.len)
		}
		return elem.sameList(x.data, y.data, x.len)
	}
}

// elem is what lists of one type hold.
type elem struct {
	same comparer
	size uintptr
}

func elements(t reflect.Type) elem { return elem{comparerOf(t), t.Size()} }

func (e elem) at(list unsafe.Pointer, i int) unsafe.Pointer {
	return unsafe.Add(list, uintptr(i)*e.size) //nolint:gosec // an index
}

func (e elem) sameList(a, b unsafe.Pointer, n int) bool {
	for i := range n {
		if !e.same(e.at(a, i), e.at(b, i)) {
			return false
		}
	}
	return true
}

// sameSet says whether two lists of n hold the same elements as often, in any order.
func (e elem) sameSet(a, b unsafe.Pointer, n int) bool {
	for i := range n {
		x := e.at(a, i)
		if !e.same(x, e.at(b, i)) && e.count(a, x, n) != e.count(b, x, n) {
			return false
		}
	}
	return true
}

func (e elem) count(list, x unsafe.Pointer, n int) (count int) {
	for i := range n {
		if e.same(e.at(list, i), x) {
			count++
		}
	}
	return count
}
