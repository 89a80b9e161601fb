package api_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rs/zerolog"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marlpit/api"
	"marlpit/envs"
	"marlpit/envs/catalog"
	"marlpit/envs/envtest/worlds"
	"marlpit/shaping/shapingtest"
	"marlpit/shaping/study"
)

// liveConfig is a server whose critics are the oracle and an endpoint.
func liveConfig(t testing.TB, endpoint string) api.Config {
	t.Helper()
	critics := []study.CriticConfig{study.NewCriticConfig("oracle", "oracle")}
	if endpoint != "" {
		c := study.NewCriticConfig("model", "openai")
		c.BaseURL, c.Model, c.Viewpoint, c.Retries = endpoint, "secret-weights", "plain", 0
		critics = append(critics, c)
	}
	return api.Config{
		Registry: envs.NewRegistry(append(catalog.All(), worlds.Entries()...)...),
		Critics:  study.LiveCritics(critics), StateDir: t.TempDir(), LiveShare: 1, LivePoll: 2 * time.Millisecond, LiveRetry: 5 * time.Millisecond,
	}
}

func live(critic string, more fields) fields {
	options := fields{"critic": critic}
	for k, v := range more {
		options[k] = v
	}
	return fields{"scheme": "credit", "live": options}
}

// learner plays two-switch at random, in 8 copies, and sees to it that no
// episode changes the version of its model.
type learner struct {
	*session
	id      string // of the labelling
	rng     envs.Rand
	columns int
	at      int    // column model_version
	failing int    // column live_failing
	ended   []bool // the row begins anew at the next step
	version []float32
	last    []float32 // info
}

const learnerRows = 8

func learn(t testing.TB, h *harness, reward fields) *learner {
	t.Helper()
	s := h.create(t, "two-switch-v1", fields{"num_envs": learnerRows, "autoreset": "next_step", "seed": 1, "reward": reward})
	l := &learner{session: s, id: s.reply.body["reward"].(fields)["live"].(fields)["labeling"].(string)}
	l.rng.Seed(5)
	info := s.reply.body["spec"].(fields)["info"].([]any)
	l.columns = len(info)
	for k, name := range info {
		switch name {
		case "model_version":
			l.at = k
		case "live_failing":
			l.failing = k
		}
	}
	l.version, l.ended = make([]float32, learnerRows), make([]bool, learnerRows)
	l.restart()
	return l
}

// restart resets all rows.
func (l *learner) restart() {
	l.last = l.session.reset().floats("info")
	for row := range learnerRows {
		l.version[row], l.ended[row] = l.last[row*2*l.columns+l.at], false
	}
}

func (l *learner) play(steps int) {
	l.t.Helper()
	for range steps {
		act := make([]int32, 2*learnerRows)
		for i := range act {
			act[i] = int32(l.rng.Intn(5))
		}
		r := l.step(ints(act...))
		l.last = r.floats("info")
		terminated, truncated := r.bytes("terminated"), r.bytes("truncated")
		for row := range learnerRows {
			v := l.last[row*2*l.columns+l.at]
			if l.ended[row] {
				require.GreaterOrEqual(l.t, v, l.version[row], "versions count up")
				l.version[row] = v
			}
			require.Equal(l.t, l.version[row], v, "the version is frozen within an episode")
			l.ended[row] = terminated[2*row]+truncated[2*row] > 0 && terminated[2*row+1]+truncated[2*row+1] > 0
		}
	}
}

// labeling is what the server says of the learner's labelling.
func (l *learner) labeling() (p study.LiveProgress) {
	l.t.Helper()
	r := l.h.do(l.t, "GET", "/v1/labelings/"+l.id, "", nil, "Accept", js)
	require.Equal(l.t, 200, r.status, r.text())
	require.NoError(l.t, json.Unmarshal(r.raw, &p))
	return p
}

func (l *learner) until(want func(study.LiveProgress) bool) study.LiveProgress {
	l.t.Helper()
	for start := time.Now(); time.Since(start) < 120*time.Second; {
		l.play(50)
		if p := l.labeling(); want(p) {
			return p
		}
	}
	require.Fail(l.t, "not reached", "%+v", l.labeling())
	return study.LiveProgress{}
}

