package api_test

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marlpit/api"
	"marlpit/envs"
	"marlpit/envs/catalog"
	"marlpit/envs/envtest/worlds"
	"marlpit/shaping/process"
	"marlpit/shaping/shapingtest"
	"marlpit/shaping/study"
)

// roundsConfig is a server with a critic of rounds named big.
func roundsConfig(t testing.TB, endpoint string) api.Config {
	t.Helper()
	c := study.NewCriticConfig("big", "openai")
	c.BaseURL, c.Model, c.Retries = endpoint, "secret-weights", 0
	return api.Config{Critics: study.LiveCritics([]study.CriticConfig{c, study.NewCriticConfig("oracle", "oracle")}), StateDir: t.TempDir()}
}

// allAt scores every agent of a request alike.
func allAt(score float64) func(shapingtest.Request) shapingtest.Verdict {
	return func(r shapingtest.Request) shapingtest.Verdict {
		out := map[string]any{}
		for _, k := range r.Keys() {
			out[k] = map[string]any{"reason": "because of " + k, "score": score}
		}
		b, err := json.Marshal(out)
		if err != nil {
			panic(err)
		}
		return shapingtest.Verdict{Text: string(b)}
	}
}

func TestACriticPaysProposals(t *testing.T) {
	endpoint := shapingtest.NewServer(t, allAt(0.75))
	cfg := roundsConfig(t, endpoint.URL)
	h := serve(t, cfg)
	s := h.create(t, talk, fields{"seed": 1, "text": true, "reward": fields{"scheme": "process", "critic": "big", "step_cost": 0}})
	assert.Equal(t, "big", s.reply.body["reward"].(fields)["critic"])
	s.reset()
	r := s.step(fields{"agent_0": 1, "agent_1": 2})
	assert.Equal(t, []float32{0.75, 0.75}, r.floats("rewards"))
	notes := r.body["notes"].([]any)
	require.Len(t, notes, 2)
	assert.Equal(t, "reason", notes[0].(fields)["kind"])
	assert.Equal(t, "because of agent_0", notes[0].(fields)["text"])
	require.Len(t, endpoint.Requests(), 1)

	// The same again is answered from the file.
	again := h.create(t, talk, fields{"seed": 1, "reward": fields{"scheme": "process", "critic": "big", "step_cost": 0}})
	again.reset()
	assert.Equal(t, []float32{0.75, 0.75}, again.step(fields{"agent_0": 1, "agent_1": 2}).floats("rewards"))
	assert.Len(t, endpoint.Requests(), 1)
	metrics := string(h.get(t, "/metrics").raw)
	assert.Contains(t, metrics, `marlpit_model_calls_total{critic="big",outcome="ok"} 1`)
	assert.Contains(t, metrics, `marlpit_model_calls_total{critic="big",outcome="cached"} 1`)

	db, err := process.Open(t.Context(), filepath.Join(cfg.StateDir, "rounds.db"))
	require.NoError(t, err)
	defer func() { assert.NoError(t, db.Close()) }()
	table, err := process.Load(t.Context(), db, "")
	require.NoError(t, err)
	assert.Equal(t, 1, table.Len())
	assert.NotContains(t, string(h.get(t, "/v1/critics").raw), "secret")

	// And served from it, by a server that knows no endpoint.
	scores := serve(t, api.Config{Scores: map[string]*process.Table{"mine": table}})
	served := scores.create(t, talk, fields{"seed": 1, "reward": fields{"scheme": "process", "scores": "mine", "step_cost": 0}})
	served.reset()
	assert.Equal(t, []float32{0.75, 0.75}, served.step(fields{"agent_0": 1, "agent_1": 2}).floats("rewards"))
}

func TestAServerScoresByAModel(t *testing.T) {
	db, err := process.Create(t.Context(), filepath.Join(t.TempDir(), "s.db"))
	require.NoError(t, err)
	defer func() { assert.NoError(t, db.Close()) }()
	for i := range 40 {
		x, err := process.ParseRecord(fmt.Appendf(nil, `{"world":"test-rounds-v0","template":"t","goal":"Press %d","turn":0,"round":0,"history":[],"elements":[],"proposals":[{"agent":"a","action":{"action_type":"wait"},"words":"wait"}]}`, i))
		require.NoError(t, err)
		require.NoError(t, db.Save(t.Context(), "somebody", x, process.Answer{Scores: []float64{0.75}, Reasons: []string{""}}))
	}
	m, err := process.FitModel(t.Context(), db, process.ModelOptions{Name: "mine", ObsVersion: func(string) (int, error) { return 1, nil }})
	require.NoError(t, err)
	h := serve(t, api.Config{Registry: envs.NewRegistry(append(worlds.Entries(), catalog.All()...)...), Scorers: map[string]*process.Model{"mine": m}})
	s := h.create(t, talk, fields{"seed": 1, "reward": fields{"scheme": "process", "model": "mine", "step_cost": 0}})
	s.reset()
	for _, x := range s.step(fields{"agent_0": 0, "agent_1": 0}).floats("rewards") {
		assert.InDelta(t, 0.75, x, 0.2, "as far as it has seen")
	}
	for model, want := range map[string]string{"other": "there are mine", "mine": "not of phone-v1"} {
		env := talk
		if model == "mine" {
			env = "phone-v1"
		}
		r := h.post(t, "/v1/sessions", fields{"env": env, "reward": fields{"scheme": "process", "model": model}})
		assert.GreaterOrEqual(t, r.status, 400)
		assert.Contains(t, string(r.raw), want)
	}
}

