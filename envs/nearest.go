package envs

import (
	"strings"
	"unicode/utf8"
)

// DidYouMean is what to add to an error about a name that isn't among some: the
// one that is nearest to it, as `; did you mean "x"?`, or "" where none is near.
func DidYouMean(name string, names []string) string {
	if name == "" {
		return ""
	}
	length := utf8.RuneCountInString(name)
	best, least := "", 1+length/3 // more edits than that make another word
	for _, n := range names {
		if other := utf8.RuneCountInString(n); max(length, other)-min(length, other) > least {
			continue // each letter more is an edit; and comparing a name of megabytes takes minutes
		}
		if d := edits(strings.ToLower(name), strings.ToLower(n)); d <= least && (best == "" || d < least) {
			best, least = n, d
		}
	}
	if best == "" {
		return ""
	}
	return `; did you mean "` + best + `"?`
}

// edits is the number of letters to insert, delete or replace (Levenshtein 1966).
func edits(a, b string) int {
	from, to := []rune(a), []rune(b)
	row := make([]int, len(to)+1)
	for j := range row {
		row[j] = j
	}
	for i, x := range from {
		diagonal := row[0]
		row[0] = i + 1
		for j, y := range to {
			change := diagonal
			if x != y {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, diagonal+1)
		}
	}
	return row[len(to)]
}
