package envtest

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"marlpit/envs"
)

// Starter is an ability for tests: to begin from a drawn board. A world that
// wants boards in its case files gets the method in a test file of its own
// package. Start writes the frame as Restore does.
type Starter interface {
	Start(board string, out *envs.Frame) error
}

// Cases plays the files *.case in a directory. A file is lines of commands with
// the expectations, marked by a bar, under those that show something:
//
//	# a comment
//	params agents=2 view=radius
//	seed 3
//	reset
//	| #####
//	| #a.b#
//	| #####
//	| rewards 0 0
//	step agent_0=right agent_1=stay
//	| #####
//	| #.ab#
//	| #####
//	| rewards 0 0
//	step *=stay x3
//	| …
//
// The commands: `params` builds the environment (defaults without it), `seed` is
// the seed of the resets that follow (0 without it), `reset` resets, `board`
// starts from the board in the lines under it, each marked by > (for worlds that
// are a Starter), and `step` plays a joint action by names, xN times; * is all
// agents, those left out do the no-op; choices of several dimensions and boxes are
// joined by commas; a space in a name is written _. Shown are the board where the
// world draws one, rewards, the team's where they differ, and who has
// succeeded, terminated or been truncated.
//
// The flag -update rewrites the expectations.
func Cases(t *testing.T, entry envs.Entry, dir string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.case"))
	if err != nil || len(files) == 0 {
		t.Fatalf("cases: no files *.case in %s", dir)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".case"), func(t *testing.T) { runCase(t, entry, file) })
	}
}

func runCase(tb testing.TB, entry envs.Entry, file string) {
	tb.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		tb.Fatal(err)
	}
	got, err := playCase(entry, string(text))
	if err != nil {
		tb.Fatalf("%s:%v", file, err)
	}
	compare(tb, file, got)
}

// script is a case being played.
type script struct {
	entry envs.Entry
	p     *player // nil before the first reset
	env   envs.Env
	seed  uint64
}

// playCase plays the commands of a text and returns it with the expectations
// that are true. Errors begin with the number of their line.
func playCase(entry envs.Entry, text string) (string, error) {
	s := &script{entry: entry}
	var out strings.Builder
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		if strings.HasPrefix(line, "|") {
			continue
		}
		out.WriteString(line + "\n")
		var board strings.Builder
		for strings.HasPrefix(line, "board") && i+1 < len(lines) && strings.HasPrefix(lines[i+1], ">") {
			i++
			out.WriteString(lines[i] + "\n")
			board.WriteString(strings.TrimPrefix(strings.TrimPrefix(lines[i], ">"), " ") + "\n")
		}
		shown, err := s.command(strings.Fields(line), board.String())
		if err != nil {
			return "", fmt.Errorf("%d: %w", i+1, err)
		}
		for _, l := range strings.Split(shown, "\n") {
			if l != "" || shown != "" {
				out.WriteString(strings.TrimRight("| "+l, " ") + "\n")
			}
		}
	}
	return out.String(), nil
}

// command plays one line and returns what it shows.
func (s *script) command(words []string, board string) (string, error) {
	if len(words) == 0 || strings.HasPrefix(words[0], "#") {
		return "", nil
	}
	if s.env == nil && words[0] != "params" {
		if err := s.build(nil); err != nil {
			return "", err
		}
	}
	switch words[0] {
	case "params":
		return "", s.build(words[1:])
	case "seed":
		seed, err := strconv.ParseUint(strings.Join(words[1:], " "), 10, 64)
		s.seed = seed
		return "", err
	case "reset":
		s.p = newPlayer(s.env, 0)
		s.p.reset(s.seed)
	case "board":
		start, ok := envs.As[Starter](s.env)
		if !ok {
			return "", fmt.Errorf("board: %s is no Starter", s.entry.ID)
		}
		s.p = newPlayer(s.env, 0)
		s.p.reset(s.seed)
		if err := start.Start(board, s.p.frame); err != nil {
			return "", err
		}
	case "step":
		if s.p == nil {
			return "", fmt.Errorf("step: before the first reset")
		}
		if err := s.step(words[1:]); err != nil {
			return "", err
		}
	default:
		return "", fmt.Errorf("%q: want params, seed, reset, board or step", words[0])
	}
	return strings.TrimSuffix(stateText(s.env, s.p.frame), "\n"), nil
}
