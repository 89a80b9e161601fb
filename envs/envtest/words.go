package envtest

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"

	"marlpit/envs"
)

// checkWords tests that any ordered pair of states can be put into words, for
// every agent, in both views.
func checkWords(tb testing.TB, s *subject) {
	p := s.play(tb, 5)
	d, ok := envs.As[envs.Describer](p.env)
	if !ok {
		tb.Skip("no Describer")
	}
	if _, ok := envs.As[envs.Snapshotter](p.env); !ok {
		tb.Fatal("words: a Describer needs snapshots, but there is no Snapshotter")
	}
	states := s.moments(tb)
	differ := make([]bool, len(s.spec.Agents)) // guided words have said something else than plain ones
	for _, after := range states {
		if err := p.restore(after); err != nil {
			tb.Fatalf("words: %v", err)
		}
		for _, before := range states {
			for i, name := range s.spec.Agents {
				guided := words(tb, d, before, i, envs.Guided, name)
				plain := words(tb, d, before, i, envs.Plain, name)
				differ[i] = differ[i] || guided != plain
			}
		}
		if !bytes.Equal(snapshot(tb, p), after) {
			tb.Fatal("words: describing changed the game")
		}
	}
	for i, name := range s.spec.Agents {
		if !differ[i] {
			tb.Errorf("words: %s is told the same in the guided and in the plain view", name)
		}
	}
	if !panics(func() { d.AppendWords(nil, []byte("none"), 0, envs.Guided) }) {
		tb.Error("words: a snapshot that is none does not panic")
	}
}

// words asks for one description and tests it.
func words(tb testing.TB, d envs.Describer, before []byte, agent int, view envs.View, name string) string {
	tb.Helper()
	first := d.AppendWords(nil, before, agent, view)
	second := d.AppendWords([]byte("abc"), before, agent, view)
	text := string(first)
	switch {
	case !bytes.HasPrefix(second, []byte("abc")) || string(second[3:]) != text:
		tb.Fatalf("words: AppendWords for %s, %v, doesn't append the same words twice:\n%s\n%s", name, view, first, second)
	case strings.TrimSpace(text) == "" || !utf8.ValidString(text):
		tb.Fatalf("words: for %s, %v: empty, or no UTF-8: %q", name, view, text)
	case strings.Contains(text, "%!"):
		tb.Fatalf("words: for %s, %v: a broken format: %s", name, view, text)
	case !strings.Contains(text, name):
		tb.Fatalf("words: for %s, %v: the agent isn't named: %s", name, view, text)
	}
	return text
}

// moments are snapshots of a game from its start to its end: of random play,
// and of the best play where the world knows it.
func (s *subject) moments(tb testing.TB) [][]byte {
	p := s.play(tb, 5)
	out := [][]byte{snapshot(tb, p)}
	for _, n := range []int{1, 1, 2, 8} {
		p.wander(n)
		out = append(out, snapshot(tb, p))
	}
	if solver, ok := envs.As[envs.Solver](p.env); ok && solver.Prepare() == nil {
		p.reset(6)
		for n := 0; n < horizon && !p.frame.Ended(); n++ {
			p.step(envs.Actions{Choice: solver.AppendBest(nil)})
			if n%4 == 0 || p.frame.Ended() {
				out = append(out, snapshot(tb, p))
			}
		}
	}
	if n := len(out); n > 12 {
		out = append(out[:9:9], out[n-3:]...)
	}
	return out
}
