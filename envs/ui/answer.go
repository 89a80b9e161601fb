package ui

import (
	"encoding/json"
	"fmt"
	"strings"
)

// answerParts splits an answer of several fields; nil where it isn't one.
func answerParts(answer string, fields []AnswerField) []string {
	var parts []string
	if strings.HasPrefix(strings.TrimSpace(answer), "{") {
		var object map[string]any
		if json.Unmarshal([]byte(answer), &object) != nil || len(object) != len(fields) {
			return nil
		}
		for _, f := range fields {
			v, ok := object[f.Name]
			if !ok {
				return nil
			}
			parts = append(parts, fmt.Sprint(v))
		}
		return parts
	}
	for _, p := range strings.FieldsFunc(answer, func(r rune) bool { return r == ',' || r == '\n' || r == ';' }) {
		if p = strings.TrimSpace(p); p != "" {
			parts = append(parts, p)
		}
	}
	return parts
}
