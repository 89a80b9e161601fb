package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marlpit/shaping/shapingtest"
)

// provider answers a file of requests as a batch API does: results out of
// order, refusals among them.
func provider(t *testing.T, s *shapingtest.Server, requests string) (results string) {
	t.Helper()
	in, err := os.ReadFile(requests)
	require.NoError(t, err)
	var lines []string
	for i, line := range bytes.Split(bytes.TrimSpace(in), []byte("\n")) {
		var l struct {
			CustomID string          `json:"custom_id"`
			Method   string          `json:"method"`
			URL      string          `json:"url"`
			Body     json.RawMessage `json:"body"`
		}
		require.NoError(t, json.Unmarshal(line, &l))
		assert.Equal(t, []string{"POST", "/v1/chat/completions"}, []string{l.Method, l.URL})
		assert.Len(t, l.CustomID, 64)
		res, err := http.Post(s.URL+l.URL, "application/json", bytes.NewReader(l.Body))
		require.NoError(t, err)
		var body bytes.Buffer
		_, err = body.ReadFrom(res.Body)
		require.NoError(t, err)
		require.NoError(t, res.Body.Close())
		lines = append([]string{fmt.Sprintf(`{"id":"batch_req_%d","custom_id":%q,"response":{"status_code":%d,"request_id":"r%d","body":%s},"error":null}`,
			i, l.CustomID, res.StatusCode, i, bytes.TrimSpace(body.Bytes()))}, lines...)
	}
	out := filepath.Join(t.TempDir(), "results.jsonl")
	require.NoError(t, os.WriteFile(out, []byte(strings.Join(lines, "\n")), 0o600))
	return out
}

