package ui

import (
	"fmt"
	"reflect"
	"sync"
)

// Copy makes dst equal to src and independent of it, in dst's own memory where
// there is room. Both point to the same type of plain data, as Sim describes it.
func Copy[S any](dst, src *S) {
	copyValue(reflect.ValueOf(dst).Elem(), reflect.ValueOf(src).Elem())
}

// flat remembers which types hold no slices.
var flat sync.Map // reflect.Type → bool

func isFlat(t reflect.Type) bool {
	if v, ok := flat.Load(t); ok {
		return v.(bool)
	}
	out := true
	switch t.Kind() {
	case reflect.Struct:
		for i := range t.NumField() {
			f := isFlat(t.Field(i).Type)
			out = out && f
		}
	case reflect.Array:
		out = isFlat(t.Elem())
	case reflect.Slice:
		isFlat(t.Elem())
		out = false
	case reflect.Map, reflect.Pointer, reflect.Interface, reflect.Chan, reflect.Func, reflect.UnsafePointer:
		panic(fmt.Sprintf("ui: a state can't hold a %s", t))
	}
	flat.Store(t, out)
	return out
}

func copyValue(dst, src reflect.Value) {
	switch t := dst.Type(); {
	case isFlat(t):
		dst.Set(src)
	case t.Kind() == reflect.Struct:
		for i := range t.NumField() {
			copyValue(dst.Field(i), src.Field(i))
		}
	case t.Kind() == reflect.Array:
		for i := range t.Len() {
			copyValue(dst.Index(i), src.Index(i))
		}
	default:
		n := src.Len()
		if dst.IsNil() {
			dst.Set(reflect.MakeSlice(t, 0, n)) // never nil: JSON tells null and [] apart
		}
		if dst.Cap() < n {
			dst.Grow(n - dst.Len())
		}
		dst.SetLen(n)
		if isFlat(t.Elem()) {
			reflect.Copy(dst, src)
			return
		}
		for i := range n {
			copyValue(dst.Index(i), src.Index(i))
		}
	}
}
