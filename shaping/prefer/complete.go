package prefer

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// complete finds what decoding lets pass for nothing: fields that are missing,
// null, or spelt with other capitals. Lists, maps and pointers may be null. A
// report, which is for readers, may leave out fields; its check knows which it
// needs. The header decodes without error.
func complete(header []byte) error {
	d := json.NewDecoder(bytes.NewReader(header))
	return walk(d, reflect.TypeFor[Header](), "", true)
}

// walk reads the next value, which is of type t. Within it all fields that
// aren't omitted when empty have to be there if whole.
func walk(d *json.Decoder, t reflect.Type, at string, whole bool) error {
	token, err := d.Token()
	if err != nil {
		return err
	}
	if token == nil {
		switch t.Kind() {
		case reflect.Pointer, reflect.Slice, reflect.Map, reflect.Interface:
			return nil
		}
		return fmt.Errorf("%s is null", at)
	}
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch t.Kind() {
	case reflect.Struct:
		return walkFields(d, t, at, whole && t != reflect.TypeFor[Report]())
	case reflect.Slice:
		for i := 0; err == nil && d.More(); i++ {
			err = walk(d, t.Elem(), fmt.Sprintf("%s[%d]", at, i), whole)
		}
	case reflect.Map:
		for err == nil && d.More() {
			if token, err = d.Token(); err == nil {
				err = walk(d, t.Elem(), fmt.Sprintf("%s.%.40s", at, token), whole)
			}
		}
	case reflect.Interface:
		return skip(d, token)
	default:
		return nil
	}
	if err == nil {
		_, err = d.Token() // the end
	}
	return err
}

func walkFields(d *json.Decoder, t reflect.Type, at string, whole bool) error {
	if at != "" {
		at += "."
	}
	fields := map[string]reflect.Type{}
	var missing []string // in their order
	for _, f := range reflect.VisibleFields(t) {
		if f.Anonymous {
			continue
		}
		name, option, _ := strings.Cut(f.Tag.Get("json"), ",")
		fields[name] = f.Type
		if whole && option == "" {
			missing = append(missing, name)
		}
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return err
		}
		name, _ := key.(string)
		inner, ok := fields[name]
		if !ok {
			return fmt.Errorf("unknown field %s%.40q", at, name)
		}
		missing = slices.DeleteFunc(missing, func(m string) bool { return m == name })
		if err := walk(d, inner, at+name, whole); err != nil {
			return err
		}
	}
	if len(missing) > 0 {
		return fmt.Errorf("%s%s is missing", at, missing[0])
	}
	_, err := d.Token() // the end
	return err
}

// skip reads the rest of a value whose first token is given.
func skip(d *json.Decoder, first json.Token) error {
	if _, ok := first.(json.Delim); !ok {
		return nil
	}
	for depth := 1; depth > 0; {
		token, err := d.Token()
		if err != nil {
			return err
		}
		switch token {
		case json.Delim('{'), json.Delim('['):
			depth++
		case json.Delim('}'), json.Delim(']'):
			depth--
		}
	}
	return nil
}
