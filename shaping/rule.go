package shaping

import (
	"context"
	"regexp"
	"strconv"
	"strings"
)

// Rule is the critic without a model: it reads the words a language model is
// shown and compares. A claim about a model that was shown guided words has to
// beat it.
//
// It reads what is told between "Before" and the end of that sentence, and
// between "Now" and the end of that one, and decides by the first of these that
// differs:
//
//  1. what is told to be undone (closed, locked, buried, not pressed …): less is better;
//  2. the sum of the numbers told of the agent itself, that is, up to the first
//     semicolon: less is better. Guided words tell one number there, the way to
//     the next goal; plain words tell every distance.
//
// Words in which neither differs are a tie.
type Rule struct{}

// NewRule returns the rule.
func NewRule() Rule { return Rule{} }

// Name is "rule" with the version of what it compares.
func (Rule) Name() string { return "rule version=1" }

// Ask compares. Words without a "Before" and a "Now" are an invalid vote.
func (Rule) Ask(ctx context.Context, q Question) (Answer, error) {
	if err := ctx.Err(); err != nil {
		return Answer{}, err
	}
	was, now := sentence(q.Forward, "Before"), sentence(q.Forward, "Now")
	if was == "" || now == "" {
		return Answer{Vote: Invalid, Reason: `the words have no sentence with "Before" and none with "Now"`}, nil
	}
	for _, measure := range []func(string) int{undone, ownNumbers} {
		if a, b := measure(was), measure(now); a != b {
			return sure(b < a), nil
		}
	}
	return Answer{Vote: Tie, Confidence: 0.5}, nil
}

// sentence is what follows a word, up to the end of its sentence.
func sentence(text, word string) string {
	for _, mark := range []string{word + ":", word + ",", word + " "} {
		if _, after, ok := strings.Cut(text, mark); ok {
			s, _, _ := strings.Cut(after, ".")
			return s
		}
	}
	return ""
}

// undoneWords say of a thing that work on it is left.
var undoneWords = map[string]bool{"not": true, "closed": true, "locked": true, "shut": true, "blocked": true, "buried": true}

func undone(s string) int {
	n := 0
	for _, w := range wordsOf(s) {
		if undoneWords[w] {
			n++
		}
	}
	return n
}

// ownNumbers sums the numbers of the first clause.
func ownNumbers(s string) int {
	own, _, _ := strings.Cut(s, ";")
	sum := 0
	for _, n := range numbers(own) {
		sum += n
	}
	return sum
}

var word = regexp.MustCompile(`[\pL\pN_]+(-[\pL\pN_]+)*`)

func wordsOf(s string) []string { return word.FindAllString(strings.ToLower(s), -1) }

// numbers finds the numbers of a text, in digits or as words up to "nine
// hundred and ninety-nine".
func numbers(s string) []int {
	var out []int
	ws := wordsOf(s)
	for i := 0; i < len(ws); i++ {
		n, ok := number(ws[i])
		if !ok {
			continue
		}
		if i+1 < len(ws) && ws[i+1] == "hundred" {
			n, i = 100*n, i+1
			if i+2 < len(ws) && ws[i+1] == "and" {
				if rest, ok := number(ws[i+2]); ok {
					n, i = n+rest, i+2
				}
			}
		}
		out = append(out, n)
	}
	return out
}

var numberWords = func() map[string]int {
	out := map[string]int{}
	for i, w := range strings.Fields(`zero one two three four five six seven eight nine ten eleven twelve
		thirteen fourteen fifteen sixteen seventeen eighteen nineteen`) {
		out[w] = i
	}
	for i, w := range strings.Fields("twenty thirty forty fifty sixty seventy eighty ninety") {
		out[w] = 10 * (i + 2)
	}
	return out
}()

// number reads one word: "7", "seven", "forty", "forty-two".
func number(w string) (int, bool) {
	if n, err := strconv.Atoi(w); err == nil && n >= 0 {
		return n, true
	}
	if n, ok := numberWords[w]; ok {
		return n, true
	}
	if tens, ones, ok := strings.Cut(w, "-"); ok {
		t, okT := numberWords[tens]
		o, okO := numberWords[ones]
		return t + o, okT && okO && t >= 20 && o > 0 && o < 10
	}
	return 0, false
}