func TestLiveCreditOverHTTP(t *testing.T) {
	h := serve(t, liveConfig(t, ""))
	for _, kind := range []string{js, mp} {
		r := h.do(t, "GET", "/v1/labelings", "", nil, "Accept", kind)
		assert.Equal(t, 200, r.status)
		assert.Empty(t, r.body["labelings"])
	}
	l := learn(t, h, live("oracle", fields{"transitions": 120, "refit_every": 100, "seed": 3}))
	resolved := l.reply.body["reward"].(fields)
	assert.NotContains(t, resolved, "model", "the model is the labelling's")
	assert.EqualValues(t, 0, resolved["model_version"])
	got, err := json.Marshal(resolved["live"])
	require.NoError(t, err)
	assert.JSONEq(t, fmt.Sprintf(`{"critic": "oracle", "viewpoint": "guided", "queries": 1, "transitions": 120,
		"budget_requests": 10000, "refit_every": 100, "seed": 3, "labeling": %q}`, l.id), string(got))
	assert.Zero(t, l.last[l.at])

	// A session with equal options shares it, and so does a fork.
	twin := learn(t, h, live("oracle", fields{"transitions": 120, "refit_every": 100, "seed": 3, "viewpoint": "guided"}))
	assert.Equal(t, l.id, twin.id)
	f := h.post(t, l.path("/fork"), nil)
	require.Equal(t, 201, f.status)
	assert.Equal(t, 3, l.labeling().Sessions)
	for _, s := range []string{twin.session.id, f.body["id"].(string)} {
		require.Equal(t, 204, h.do(t, "DELETE", "/v1/sessions/"+s, "", nil).status)
	}
	assert.Equal(t, 1, l.labeling().Sessions)

	done := l.until(func(p study.LiveProgress) bool { return p.State == "done" })
	assert.Equal(t, []int{240, 240, 0, 0}, []int{done.Asked, done.Valid, done.Failed, done.Open})
	assert.GreaterOrEqual(t, done.ModelVersion, 2)
	h.post(t, l.path("/reset"), fields{"seq": l.seq + 1})
	text := string(h.get(t, "/metrics").raw)
	assert.Contains(t, text, `marlpit_model_calls_total{critic="oracle",outcome="ok"} 240`)
	assert.Contains(t, text, fmt.Sprintf(`marlpit_live_model_version{critic="oracle",env="two-switch-v1",labeling=%q} %d`, l.id, done.ModelVersion))
	assert.Contains(t, text, fmt.Sprintf(`marlpit_live_failing{critic="oracle",env="two-switch-v1",labeling=%q} 0`, l.id))
	for _, kind := range []string{js, mp} {
		assert.Len(t, h.do(t, "GET", "/v1/labelings", "", nil, "Accept", kind).body["labelings"], 1)
		assert.EqualValues(t, 240, h.do(t, "GET", "/v1/labelings/"+l.id, "", nil, "Accept", kind).body["asked"])
		assert.Equal(t, 404, h.do(t, "GET", "/v1/labelings/none", "", nil, "Accept", kind).status)
		assert.Equal(t, 404, h.do(t, "DELETE", "/v1/labelings/none", "", nil, "Accept", kind).status)
	}
	for range 2 {
		assert.Equal(t, 204, h.do(t, "DELETE", "/v1/labelings/"+l.id, "", nil).status)
		assert.Equal(t, study.LiveState("stopped"), l.labeling().State)
	}
}

func TestLiveRefusals(t *testing.T) {
	h := serve(t, liveConfig(t, "http://127.0.0.1:1"))
	for _, c := range []struct {
		env    string
		reward any
		says   string
	}{
		{"two-switch-v1", live("nobody", nil), `no critic "nobody": there are oracle, model`},
		{"two-switch-v1", live("model", fields{"base_url": "http://example.com"}), `live has no option "base_url"`},
		{"two-switch-v1", live("model", fields{"key_env": "HOME"}), `live has no option "key_env"`},
		{"two-switch-v1", live("http://example.com", nil), "no critic"},
		{"two-switch-v1", fields{"scheme": "shared", "live": fields{"critic": "oracle"}}, `no option "live"`},
		{"two-switch-v1", live("oracle", fields{"queries": 1000}), "live.queries is a whole number from 1 to 100, got 1000"},
		{"test-count-v0", live("oracle", nil), "test-count-v0 has no solver"},
		{"test-pixels-v0", live("model", nil), "test-pixels-v0 has no words"},
	} {
		r := h.post(t, "/v1/sessions", fields{"env": c.env, "reward": c.reward})
		assert.Equal(t, 422, r.status, c.says)
		assert.Equal(t, "/reward", r.body["at"])
		assert.Contains(t, r.text(), c.says)
	}
	r := h.post(t, "/v1/sessions", fields{"env": "two-switch-v1", "reward": live("oracle", nil), "record": "x"})
	assert.Equal(t, 422, r.status, "no folder for recordings")
	list := h.get(t, "/v1/labelings").body["labelings"].([]any)
	require.Len(t, list, 1)
	assert.EqualValues(t, 0, list[0].(fields)["sessions"], "a session that couldn't be made is none of it")

	secured := liveConfig(t, "")
	secured.Token = "t0ken"
	h = serve(t, secured)
	for _, call := range [][2]string{{"GET", "/v1/critics"}, {"GET", "/v1/labelings"}, {"GET", "/v1/labelings/x"}, {"DELETE", "/v1/labelings/x"}} {
		assert.Equal(t, 401, h.do(t, call[0], call[1], "", nil).status, call)
	}
}

