package main

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"marlpit/envs"
)

// agentGroup is a run of agents for which a table is the same.
type agentGroup struct {
	first  int // index of one of them
	agents []string
}

// group puts agents of one key together, in the order of the spec.
func group(s *envs.Spec, key func(agent int) string) []agentGroup {
	var groups []agentGroup
	at := map[string]int{}
	for i, name := range s.Agents {
		k := key(i)
		j, ok := at[k]
		if !ok {
			j = len(groups)
			at[k] = j
			groups = append(groups, agentGroup{first: i})
		}
		groups[j].agents = append(groups[j].agents, name)
	}
	return groups
}

// of names the group's agents for a title, unless they are all there are.
func (g agentGroup) of(s *envs.Spec) string {
	if len(g.agents) == len(s.Agents) {
		return ""
	}
	return " of " + strings.Join(g.agents, ", ")
}

// table writes a Markdown table under a title of the third level.
func table(b *bytes.Buffer, title string, head []string, rows [][]string) {
	fmt.Fprintf(b, "\n### %s\n\n| %s |\n|%s\n", title, strings.Join(head, " | "), strings.Repeat("---|", len(head)))
	for _, row := range rows {
		cells := make([]string, len(row))
		for i, c := range row {
			cells[i] = strings.NewReplacer("|", `\|`, "\n", " ").Replace(c)
		}
		fmt.Fprintf(b, "| %s |\n", strings.Join(cells, " | "))
	}
}

func code(words ...string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = "`" + w + "`"
	}
	return strings.Join(quoted, ", ")
}

func unique(words []string) []string {
	var out []string
	for _, w := range words {
		if !slices.Contains(out, w) {
			out = append(out, w)
		}
	}
	return out
}

func spaceWords(s envs.Space) string {
	switch s.Kind {
	case envs.Discrete:
		return fmt.Sprintf("one of %d choices", s.N[0])
	case envs.MultiDiscrete:
		return fmt.Sprintf("choices of %v", s.N)
	}
	return fmt.Sprintf("%s %v, %v … %v", s.Dtype, s.Shape, slices.Min(s.Low), slices.Max(s.High))
}

// abilities names what env can do beside being stepped, in the words of the
// wire's spec.abilities.
func abilities(env envs.Env) []string {
	var out []string
	add := func(name string, ok bool) {
		if ok {
			out = append(out, name)
		}
	}
	add("describe", has[envs.Describer](env))
	add("draw", has[envs.Drawer](env))
	add("snapshot", has[envs.Snapshotter](env))
	add("clone", has[envs.Cloner](env))
	add("solve", has[envs.Solver](env))
	add("focus", has[envs.Focuser](env))
	add("expert", has[envs.DenseRewarder](env))
	return out
}

func has[T any](env envs.Env) bool {
	_, ok := envs.As[T](env)
	return ok
}
