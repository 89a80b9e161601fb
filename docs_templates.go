package main

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"marlpit/envs"
	"marlpit/envs/ui"
)

// writeTemplates lists the task templates of a world of user interfaces.
func writeTemplates(b *bytes.Buffer, env envs.Env) {
	g, ok := envs.As[*ui.Game](env)
	if !ok {
		return
	}
	var rows [][]string
	for _, t := range g.Templates() {
		var notes []string
		if s := g.Belongs(t); s != "train" {
			notes = append(notes, s)
		}
		if t.Easy {
			notes = append(notes, "easy")
		}
		rows = append(rows, []string{code(t.Name), strings.Join(t.Apps, ", "), string(t.Kind), fmt.Sprint(t.Level), fmt.Sprint(t.MaxTurns), t.Summary, strings.Join(notes, ", ")})
	}
	fmt.Fprintf(b, "\n%d templates. Those noted as easy are solved by random play in more than one episode in twenty; how far a solution's turns lie below the limit depends on the seed.\n", len(rows))
	table(b, "Templates", []string{"template", "apps or pages", "kind", "level", "turns", "asks for", "notes"}, rows)
}

var number = regexp.MustCompile(`\d+`)

// lastNumber replaces the last number in a text.
func lastNumber(s string) string {
	if at := number.FindAllStringIndex(s, -1); at != nil {
		last := at[len(at)-1]
		return s[:last[0]] + "#" + s[last[1]:]
	}
	return s
}

// merged shortens a long table: of rows that differ from earlier ones in the
// last number of a column only, each run becomes one row from its first to its last.
func merged(rows [][]string, column int) [][]string {
	const long = 40
	if len(rows) <= long {
		return rows
	}
	seen := map[string]bool{}
	var out [][]string
	var run [2][]string // first and last row of the one under way
	flush := func() {
		if first, last := run[0], run[1]; first != nil {
			row := slices.Clone(first)
			for _, c := range []int{0, column} {
				if from, to := begin(first[c]), end(last[c]); from != to {
					row[c] = from + " … " + to
				}
			}
			out = append(out, row)
		}
		run = [2][]string{}
	}
	for _, row := range rows {
		pattern := lastNumber(row[column])
		if seen[pattern] {
			if run[0] == nil {
				run[0] = row
			}
			run[1] = row
			continue
		}
		flush()
		seen[pattern] = true
		out = append(out, row)
	}
	flush()
	return out
}

// begin and end are the ends of what may be a range already.
func begin(s string) string { from, _, _ := strings.Cut(s, " … "); return from }

func end(s string) string {
	if _, to, ok := strings.Cut(s, " … "); ok {
		return to
	}
	return s
}
