package shaping

import (
	"context"
	"regexp"
	"strings"
)

// Rule is the critic without a model: it reads the words a language model is
// shown, and compares. What is claimed of a model has to beat it, above all
// where the words were guided.
//
// It reads the sentence that "Before" begins and the one that "Now" begins, and
// decides by the first of these that differs:
//
//  1. how much is told to be undone (not pressed, closed, locked …): less is better;
//  2. how far the agent itself is from what is next: nearer is better. Next is
//     the nearest thing that was undone before; where none was, the last thing
//     that a distance is told of. Guided words tell one distance alone, the way
//     to the next goal. Where the words say nothing of "away from", all numbers
//     of the first clause are added.
//
// Words in which neither differs, or no distance is told on one side, are a tie.
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
	open := undone(was)
	if a, b := len(open), len(undone(now)); a != b {
		return sure(b < a), nil
	}
	a, toldA := way(was, open)
	b, toldB := way(now, open)
	if !toldA || !toldB || a == b {
		return Answer{Vote: Tie, Confidence: 0.5}, nil
	}
	return sure(b < a), nil
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

var (
	notYet = regexp.MustCompile(`(?:^|[,;]) *([^,;]+?) (?:is|was) (?:not|closed|locked|shut|blocked)\b`)
	awayOf = regexp.MustCompile(`([^,;]+) [\pL]+ away from ([^,;]+)`)
)

// undone are the things that are told to be.
func undone(s string) map[string]bool {
	out := map[string]bool{}
	for _, m := range notYet.FindAllStringSubmatch(s, -1) {
		out[strings.TrimSpace(m[1])] = true
	}
	return out
}

// way is the agent's own to the nearest of what was undone, else to the last
// thing told; false where none is told.
func way(s string, open map[string]bool) (steps int, told bool) {
	own, _, _ := strings.Cut(s, ";")
	near, last := -1, -1
	for _, m := range awayOf.FindAllStringSubmatch(own, -1) {
		n := numbers(m[1])
		if len(n) == 0 {
			continue
		}
		last = n[len(n)-1]
		if open[strings.TrimSpace(m[2])] && (near < 0 || last < near) {
			near = last
		}
	}
	switch {
	case near >= 0:
		return near, true
	case last >= 0:
		return last, true
	}
	all := numbers(own)
	for _, n := range all {
		steps += n
	}
	return steps, len(all) > 0
}
