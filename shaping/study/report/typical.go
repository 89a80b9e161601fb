package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"marlpit/envs"
)

const (
	maxStates = 4    // typical states that are shown
	maxParts  = 4    // of a label
	playSteps = 2000 // of random play, where nobody knows how to play well
)

// moment is a state that is typical of a stage of the game.
type moment struct {
	label    string
	snapshot []byte
	state    []float32
	flags    []float32 // of the state, as flagsOf picks them
}

// typical plays the world from seed 0 (on a path of least work where it has a
// solver, else at random) and returns the start and the first state in which
// each new combination of flags is met (a door that is open now, a victim that
// is saved), those with few changes first. Ended states aren't among them. How
// says what was played.
func (s *scene) typical() (found []moment, how string) {
	seen, how := s.play()
	flags := flagsOf(s.spec.StateField, seen)
	for i := range seen {
		m := &seen[i]
		for _, k := range flags {
			m.flags = append(m.flags, m.state[k.at])
		}
		if !slices.ContainsFunc(found, func(o moment) bool { return slices.Equal(o.flags, m.flags) }) {
			m.label = labelOf(flags, seen[0].flags, m.flags)
			found = append(found, *m)
		}
	}
	start := found[0].flags
	slices.SortStableFunc(found, func(a, b moment) int {
		return cmp.Compare(changes(start, a.flags), changes(start, b.flags))
	})
	return spread(found, maxStates), how
}

// changes is the number of flags that differ.
func changes(a, b []float32) (n int) {
	for i := range a {
		if a[i] != b[i] {
			n++
		}
	}
	return n
}

// spread keeps at most n, the first and the last among them.
func spread(all []moment, n int) []moment {
	if len(all) <= n {
		return all
	}
	var out []moment
	for i := range n {
		out = append(out, all[i*(len(all)-1)/(n-1)])
	}
	return out
}

// play collects states that aren't ends, and says how.
func (s *scene) play() (seen []moment, how string) {
	keep := func() {
		seen = append(seen, moment{snapshot: s.snap.AppendSnapshot(nil), state: slices.Clone(s.frame.State)})
	}
	s.env.Reset(0, s.frame)
	keep()
	actions := envs.NewActions(s.spec)
	if solver, ok := envs.As[envs.Solver](s.env); ok && !s.spec.Continuous() && solver.Prepare() == nil {
		how = "on a path of least work from the start of seed 0"
		for range 500 {
			actions.Choice = solver.AppendBest(actions.Choice[:0])
			if s.env.Step(actions, s.frame); s.frame.Ended() {
				return seen, how
			}
			keep()
		}
		return seen, how
	}
	how = fmt.Sprintf("in %s steps of random play from seed 0", grouped(playSteps))
	var rng envs.Rand
	rng.Seed(0)
	for episode := 1; len(seen) < playSteps; {
		envs.DrawLegal(s.spec, s.frame.Mask, &rng, actions)
		if s.env.Step(actions, s.frame); s.frame.Ended() {
			s.env.Reset(envs.EpisodeSeed(0, 0, episode), s.frame)
			episode++
		}
		keep()
	}
	return seen, how
}

// flag is one element of the state that is 0 or 1.
type flag struct {
	name string
	at   int
}

// flagsOf picks the elements of the state that are nothing but 0 and 1 in what
// was seen and differ there. Fields of which exactly one element is 1, as with a
// one-hot place, aren't flags.
func flagsOf(fields []envs.Field, seen []moment) []flag {
	var out []flag
	at := 0
	for _, f := range fields {
		if binary, oneHot := kindOf(seen, at, f.Size); binary && !oneHot {
			for k := range f.Size {
				name := strings.ReplaceAll(f.Name, "_", " ")
				if f.Size > 1 {
					name = fmt.Sprintf("%s %d", name, k)
				}
				out = append(out, flag{name, at + k})
			}
		}
		at += f.Size
	}
	return out
}

func kindOf(seen []moment, at, size int) (binary, oneHot bool) {
	oneHot = size > 1
	for _, m := range seen {
		sum := float32(0)
		for _, v := range m.state[at : at+size] {
			if v != 0 && v != 1 {
				return false, false
			}
			sum += v
		}
		oneHot = oneHot && sum == 1
	}
	return true, oneHot
}

// labelOf says in words what differs from the start.
func labelOf(flags []flag, start, now []float32) string {
	var parts []string
	for i, f := range flags {
		switch {
		case start[i] == now[i]:
		case now[i] == 1:
			parts = append(parts, f.name)
		default:
			parts = append(parts, "no longer "+f.name)
		}
	}
	if len(parts) == 0 {
		return "at the start"
	}
	if more := len(parts) - maxParts; more > 1 {
		parts = append(parts[:maxParts], fmt.Sprintf("%d more", more))
	}
	return strings.Join(parts, ", ")
}
