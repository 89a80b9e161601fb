package envs

import (
	"fmt"
	"hash/fnv"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// Param describes one parameter of an environment. It is made of a struct
// field's tags:
//
//	Agents int `param:"agents" min:"2" max:"4" help:"number of agents"`
//	View   string `param:"view" enum:"full,radius" help:"…"`
//
// Fields are of type int, float64, bool or string. min and max are inclusive
// and required for numbers; enum is required for strings, here or as an Enum.
type Param struct {
	Name    string
	Type    string // "integer", "number", "boolean" or "string", as in JSON schema
	Default any
	Min     float64 // of numbers
	Max     float64
	Enum    []string // of strings
	Help    string
}

// Enum gives the values of the string parameter of a name.
type Enum struct {
	Param  string
	Values []string
}

// Schema is the JSON schema of a set of parameters.
func Schema(params []Param) map[string]any {
	properties := make(map[string]any, len(params))
	for _, p := range params {
		s := map[string]any{"type": p.Type, "default": p.Default, "description": p.Help}
		switch p.Type {
		case "integer", "number":
			s["minimum"], s["maximum"] = p.Min, p.Max
		case "string":
			s["enum"] = p.Enum
		}
		properties[p.Name] = s
	}
	return map[string]any{"type": "object", "properties": properties, "additionalProperties": false}
}

// ParamValues turns a parameter struct into the map that Spec.Params holds.
func ParamValues(p any) map[string]any {
	v := reflect.ValueOf(p)
	out := make(map[string]any, v.NumField())
	for i := range v.NumField() {
		out[v.Type().Field(i).Tag.Get("param")] = v.Field(i).Interface()
	}
	return out
}

func paramsOf(defaults any, enums ...Enum) []Param {
	v := reflect.ValueOf(defaults)
	out := make([]Param, v.NumField())
	for i := range out {
		tag := v.Type().Field(i).Tag
		p := Param{Name: tag.Get("param"), Help: tag.Get("help"), Default: v.Field(i).Interface()}
		switch v.Field(i).Kind() {
		case reflect.Int:
			p.Type = "integer"
		case reflect.Float64:
			p.Type = "number"
		case reflect.Bool:
			p.Type = "boolean"
		case reflect.String:
			p.Type = "string"
			p.Enum = enumOf(p.Name, tag.Get("enum"), enums)
		default:
			panic("envs: parameter " + p.Name + " has an unsupported type")
		}
		if p.Type == "integer" || p.Type == "number" {
			p.Min, p.Max = mustFloat(p.Name, tag.Get("min")), mustFloat(p.Name, tag.Get("max"))
		}
		out[i] = p
	}
	return out
}

func enumOf(name, tag string, enums []Enum) []string {
	for _, e := range enums {
		if e.Param == name {
			return e.Values
		}
	}
	if tag == "" {
		panic("envs: parameter " + name + " needs the values it may have")
	}
	return strings.Split(tag, ",")
}

func mustFloat(name, s string) float64 {
	f, err := strconv.ParseFloat(s, 64)
	if err != nil {
		panic("envs: parameter " + name + " needs numeric min and max tags")
	}
	return f
}

func decodeParams(id string, params []Param, dst any, values map[string]any) error {
	v := reflect.ValueOf(dst).Elem()
	seen := 0
	for i, p := range params {
		value, ok := values[p.Name]
		if !ok {
			continue
		}
		seen++
		if !assign(v.Field(i), p, value) {
			return badValue(id, p, value)
		}
	}
	if seen == len(values) {
		return nil
	}
	var unknown, known []string
	for _, p := range params {
		known = append(known, p.Name)
	}
	for name := range values {
		if !hasParam(params, name) {
			unknown = append(unknown, name)
		}
	}
	slices.Sort(unknown)
	among := Among(unknown[0], known, listedBy(id))
	for i, name := range unknown {
		unknown[i] = strconv.Quote(name)
	}
	return fmt.Errorf("%w: %s has no parameter %s: %s", ErrParams, id, cut(strings.Join(unknown, ", ")), among)
}

// badValue is the error about a value that a parameter doesn't take.
func badValue(id string, p Param, value any) error {
	given, _ := value.(string)
	if len(p.Enum) > Many {
		return fmt.Errorf("%w: %s: there is no %s %s: %s", ErrParams, id, p.Name, show(value), Among(given, p.Enum, listedBy(id)))
	}
	return fmt.Errorf("%w: %s: %s is %s, got %s%s", ErrParams, id, p.Name, p.Accepts(), show(value), DidYouMean(given, p.Enum))
}

// listedBy says where all names of a world are listed.
func listedBy(id string) string { return "'marlpit envs " + id + "' lists them" }

func assign(field reflect.Value, p Param, value any) bool {
	switch p.Type {
	case "boolean":
		b, ok := value.(bool)
		if ok {
			field.SetBool(b)
		}
		return ok
	case "string":
		s, ok := value.(string)
		if !ok {
			return false
		}
		for _, e := range p.Enum {
			if e == s {
				field.SetString(s)
				return true
			}
		}
		return false
	}
	f, ok := Number(value)
	if !ok || !(f >= p.Min && f <= p.Max) || p.Type == "integer" && f != math.Trunc(f) {
		return false
	}
	if p.Type == "integer" {
		field.SetInt(int64(f))
	} else {
		field.SetFloat(f)
	}
	return true
}

// Accepts says in words which values a parameter takes.
func (p Param) Accepts() string {
	switch p.Type {
	case "boolean":
		return "true or false"
	case "string":
		return "one of " + strings.Join(p.Enum, ", ")
	}
	return fmt.Sprintf("a%s from %s to %s", map[string]string{"integer": "n integer", "number": " number"}[p.Type], decimal(p.Min), decimal(p.Max))
}

// decimal writes a bound without an exponent.
func decimal(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }

// ParamsHash tells worlds of different parameters apart, in snapshots. params is
// the struct of an Entry.
func ParamsHash(params any) uint32 {
	h := fnv.New32a()
	_, _ = fmt.Fprintf(h, "%+v", params) // never fails
	return h.Sum32()
}
