package envs

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// Number reads a value of any numeric type; a bool or a text is none.
func Number(value any) (float64, bool) {
	v := reflect.ValueOf(value)
	switch {
	case !v.IsValid():
		return 0, false
	case v.CanInt():
		return float64(v.Int()), true
	case v.CanUint():
		return float64(v.Uint()), true
	case v.CanFloat():
		return v.Float(), true
	}
	return 0, false
}

// show prints a value from outside for an error message, cut to a fit length.
func show(value any) string {
	s := fmt.Sprintf("%v", value)
	if t, ok := value.(string); ok {
		s = fmt.Sprintf("%q", t)
	}
	return cut(s)
}

// cut makes valid UTF-8 of a fit length of a text from outside.
func cut(s string) string {
	const most = 60
	if len(s) > most {
		s = strings.ToValidUTF8(s[:most], "") + "…"
	}
	return strings.ToValidUTF8(s, "\ufffd")
}

func hasParam(params []Param, name string) bool {
	return slices.ContainsFunc(params, func(p Param) bool { return p.Name == name })
}
