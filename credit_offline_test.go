package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marlpit/shaping/shapingtest"
)

// TestOfflineReplaysToTheByte asks once, throws the votes away, and has them
// made again with nobody to ask: votes and model come out the same.
func TestOfflineReplaysToTheByte(t *testing.T) {
	long(t)
	says := func(r shapingtest.Request) shapingtest.Verdict {
		user := r.User()
		if strings.Contains(user, "yes or no") {
			if strings.Contains(user, "forward") == (len(user)%3 > 0) {
				return shapingtest.Verdict{Text: "Yes.", First: map[string]float64{"Yes": 0.8, "no": 0.2}}
			}
			return shapingtest.Verdict{Text: "No.", First: map[string]float64{"Yes": 0.3, "no": 0.7}}
		}
		if keys := r.Keys(); keys != nil {
			return shapingtest.Verdict{Text: `{"` + keys[0] + `": 7, "` + keys[1] + `": 4}`}
		}
		return shapingtest.Verdict{Text: []string{"A", "B", "Both"}[len(user)%3]}
	}
	for name, c := range map[string]struct {
		fault shapingtest.Fault
		args  string
	}{
		"log-probabilities":     {"", "--model m"},
		"auto falls on pairs":   {shapingtest.NoLogProbs, "--model m --queries 2"},
		"samples":               {shapingtest.NoLogProbs, "--model m --ask fr --samples 3"},
		"a name without either": {"", "--model o3-mini --samples 2"},
		"scores":                {shapingtest.NoFormat, "--model m --ask score"},
		"all agents at once":    {"", "--model m --ask all --queries 2"},
	} {
		t.Run(name, func(t *testing.T) {
			path := voteFile(t, 40)
			s := shapingtest.NewServer(t, says)
			s.Always(c.fault)
			args := append([]string{"label", "--db", path, "--critic", "openai"}, strings.Fields(c.args)...)
			var l labelled
			programJSON(t, &l, append(args, "--base-url", s.URL, "--concurrency", "4")...)
			require.Zero(t, l.Unasked)
			fit := func() []byte {
				t.Helper()
				out := filepath.Join(filepath.Dir(path), "line.credit")
				code, _, errs := program("fit", "--db", path, "--out", out)
				require.Zero(t, code, errs)
				b, err := os.ReadFile(out)
				require.NoError(t, err)
				return b
			}
			want, replies := query(t, path, votesOf), query(t, path, repliesOf)
			var model []byte
			if name == "log-probabilities" {
				model = fit()
			}
			query(t, path, `DELETE FROM vote_requests`)
			query(t, path, `DELETE FROM votes`)
			require.Empty(t, query(t, path, votesOf))

			asked := len(s.Requests())
			programJSON(t, &l, append(args, "--offline")...)
			assert.Equal(t, []int{0, 0}, []int{l.Unasked, l.Requests})
			assert.Equal(t, asked, len(s.Requests()))
			assert.Equal(t, want, query(t, path, votesOf))
			assert.Equal(t, replies, query(t, path, repliesOf))
			if model != nil {
				assert.Equal(t, model, fit(), "the model too")
			}
		})
	}
}
