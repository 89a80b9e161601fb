package envtest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"marlpit/envs"
	"marlpit/envs/envtest/worlds"
)

func world(t *testing.T, id string) envs.Entry {
	t.Helper()
	e, err := envs.NewRegistry(worlds.Entries()...).Find(id)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func TestCases(t *testing.T) {
	for _, name := range []string{"uneven", "pixels", "stages"} {
		t.Run(name, func(t *testing.T) { Cases(t, world(t, "test-"+name+"-v0"), "testdata/"+name) })
	}
}

func TestGolden(t *testing.T) {
	for _, name := range []string{"count", "uneven", "pixels", "stages"} {
		t.Run(name, func(t *testing.T) { Golden(t, world(t, "test-"+name+"-v0"), "testdata/"+name+".golden") })
	}
}

// A case whose expectation is wrong gets the true one, whose line differs.
func TestCasesFindADifference(t *testing.T) {
	got, err := playCase(world(t, "test-count-v0"), "params length=1\nreset\n| rewards 0 0\nstep\n| rewards 0 1\n")
	if err != nil {
		t.Fatal(err)
	}
	want := "params length=1\nreset\n| rewards 0 0\nstep\n| rewards 1 1\n| success agent_0 agent_1\n| terminated agent_0 agent_1\n"
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if line, a, b := firstDifference(got, strings.Replace(want, "1 1", "0 1", 1)); line != 5 || a != "| rewards 1 1" || b != "| rewards 0 1" {
		t.Errorf("first difference in line %d: %q, %q", line, a, b)
	}
}

func TestCasesRefuseBadCommands(t *testing.T) {
	for text, want := range map[string]string{
		"jump":                        `1: "jump": want params`,
		"step":                        "before the first reset",
		"reset\nstep bob=left":        `2: step: no agent "bob": there are mover_0, talker_0`,
		"reset\nstep mover_0=left":    "want 2 choices",
		"reset\nstep mover_0=up,rest": `no choice "up": there are stay, left, right`,
		"reset\nstep x0":              "want agent=choice or xN",
		"params cells=99":             "cells is an integer from 2 to 20",
		"params cells":                "want key=value",
		"seed -1":                     "invalid syntax",
		"board\n> a":                  "no Starter",
	} {
		if _, err := playCase(world(t, "test-uneven-v0"), text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q", text, err, want)
		}
	}
}

func TestCompare(t *testing.T) {
	if Update() {
		t.Skip("would write")
	}
	file := filepath.Join(t.TempDir(), "golden.txt")
	for _, c := range []struct{ write, says string }{
		{"", "the flag -update writes it"},
		{"one\ntwo\n", ""},
		{"one\nthree\n", "golden.txt:2: got\n\ttwo\nwant\n\tthree"},
		{"one\n", "golden.txt:2: got\n\ttwo\nwant\n\t\n"},
		{"one\ntwo\nfour", "want\n\tfour"},
	} {
		if c.write != "" {
			if err := os.WriteFile(file, []byte(c.write), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		f, done := &fakeTB{}, make(chan struct{})
		go func() {
			defer close(done)
			compare(f, file, "one\ntwo\n")
		}()
		<-done
		if said := strings.Join(f.said, "\n"); !strings.Contains(said, c.says) || f.failed != (c.says != "") {
			t.Errorf("a file of %q: said %q, want %q", c.write, said, c.says)
		}
	}
}