// says answers by the words, differently in each way of asking.
func says(r shapingtest.Request) shapingtest.Verdict {
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

const (
	batchVotes = `SELECT transition, agent, a.name, query, vote, confidence, flipped, reason FROM votes JOIN annotators a ON a.id = annotator ORDER BY 3, 1, 2, 4`
	batchAsked = `SELECT key, question, query, prompt, body, rtrim(CAST(reply AS TEXT), char(10)), status, prompt_tokens, completion_tokens, cost, currency FROM requests WHERE answered = 1 ORDER BY key`
)

// TestBatchesGiveTheVotesOfLiveLabelling labels two equal files, one live, one
// through batches, until nothing is missing.
func TestBatchesGiveTheVotesOfLiveLabelling(t *testing.T) {
	for name, c := range map[string]struct {
		fault  shapingtest.Fault
		args   string
		rounds int
	}{
		"log-probabilities":     {"", "--model m --price-in 1 --price-out 2 --currency EUR", 1},
		"auto falls on pairs":   {shapingtest.NoLogProbs, "--model m --queries 2", 2},
		"samples":               {shapingtest.NoLogProbs, "--model m --ask fr --samples 3", 2},
		"a name without either": {"", "--model o3-mini --samples 2", 1},
		"all agents at once":    {"", "--model m --ask all --queries 2", 1},
		"no temperature":        {shapingtest.NoTemperature, "--model m --ask pair", 2},
	} {
		t.Run(name, func(t *testing.T) {
			live, path := voteFile(t, 12), voteFile(t, 12)
			s := shapingtest.NewServer(t, says)
			s.Always(c.fault)
			args := append(strings.Fields("label --critic openai"), strings.Fields(c.args)...)
			var l labelled
			programJSON(t, &l, append(args, "--base-url", s.URL, "--db", live, "--concurrency", "1")...)
			require.Zero(t, l.Unasked)
			asked := len(s.Requests())

			var b batched
			for round := range c.rounds {
				file := filepath.Join(t.TempDir(), "ask.jsonl")
				programJSON(t, &b, append(args, "--db", path, "--export-batch", file)...)
				require.NotZero(t, b.Exported.Requests)
				assert.Equal(t, asked, len(s.Requests()), "nobody is asked")
				before := len(s.Requests())
				results := provider(t, s, file)
				asked = len(s.Requests())
				assert.Equal(t, b.Exported.Requests, asked-before)
				programJSON(t, &b, append(args, "--db", path, "--import-batch", results)...)
				if round < c.rounds-1 {
					assert.Equal(t, b.Imported.Lines, b.Imported.Failed, "refused")
					assert.Zero(t, b.Asked)
					continue
				}
				assert.Equal(t, b.Imported.Lines, b.Imported.Kept)
			}
			assert.Zero(t, b.Unasked)
			assert.Equal(t, query(t, live, batchVotes), query(t, path, batchVotes))
			if c.fault != shapingtest.NoLogProbs { // live finds out by asking; a batch by refusals
				want, got := query(t, live, batchAsked), query(t, path, batchAsked)
				require.Len(t, got, len(want))
				for i := range want {
					require.Equal(t, want[i], got[i], "to the byte")
				}
			}
			programJSON(t, &l, append(args, "--db", path, "--offline")...)
			assert.Equal(t, []int{0, 0, 0}, []int{l.Unasked, l.Asked, l.Requests}, "the votes are there")
			var none batched
			programJSON(t, &none, append(args, "--db", path, "--export-batch", filepath.Join(t.TempDir(), "none.jsonl"))...)
			assert.Equal(t, batchExport{}, *none.Exported)
		})
	}
}

func TestLinesOfABatchThatAreNoReplies(t *testing.T) {
	path, dir := voteFile(t, 4), t.TempDir()
	s := shapingtest.NewServer(t, says)
	args := strings.Fields("label --critic openai --model m --price-in 1 --price-out 1 --currency EUR --db " + path)
	file := filepath.Join(dir, "ask.jsonl")
	var b batched
	programJSON(t, &b, append(args, "--export-batch", file, "--budget-requests", "6")...)
	assert.Equal(t, []int{6, 2}, []int{b.Exported.Requests, b.Exported.Left})
	programJSON(t, &b, append(args, "--export-batch", filepath.Join(dir, "next.jsonl"))...)
	assert.Equal(t, []int{2, 6}, []int{b.Exported.Requests, b.Exported.Underway}, "the rest, and nothing twice")

	text, err := os.ReadFile(provider(t, s, file))
	require.NoError(t, err)
	lines := strings.Split(string(text), "\n")
	var third struct {
		CustomID string `json:"custom_id"`
	}
	require.NoError(t, json.Unmarshal([]byte(lines[2]), &third))
	lines[2] = fmt.Sprintf(`{"id":"batch_req_x","custom_id":%q,"response":null,"error":{"code":"batch_expired","message":"too late"}}`, third.CustomID)
	lines[3] = strings.Replace(lines[3], `"status_code":200`, `"status_code":500`, 1)
	lines = append(lines, lines[0], strings.Replace(lines[1], `"created":1`, `"created":2`, 1),
		`{"custom_id":"elsewhere","response":{"status_code":200,"body":{}}}`, `{"custom_id":`, `[]`, "")
	results := filepath.Join(dir, "told.jsonl")
	require.NoError(t, os.WriteFile(results, []byte(strings.Join(lines, "\n")), 0o600))

	programJSON(t, &b, append(args, "--import-batch", results)...)
	m := b.Imported
	assert.Equal(t, []int{11, 4, 1, 1, 2, 1, 2}, []int{m.Lines, m.Kept, m.Before, m.Twice, m.Failed, m.Unknown, m.Unreadable})
	assert.Equal(t, []int{5 * 40, 5 * 1}, []int{m.PromptTokens, m.CompletionTokens}, "further replies were paid for, too")
	assert.InDelta(t, 5*41e-6, m.Cost, 1e-12)
	told := strings.Join(m.Told, "\n")
	for _, what := range []string{
		"line 3: request " + third.CustomID[:12] + "… got no reply: batch_expired: too late", "line 4: request", "status 500",
		"line 8: request", "line 9: no request \"elsewhere\"", "line 10: no result of a batch", "line 11: no result of a batch",
	} {
		assert.Contains(t, told, what)
	}
	assert.Equal(t, []string{"2|0|0|", "5|205|0.000205|EUR"},
		query(t, path, `SELECT requests, prompt_tokens + completion_tokens, round(cost, 9), currency FROM v_costs`))

	votesNow, kept := query(t, path, batchVotes), query(t, path, batchAsked)
	programJSON(t, &b, append(args, "--import-batch", results)...)
	m = b.Imported
	assert.Equal(t, []int{11, 0, 8, 0, 0, 1, 2}, []int{m.Lines, m.Kept, m.Before, m.Twice, m.Failed, m.Unknown, m.Unreadable}, "again is nothing new")
	assert.Equal(t, votesNow, query(t, path, batchVotes))
	assert.Equal(t, kept, query(t, path, batchAsked))

	again := filepath.Join(dir, "again.jsonl")
	programJSON(t, &b, append(args, "--export-batch", again)...)
	assert.Equal(t, []int{2, 2}, []int{b.Exported.Requests, b.Exported.Underway}, "what failed, without what is under way")
	code, out, errs := program(append(args, "--import-batch", provider(t, s, again), "--export-batch", filepath.Join(dir, "last.jsonl"), "--again")...)
	require.Zero(t, code, errs)
	assert.Contains(t, out, "imported   2 lines: 2 replies stored, 80 tokens in and 2 out, 8.2e-05 EUR; ")
	assert.Contains(t, out, "exported   2 requests to ")

	t.Setenv("MARLPIT_API_KEY", "sk-test")
	_, _, errs = child2(t, append(args, "--base-url", s.URL)...)
	assert.Contains(t, errs, "warning: 2 requests are in batches")
}

func TestWrongCallsOfBatches(t *testing.T) {
	path := voteFile(t, 2)
	there := filepath.Join(t.TempDir(), "there")
	require.NoError(t, os.WriteFile(there, nil, 0o600))
	for says, args := range map[string]string{
		"--again goes with --export-batch": "--critic openai --model m --again",
		"of the kind openai, not coin":     "--critic coin --export-batch x.jsonl",
		"there is such a file already":     "--critic openai --model m --export-batch " + there,
		"there is no folder":               "--critic openai --model m --export-batch " + there + ".none/x",
		"--import-batch: open":             "--critic openai --model m --import-batch " + there + ".none",
		"has written no batch":             "--critic openai --model m --import-batch " + there,
		"--model (model) is needed":        "--critic openai --export-batch x.jsonl",
		"--queries is 1 to 1000":           "--critic openai --model m --queries 0 --export-batch x.jsonl",
	} {
		t.Setenv("MARLPIT_MODEL", "")
		code, _, errs := program(append([]string{"label", "--db", path}, strings.Fields(args)...)...)
		assert.NotZero(t, code, args)
		assert.Contains(t, errs, says)
	}
	assert.Equal(t, []string{"0"}, query(t, path, `SELECT count(*) FROM requests`))
}
