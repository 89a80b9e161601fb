package ui

import (
	"fmt"
	"reflect"
	"sync"
)

// Copy makes dst equal to src and independent of it, in dst's own memory where
// there is room. Both point to the same type of plain data, as Sim describes it.
func Copy[S any](dst, src *S) {
	copierOf(reflect.TypeFor[S]()).copy(reflect.ValueOf(dst).Elem(), reflect.ValueOf(src).Elem())
}

// copier knows how to copy the values of one type: at once where it is flat,
// that is where it holds no slices.
type copier struct {
	flat   bool
	kind   reflect.Kind
	typ    reflect.Type
	fields []*copier // of a struct
	elem   *copier   // of an array or slice
}

// copiers are made once a type.
var copiers sync.Map // reflect.Type → *copier

// copierOf panics where the type isn't plain data.
func copierOf(t reflect.Type) *copier {
	if c, ok := copiers.Load(t); ok {
		return c.(*copier)
	}
	c := &copier{flat: true, kind: t.Kind(), typ: t}
	switch c.kind {
	case reflect.Struct:
		for i := range t.NumField() {
			f := copierOf(t.Field(i).Type)
			c.fields, c.flat = append(c.fields, f), c.flat && f.flat
		}
	case reflect.Array:
		c.elem = copierOf(t.Elem())
		c.flat = c.elem.flat
	case reflect.Slice:
		c.elem, c.flat = copierOf(t.Elem()), false
	case reflect.Map, reflect.Pointer, reflect.Interface, reflect.Chan, reflect.Func, reflect.UnsafePointer:
		panic(fmt.Sprintf("ui: a state can't hold a %s", t))
	}
	copiers.Store(t, c)
	return c
}

func (c *copier) copy(dst, src reflect.Value) {
	switch {
	case c.flat:
		dst.Set(src)
	case c.kind == reflect.Struct:
		for i, f := range c.fields {
			f.copy(dst.Field(i), src.Field(i))
		}
	case c.kind == reflect.Array:
		for i := range c.typ.Len() {
			c.elem.copy(dst.Index(i), src.Index(i))
		}
	default:
		c.slice(dst, src)
	}
}

func (c *copier) slice(dst, src reflect.Value) {
	n := src.Len()
	if dst.IsNil() || dst.Cap() < n { // never nil: JSON tells null and [] apart
		grown := reflect.MakeSlice(c.typ, n, n) // and no more than that: there may be thousands of states
		reflect.Copy(grown, dst)                // what its elements own is used again
		dst.Set(grown)
	}
	dst.SetLen(n)
	if c.elem.flat {
		reflect.Copy(dst, src)
		return
	}
	for i := range n {
		c.elem.copy(dst.Index(i), src.Index(i))
	}
}