// Many copies wait for their critic at the same time: it answers once more
// than half of them have asked.
func TestCopiesWaitTogether(t *testing.T) {
	const n = 16
	var asked, underWay, most atomic.Int64
	together := make(chan struct{})
	endpoint := shapingtest.NewServer(t, func(r shapingtest.Request) shapingtest.Verdict {
		now := underWay.Add(1)
		defer underWay.Add(-1)
		for m := most.Load(); now > m; m = most.Load() {
			if most.CompareAndSwap(m, now) {
				break
			}
		}
		if asked.Add(1) == n/2+1 {
			close(together)
		}
		select {
		case <-together:
		case <-time.After(30 * time.Second):
			t.Errorf("after half a minute there are %d questions under way", underWay.Load())
		}
		time.Sleep(10 * time.Millisecond) // for others to come meanwhile
		return allAt(1)(r)
	})
	h := serve(t, roundsConfig(t, endpoint.URL))
	s := h.create(t, talk, fields{"num_envs": n, "seed": 3, "params": fields{"length": 4}, "reward": fields{"scheme": "process", "critic": "big", "concurrency": n}})
	s.reset()
	choices := make([]int32, 2*n)
	for i := range choices {
		choices[i] = int32(i) % 4
	}
	r := s.step(ints(choices...))
	assert.Greater(t, asked.Load(), int64(n/2), "equal rounds are asked about once")
	for _, x := range r.floats("rewards") {
		assert.InDelta(t, 0.99, x, 1e-6)
	}

	few := h.create(t, talk, fields{"num_envs": 8, "seed": 4, "params": fields{"length": 4}, "reward": fields{"scheme": "process", "critic": "big", "concurrency": 2}})
	few.reset()
	most.Store(0)
	few.step(ints(choices[:16]...))
	assert.LessOrEqual(t, most.Load(), int64(2), "no more than two at a time")
}

func TestWhatACriticSaysWrongIsNoScore(t *testing.T) {
	endpoint := shapingtest.NewServer(t, func(shapingtest.Request) shapingtest.Verdict {
		return shapingtest.Verdict{Text: `{"agent_0": {"reason": "r", "score": 1e9}}`}
	})
	h := serve(t, roundsConfig(t, endpoint.URL))
	s := h.create(t, talk, fields{"seed": 1, "text": true, "reward": fields{"scheme": "process", "critic": "big"}})
	s.reset()
	r := s.step(fields{"agent_0": 1, "agent_1": 2})
	assert.Equal(t, []float32{-0.01, -0.01}, r.floats("rewards"))
	assert.Contains(t, r.body["notes"].([]any)[0].(fields)["text"], "no score: the critic's answer can't be used")
	assert.Contains(t, string(h.get(t, "/metrics").raw), `marlpit_model_calls_total{critic="big",outcome="invalid"} 1`)

	endpoint.Always(shapingtest.Unauthorized)
	r = s.step(fields{"agent_0": 1, "agent_1": 2})
	text := r.body["notes"].([]any)[0].(fields)["text"].(string)
	assert.Equal(t, "no score: the critic could not be had", text)
	assert.Contains(t, string(h.get(t, "/metrics").raw), `marlpit_model_calls_total{critic="big",outcome="failed"} 1`)
}

func TestABudgetEndsAsking(t *testing.T) {
	endpoint := shapingtest.NewServer(t, allAt(1))
	h := serve(t, roundsConfig(t, endpoint.URL))
	s := h.create(t, talk, fields{"seed": 1, "reward": fields{"scheme": "process", "critic": "big", "budget_requests": 2, "step_cost": 0}})
	s.reset()
	var got []float32
	for range 4 {
		got = append(got, s.step(fields{"agent_0": 0, "agent_1": 4}).floats("rewards")[0])
	}
	assert.Equal(t, []float32{1, 1, 0, 0}, got)
	assert.Len(t, endpoint.Requests(), 2)
}

func TestProcessRefusals(t *testing.T) {
	h := serve(t, roundsConfig(t, "http://127.0.0.1:1"))
	for want, reward := range map[string]fields{
		"no critic of rounds named \"oracle\": there are solution, random, big": {"scheme": "process", "critic": "oracle"},
		"no scores named \"x\": none are loaded":                                {"scheme": "process", "scores": "x"},
	} {
		r := h.post(t, "/v1/sessions", fields{"env": talk, "reward": reward})
		assert.Equal(t, 422, r.status)
		assert.Contains(t, r.text(), want)
		assert.Equal(t, "/reward", r.body["at"])
	}
	r := h.post(t, "/v1/sessions", fields{"env": "test-count-v0", "reward": fields{"scheme": "process", "critic": "big"}})
	assert.Equal(t, 422, r.status)
	assert.Contains(t, r.text(), "test-count-v0 has no rounds")
}

// A fork goes on asking after the session it came from was deleted.
func TestForksShareTheirCritic(t *testing.T) {
	endpoint := shapingtest.NewServer(t, allAt(0.5))
	h := serve(t, roundsConfig(t, endpoint.URL))
	s := h.create(t, talk, fields{"seed": 1, "reward": fields{"scheme": "process", "critic": "big", "step_cost": 0}})
	s.reset()
	r := h.post(t, s.path("/fork"), fields{})
	require.Equal(t, 201, r.status, r.text())
	twin := &session{h: h, t: t, id: r.body["id"].(string), seq: int(number(r.body["seq"]))}
	require.Equal(t, 204, h.do(t, "DELETE", strings.TrimSuffix(s.path(""), "/"), "", nil).status)
	assert.Equal(t, []float32{0.5, 0.5}, twin.step(fields{"agent_0": 1, "agent_1": 2}).floats("rewards"))
}
