package shaping

import (
	"regexp"
	"strconv"
	"strings"
)

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
