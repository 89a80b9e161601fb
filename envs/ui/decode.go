package ui

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// maxItems is the greatest length of a list in a state from outside: more than
// any play leads to, and little enough for solutions, which compare lists with
// each other.
const maxItems = 2000

// decodeState reads a simulation's state from JSON into one that holds the
// start: fields that are left out, or null, stay as they are there. Lists are
// read whole.
func decodeState(data []byte, v reflect.Value) error {
	if v.Kind() != reflect.Struct {
		fresh := reflect.New(v.Type())
		d := json.NewDecoder(strings.NewReader(string(data)))
		d.DisallowUnknownFields()
		if err := d.Decode(fresh.Interface()); err != nil {
			return err
		}
		if err := fewItems(fresh.Elem()); err != nil {
			return err
		}
		v.Set(fresh.Elem())
		return nil
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(data, &members); err != nil {
		return fmt.Errorf("want an object, got %s", excerpt(data))
	}
	for _, name := range slices.Sorted(maps.Keys(members)) {
		field := v.FieldByName(name)
		if !field.IsValid() || !field.CanSet() {
			return fmt.Errorf("there is no field %s", excerpt([]byte(name)))
		}
		if string(members[name]) == "null" {
			continue
		}
		if err := decodeState(members[name], field); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

// fewItems is an error where a list is too long.
func fewItems(v reflect.Value) error {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if err := fewItems(v.Field(i)); err != nil {
				return err
			}
		}
	case reflect.Slice, reflect.Array:
		if v.Len() > maxItems {
			return fmt.Errorf("a list of %d, at most %d are taken", v.Len(), maxItems)
		}
		if copierOf(v.Type().Elem()).flat {
			return nil // there are no lists further in
		}
		for i := range v.Len() {
			if err := fewItems(v.Index(i)); err != nil {
				return err
			}
		}
	}
	return nil
}
