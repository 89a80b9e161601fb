package envs

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// Many is the greatest number of names that are written in one line.
const Many = 20

// Among is what an error says of a name that isn't among some: the one that was
// meant, where one is near, then those there are. Of more than Many it gives a
// few, those that begin like the name first, and then where, such as "'marlpit
// envs phone-v1' lists them"; that may be "".
func Among(name string, names []string, where string) string {
	there := "there are " + strings.Join(names, ", ")
	if len(names) > Many {
		there = fmt.Sprintf("there are %d, such as %s", len(names), strings.Join(alike(name, names, 5), ", "))
		if where != "" {
			there += "; " + where
		}
	}
	if near := nearest(name, names); near != "" {
		return `did you mean "` + near + `"? T` + there[1:]
	}
	return there
}

// alike gives n of the names, in their order: those that share most of the
// name's beginning.
func alike(name string, names []string, n int) []string {
	common := func(other string) int {
		i := 0
		for i < min(len(name), len(other)) && strings.EqualFold(name[i:i+1], other[i:i+1]) {
			i++
		}
		return i
	}
	out := slices.Clone(names)
	slices.SortStableFunc(out, func(a, b string) int { return common(b) - common(a) })
	return out[:n]
}

// DidYouMean is what to add to an error about a name that isn't among some: the
// one that is nearest to it, as `; did you mean "x"?`, or "" where none is near.
func DidYouMean(name string, names []string) string {
	if near := nearest(name, names); near != "" {
		return `; did you mean "` + near + `"?`
	}
	return ""
}

// nearest is the name that is nearest to one that isn't among them, "" where
// none is near.
func nearest(name string, names []string) string {
	if name == "" {
		return ""
	}
	length := utf8.RuneCountInString(name)
	best, least := "", 1+length/3 // more edits than that make another word
	for _, n := range names {
		if other := utf8.RuneCountInString(n); max(length, other)-min(length, other) > least {
			continue // each letter more is an edit; and comparing a name of megabytes takes minutes
		}
		if length < 5 && !strings.EqualFold(name[:1], n[:min(1, len(n))]) {
			continue // two edits make anything of a short word, but few mistakes are in its first letter
		}
		if d := edits(strings.ToLower(name), strings.ToLower(n)); d <= least && (best == "" || d < least) {
			best, least = n, d
		}
	}
	return best
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
