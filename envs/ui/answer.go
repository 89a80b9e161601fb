package ui

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
)

// MaxFields is the greatest number of fields of an answer.
const MaxFields = 6

// Answered says whether an answer is right: for one field its text, for
// several a JSON object by their names, or their texts in order with commas,
// semicolons or line breaks between. Case, spaces around, a full stop at the
// end and the way of writing a number don't matter.
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
	if !numeric(want) || !numeric(got) {
		return false
	}
	a, errA := strconv.ParseFloat(want, 64)
	b, errB := strconv.ParseFloat(got, 64)
	return errA == nil && errB == nil && math.Abs(a-b) < 1e-9
}

// numeric says whether a text may be a number: an error of ParseFloat costs memory.
func numeric(s string) bool {
	digits := 0
	for i := range len(s) {
		switch c := s[i]; {
		case c >= '0' && c <= '9':
			digits++
		case c == '-' && i == 0, c == '.':
		default:
			return false
		}
	}
	return digits > 0 && strings.Count(s, ".") <= 1
}
