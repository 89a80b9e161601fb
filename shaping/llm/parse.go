package llm

import (
	"encoding/json"
	"regexp"
	"strings"
)

// Reasons of invalid votes.
const (
	reasonNoChoices = "no choices in the reply"
	reasonEmpty     = "no content in the reply"
	reasonReasoning = "no content, only reasoning without a stated answer"
	reasonCutOff    = "cut off by the length limit before an answer"
	reasonUnread    = "no readable answer"
	reasonBoth      = "more than one answer"
)

// options are the words an answer may be, in lower case.
type options []string

var (
	yesNo = options{"yes", "no"}
	aOrB  = options{"a", "b", "same"}
)

// answerKeys are the JSON members an answer is looked for in.
var answerKeys = []string{"answer", "verdict", "choice", "better", "preference"}

// stated matches "Answer: yes", "The answer is **B**." and the like.
var stated = regexp.MustCompile("(?i)\\b(?:answer|verdict|choice)\\b[\"'*_`]*\\s*(?:is\\s*:?|:|=)\\s*[\"'*_`(\\[]*([a-z]+)\\b")

// readAnswer finds the answer in a reply, or says why there is none.
func readAnswer(r reply, among options) (answer, reason string) {
	body := withoutThinking(r.text)
	switch {
	case r.empty:
		return "", reasonNoChoices
	case strings.TrimSpace(body) != "":
		answer, reason = among.read(body)
	case strings.TrimSpace(r.reasoning) != "" && !r.cutOff:
		// Some servers put everything into the reasoning. Only an answer that
		// is stated as one counts there.
		if answer = among.readStated(r.reasoning); answer == "" {
			reason = reasonReasoning
		}
	default:
		reason = reasonEmpty
	}
	if answer == "" && r.cutOff {
		reason = reasonCutOff
	}
	return answer, reason
}

// withoutThinking cuts off what stands between think tags; an open one never ended.
func withoutThinking(s string) string {
	if i := strings.LastIndex(s, "</think>"); i >= 0 {
		return s[i+len("</think>"):]
	}
	if strings.HasPrefix(strings.TrimSpace(s), "<think>") {
		return ""
	}
	return s
}

// read looks for JSON, then for a stated answer, then for an answer that is
// the first word or the whole last line.
func (o options) read(s string) (answer, reason string) {
	if value, ok := jsonAnswer(s); ok {
		if a := o.match(value); a != "" {
			return a, ""
		}
		return "", reasonUnread
	}
	if a := o.readStated(s); a != "" {
		return a, ""
	}
	lines := strings.Split(strings.TrimSpace(s), "\n")
	first, last := lines[0], lines[len(lines)-1]
	word, rest, _ := strings.Cut(strings.TrimLeft(first, " \t\"'*_`(["), " ")
	a := o.match(word)
	decided := a != "" && (rest == "" || strings.ContainsAny(word, ".,:;)!")) // "B, because A …"
	switch b := o.match(last); {
	case decided && b != "" && a != b, !decided && b == "" && o.count(first) > 1:
		return "", reasonBoth
	case decided:
		return a, ""
	case b != "":
		return b, ""
	case len(a) > 1:
		return a, "" // "yes it did"; but "A move like this …" names no answer
	}
	return "", reasonUnread
}

// readStated returns the last answer that is stated as one.
func (o options) readStated(s string) string {
	answer := ""
	for _, m := range stated.FindAllStringSubmatch(s, -1) {
		if a := o.match(m[1]); a != "" {
			answer = a
		}
	}
	return answer
}

// match returns the option that s is, apart from case, quotes and punctuation.
func (o options) match(s string) string {
	s = strings.ToLower(strings.Trim(s, " \t\r\n\"'*_`.,:;!()[]-"))
	for _, a := range o {
		if s == a {
			return a
		}
	}
	return ""
}

// count is the number of different options among the words of s. Letters count
// in capitals only: "a" is an English word.
func (o options) count(s string) int {
	n := 0
	words := strings.FieldsFunc(s, func(r rune) bool { return !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z') })
	for _, a := range o {
		for _, w := range words {
			if len(a) == 1 && w == strings.ToUpper(a) || len(a) > 1 && strings.EqualFold(w, a) {
				n++
				break
			}
		}
	}
	return n
}

// Bounds on the search for JSON, so that hostile text costs nothing: bytes
// from the end, closing braces, and opening braces for each.
const (
	jsonBytes = 1 << 15
	jsonTries = 16
)

// jsonAnswer finds the last JSON object in s, in fences or after prose, that
// has an answer.
func jsonAnswer(s string) (string, bool) {
	s = s[max(0, len(s)-jsonBytes):]
	end := strings.LastIndexByte(s, '}')
	for ends := 0; end >= 0 && ends < jsonTries; ends++ {
		start := strings.LastIndexByte(s[:end], '{')
		for starts := 0; start >= 0 && starts < jsonTries; starts++ {
			if answer, ok := objectAnswer(s[start : end+1]); ok {
				return answer, true
			}
			start = strings.LastIndexByte(s[:start], '{')
		}
		end = strings.LastIndexByte(s[:end], '}')
	}
	return "", false
}

// objectAnswer reads the answer of a JSON object, "" where it is no text.
func objectAnswer(s string) (string, bool) {
	var object map[string]any
	if json.Unmarshal([]byte(s), &object) != nil {
		return "", false
	}
	for _, key := range answerKeys {
		switch v := object[key].(type) {
		case nil:
		case string:
			return v, true
		case bool:
			return map[bool]string{true: "yes", false: "no"}[v], true
		default:
			return "", true
		}
	}
	return "", false
}
