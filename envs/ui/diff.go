package ui

import (
	"fmt"
	"reflect"
	"strings"
	"sync"
)

// field is how one field of a struct is compared.
type field struct {
	name string
	skip bool
	set  bool
}

var fields sync.Map // reflect.Type of a struct → []field

func fieldsOf(t reflect.Type) []field {
	if v, ok := fields.Load(t); ok {
		return v.([]field)
	}
	out := make([]field, t.NumField())
	for i := range out {
		tag := t.Field(i).Tag.Get("ui")
		out[i] = field{name: words(t.Field(i).Name), skip: tag == "view" || tag == "id", set: tag == "set"}
		if tag != "" && !out[i].skip && !out[i].set {
			panic(fmt.Sprintf(`ui: %s.%s: unknown tag ui:"%s"`, t, t.Field(i).Name, tag))
		}
	}
	fields.Store(t, out)
	return out
}

// sameSet says whether two lists hold the same elements as often, in any order.
func sameSet(a, b reflect.Value) bool {
	return sliceComparer(a.Type(), true)(a.Addr().UnsafePointer(), b.Addr().UnsafePointer())
}

func count(list, e reflect.Value) (n int) {
	for i := range list.Len() {
		if equal(list.Index(i), e) {
			n++
		}
	}
	return n
}

// Diff names the first thing in which got differs from want, in words: "" where
// they are equal.
func Diff[S any](want, got *S) string {
	return diff("", reflect.ValueOf(want).Elem(), reflect.ValueOf(got).Elem())
}

func diff(at string, want, got reflect.Value) string {
	if equal(want, got) {
		return ""
	}
	switch want.Kind() {
	case reflect.Struct:
		for i, f := range fieldsOf(want.Type()) {
			if f.skip {
				continue
			}
			if f.set {
				if !sameSet(want.Field(i), got.Field(i)) {
					return diffSet(under(at, f.name), want.Field(i), got.Field(i))
				}
			} else if d := diff(under(at, f.name), want.Field(i), got.Field(i)); d != "" {
				return d
			}
		}
	case reflect.Slice, reflect.Array:
		for i := range min(want.Len(), got.Len()) {
			if d := diff(fmt.Sprintf("%s %d", at, i), want.Index(i), got.Index(i)); d != "" {
				return d
			}
		}
		return fmt.Sprintf("%s: want %d of them, there are %d", at, want.Len(), got.Len())
	}
	return fmt.Sprintf("%s: want %v, got %v", at, want, got)
}

func diffSet(at string, want, got reflect.Value) string {
	for i := range want.Len() {
		if e := want.Index(i); count(want, e) > count(got, e) {
			return fmt.Sprintf("%s: missing %+v", at, e)
		}
	}
	for i := range got.Len() {
		if e := got.Index(i); count(got, e) > count(want, e) {
			return fmt.Sprintf("%s: nobody asked for %+v", at, e)
		}
	}
	return at + ": differs"
}

func under(at, name string) string {
	if at == "" {
		return name
	}
	return at + ": " + name
}

// words turns a field's name into words: "DueDay" is "due day".
func words(name string) string {
	var b strings.Builder
	for i, r := range name {
		if i > 0 && r >= 'A' && r <= 'Z' {
			b.WriteByte(' ')
		}
		b.WriteRune(r)
	}
	return strings.ToLower(b.String())
}