func TestADeadEndpointIsVisibleEverywhere(t *testing.T) {
	server := shapingtest.NewServer(t, func(r shapingtest.Request) shapingtest.Verdict {
		return shapingtest.Yes(0.5 + float64(len(r.User())%7)/20)
	})
	cfg := liveConfig(t, server.URL)
	log := &buffer{}
	cfg.Log, cfg.LiveRetry = zerolog.New(log), 300*time.Millisecond
	h := serve(t, cfg)
	l := learn(t, h, live("model", fields{"refit_every": 100}))
	up := l.until(func(p study.LiveProgress) bool { return p.ModelVersion > 0 })
	assert.Equal(t, "plain", up.Live.Viewpoint, "the critic's own")
	assert.GreaterOrEqual(t, up.Requests, 50, "equal questions are paid once")
	assert.Equal(t, 10_000-up.Requests, up.BudgetLeft)

	server.Always(shapingtest.ServerError)
	down := l.until(func(p study.LiveProgress) bool { return p.Failing && p.Failed > 0 && p.State == "waiting" })
	assert.Equal(t, "the critic's endpoint answers with status 500; the server's log says more", down.Reason)
	l.play(1)
	assert.EqualValues(t, 1, l.last[l.failing])
	assert.GreaterOrEqual(t, l.last[l.at], float32(0))
	text := string(h.get(t, "/metrics").raw)
	assert.Contains(t, text, fmt.Sprintf(`marlpit_live_failing{critic="model",env="two-switch-v1",labeling=%q} 1`, l.id))
	assert.NotContains(t, text, `marlpit_model_calls_total{critic="model",outcome="failed"} 0`)
	assert.Contains(t, log.String(), "failing; the last model stays in force")
	l.restart()

	server.Always("")
	l.until(func(p study.LiveProgress) bool { return !p.Failing && p.ModelVersion > down.ModelVersion })
	assert.Contains(t, log.String(), "the critic answers again")

	// Nothing that a client can ask for tells where the endpoint is.
	for _, path := range []string{"/v1/critics", "/v1/labelings", "/v1/labelings/" + l.id, l.path(""), "/metrics"} {
		assert.NotContains(t, string(h.get(t, path).raw), strings.TrimPrefix(server.URL, "http://"), path)
	}
}

func TestLiveBudget(t *testing.T) {
	server := shapingtest.NewServer(t, func(r shapingtest.Request) shapingtest.Verdict {
		return shapingtest.Yes(0.5 + float64(len(r.User())%7)/20)
	})
	h := serve(t, liveConfig(t, server.URL))
	l := learn(t, h, live("model", fields{"refit_every": 1000, "budget_requests": 150}))
	done := l.until(func(p study.LiveProgress) bool { return p.State == "done" })
	assert.Equal(t, "votes: the budget is used up", done.Reason)
	assert.Equal(t, []int{150, 0}, []int{done.Requests, done.BudgetLeft})
	assert.LessOrEqual(t, len(server.Requests()), 150)
	assert.Positive(t, done.ModelVersion, "what was paid for is used")
	assert.Positive(t, done.Open)
}

func TestModelsHaveALimitTogether(t *testing.T) {
	file := fitted(t, 1)
	h := serve(t, api.Config{MaxModelBytes: 2*int64(max(len(file), 4096)) + 100})
	put := func(name string, b []byte) reply {
		return h.do(t, "PUT", "/v1/credit-models/"+name, "application/octet-stream", b)
	}
	for _, name := range []string{"a", "b"} {
		require.Equal(t, 204, put(name, file).status)
	}
	r := put("c", file)
	assert.Equal(t, 413, r.status)
	assert.Contains(t, r.text(), "the 2 models there are and this one would be")
	assert.Equal(t, 204, put("b", file).status, "the same again is no error")
	require.Equal(t, 204, h.do(t, "DELETE", "/v1/credit-models/a", "", nil).status)
	assert.Equal(t, 204, put("c", file).status)
}

// What fails on the server's disk is told by its log, not to clients.
func TestNoReplyNamesAFile(t *testing.T) {
	cfg := liveConfig(t, "")
	log := &buffer{}
	cfg.Log = zerolog.New(log)
	h := serve(t, cfg)
	l := learn(t, h, live("oracle", nil))
	folder := filepath.Join(cfg.StateDir, "labelings")
	require.NoError(t, os.RemoveAll(folder))
	require.NoError(t, os.WriteFile(folder, nil, 0o600))
	made := h.post(t, "/v1/sessions", fields{"env": "two-switch-v1", "reward": live("oracle", fields{"seed": 5})})
	cancelled := h.do(t, "DELETE", "/v1/labelings/"+l.id, "", nil, "Accept", js)
	for _, r := range []reply{made, cancelled} {
		assert.Equal(t, 500, r.status)
		assert.Contains(t, r.text(), "log says")
		assert.NotContains(t, r.text(), cfg.StateDir)
	}
	assert.Contains(t, log.String(), folder)
}
