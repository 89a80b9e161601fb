package llm

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	openai "github.com/sashabaranov/go-openai"
)

// The scale numbers are asked for on.
const (
	lowest  = 0
	highest = 10
)

// numbersFormat is the JSON schema of an object with a number under each key.
func numbersFormat(keys []string) *openai.ChatCompletionResponseFormat {
	properties := map[string]any{}
	for _, k := range keys {
		properties[k] = map[string]string{"type": "number"} // bounds are refused by some endpoints
	}
	schema, err := json.Marshal(map[string]any{
		"type": "object", "properties": properties, "required": keys, "additionalProperties": false,
	})
	if err != nil {
		panic("llm: " + err.Error()) // strings always marshal
	}
	return &openai.ChatCompletionResponseFormat{
		Type: openai.ChatCompletionResponseFormatTypeJSONSchema,
		JSONSchema: &openai.ChatCompletionResponseFormatJSONSchema{
			Name: "numbers", Schema: json.RawMessage(schema), Strict: true,
		},
	}
}

// number is one of those asked for, or why it can't be read.
type number struct {
	value  float64
	reason string
}

// readNumbers finds the JSON object of a reply and the number under each key.
// What is wrong with the object (none, an extra or a double key) spoils all of
// them, what is wrong with one number (missing, text, not on the scale) only
// that one.
func readNumbers(r reply, keys []string) map[string]number {
	object, reason := findObject(r)
	if reason == "" {
		for k := range object {
			if !slices.Contains(keys, k) {
				reason = fmt.Sprintf("a number for %.40q, which was not asked about", k)
			}
		}
	}
	out := make(map[string]number, len(keys))
	for _, k := range keys {
		n := number{reason: reason}
		if raw, ok := object[k]; reason == "" && !ok {
			n.reason = fmt.Sprintf("no number for %q", k)
		} else if reason == "" {
			n = onScale(raw)
		}
		out[k] = n
	}
	return out
}

// onScale reads a JSON number from lowest to highest.
func onScale(raw json.RawMessage) number {
	if len(raw) == 0 || raw[0] != '-' && (raw[0] < '0' || raw[0] > '9') {
		return number{reason: fmt.Sprintf("%.40s is no number", raw)}
	}
	x, err := strconv.ParseFloat(string(raw), 64)
	if err != nil || !(x >= lowest && x <= highest) {
		return number{reason: fmt.Sprintf("%.40s is not from %d to %d", raw, lowest, highest)}
	}
	return number{value: x}
}

// findObject is the last JSON object of a reply, or why there is none. In
// reasoning it counts only where the text ends with it.
func findObject(r reply) (object map[string]json.RawMessage, reason string) {
	body := strings.TrimSpace(withoutThinking(r.text))
	aside := body == "" && strings.TrimSpace(r.reasoning) != ""
	if aside {
		body = strings.TrimSpace(r.reasoning)
	}
	object, rest, reason := lastObject(body)
	switch {
	case r.empty:
		return nil, reasonNoChoices
	case r.cutOff && (object == nil || aside):
		return nil, reasonCutOff
	case body == "":
		return nil, reasonEmpty
	case aside && (object == nil || strings.Trim(rest, " \t\r\n`") != ""):
		return nil, reasonReasoning
	}
	return object, reason
}

// lastObject finds the last object with a key, and what follows it. A double
// key is a reason against it.
func lastObject(s string) (object map[string]json.RawMessage, rest, reason string) {
	s = s[max(0, len(s)-jsonBytes):]
	reason = reasonUnread
	for tries := 0; tries < jsonTries*jsonTries; tries++ {
		i := strings.IndexByte(s, '{')
		if i < 0 {
			break
		}
		s = s[i:]
		members, size, double, ok := readObject(s)
		if !ok || len(members) == 0 {
			s = s[1:]
			continue
		}
		object, reason = members, ""
		if double != "" {
			reason = fmt.Sprintf("%.40q stands there twice", double)
		}
		s = s[size:]
		rest = s
	}
	return object, rest, reason
}

// readObject reads an object's members at the start of s; double is a key that
// comes twice.
func readObject(s string) (members map[string]json.RawMessage, size int, double string, ok bool) {
	d := json.NewDecoder(strings.NewReader(s))
	if _, err := d.Token(); err != nil { // the brace
		return nil, 0, "", false
	}
	members = map[string]json.RawMessage{}
	for d.More() {
		t, err := d.Token()
		key, isText := t.(string)
		var raw json.RawMessage
		if err != nil || !isText || d.Decode(&raw) != nil {
			return nil, 0, "", false
		}
		if _, there := members[key]; there {
			double = key
		}
		members[key] = bytes.TrimSpace(raw)
	}
	if _, err := d.Token(); err != nil {
		return nil, 0, "", false
	}
	return members, int(d.InputOffset()), double, true
}
