package ui

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// MaxFields is the greatest number of fields of an answer.
const MaxFields = 6

// Answered says whether an answer is right: for one field its text, for
// several a JSON object by their names, or their texts in order with commas,
// semicolons or line breaks between. Case, spaces around, a full stop at the
// end and the way of writing a number don't matter: 12.50 is 12.5. Zeros in
// front do, as those of a code: 0417 isn't 417.
func (t *Task) Answered(answer string) bool {
	n := len(t.Wanted)
	if n == 0 {
		return answer == ""
	}
	var parts [MaxFields]string
	switch {
	case n == 1:
		parts[0] = answer
	case strings.HasPrefix(strings.TrimSpace(answer), "{"):
		if !objectParts(answer, t.Wanted, &parts) {
			return false
		}
	case !listParts(answer, n, &parts):
		return false
	}
	for i, w := range t.Wanted {
		ok := false
		for _, want := range w.Want {
			ok = ok || sameText(want, parts[i])
		}
		if !ok {
			return false
		}
	}
	return true
}

// objectParts reads the fields of a JSON object, which has no others.
func objectParts(answer string, fields []AnswerField, parts *[MaxFields]string) bool {
	var object map[string]any
	d := json.NewDecoder(strings.NewReader(answer))
	d.UseNumber() // as it was written: 1000000 isn't 1e+06
	if d.Decode(&object) != nil || len(object) != len(fields) {
		return false
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return false // something follows
	}
	for i, f := range fields {
		v, ok := object[f.Name]
		if !ok {
			return false
		}
		parts[i] = fmt.Sprint(v)
	}
	return true
}

// listParts splits an answer of n fields; empty ones don't count.
func listParts(answer string, n int, parts *[MaxFields]string) bool {
	k := 0
	for answer != "" {
		part := answer
		if i := strings.IndexAny(answer, ",;\n"); i >= 0 {
			part, answer = answer[:i], answer[i+1:]
		} else {
			answer = ""
		}
		if part = strings.TrimSpace(part); part == "" {
			continue
		}
		if k == n {
			return false
		}
		parts[k] = part
		k++
	}
	return k == n
}

// sameText compares what was answered with what is wanted.
func sameText(want, got string) bool {
	got = strings.TrimRight(strings.TrimSpace(got), ".")
	want = strings.TrimRight(strings.TrimSpace(want), ".")
	if strings.EqualFold(want, got) {
		return true
	}
	minus, a := number(want)
	sign, b := number(got)
	return a != "" && a == b && minus == sign
}

// number is a number without the zeros that say nothing, at the end of its
// fraction and alone before it, and whether it is a negative one; "" for other
// texts. More zeros in front are no way of writing a number, but part of a code:
// 0417 is none.
func number(s string) (minus bool, digits string) {
	s, minus = strings.CutPrefix(s, "-")
	fraction := strings.IndexByte(s, '.')
	for i := range len(s) {
		if c := s[i]; (c < '0' || c > '9') && i != fraction {
			return false, ""
		}
	}
	switch {
	case len(s) > 1 && s[0] == '0' && fraction != 1:
		return false, ""
	case fraction >= 0:
		s = strings.TrimSuffix(strings.TrimRight(s, "0"), ".")
	}
	if short := strings.TrimPrefix(s, "0"); short != "" {
		return minus, short
	}
	return minus, s
}
