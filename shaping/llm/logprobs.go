package llm

import (
	"fmt"
	"math"
	"strings"
)

// firstToken returns log P(yes) − log P(no) of the first token that isn't
// blank, or why it can't be read. Spellings ("Yes", " yes", "YES") are summed.
// Of an answer that isn't among the alternatives listed, only an upper bound is
// known: the least probability listed, or what is left of 1; that is taken.
func firstToken(tokens []token, minMass float64) (logit float64, reason string) {
	t, ok := firstWord(tokens)
	if !ok {
		return 0, "no token in the log-probabilities"
	}
	alternatives := t.Top
	if len(alternatives) == 0 {
		alternatives = []token{t}
	}
	var yes, no, sum float64
	least := 1.0
	for _, a := range alternatives {
		if a.LogProb == nil || math.IsNaN(*a.LogProb) || *a.LogProb > 1e-3 {
			return 0, "a log-probability is no number from 0 down"
		}
		p := math.Exp(*a.LogProb)
		sum += p
		least = min(least, p)
		switch spelling(a.Token) {
		case "yes":
			yes += p
		case "no":
			no += p
		}
	}
	if sum > 1.02 {
		return 0, fmt.Sprintf("the probabilities sum to %.2f", sum)
	}
	if yes+no < minMass {
		return 0, fmt.Sprintf("the first token is neither yes nor no (P = %.3g)", yes+no)
	}
	floor := max(min(least, 1-sum), 1e-9)
	return math.Log(max(yes, floor)) - math.Log(max(no, floor)), ""
}

// firstWord is the first token that holds more than blanks.
func firstWord(tokens []token) (token, bool) {
	for _, t := range tokens {
		if spelling(t.Token) != "" {
			return t, true
		}
	}
	return token{}, false
}

// spelling brings a token into the form it is compared in. Ġ and ▁ are how some
// servers show a leading space, Ċ a line break.
func spelling(s string) string {
	return strings.ToLower(strings.Trim(s, " \t\r\n\"'*_`.,:;!ĠĊ▁"))
}

// sigmoid is 1/(1+e^−x).
func sigmoid(x float64) float64 { return 1 / (1 + math.Exp(-x)) }
