package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marlpit/envs"
	"marlpit/shaping/shapingtest"
	"marlpit/shaping/study"
)

// liveClient is a learner that talks JSON to a server.
type liveClient struct {
	t    *testing.T
	base string
	id   string // of the session
	seq  int
	rng  envs.Rand
}

func (c *liveClient) call(method, path string, body, into any) {
	c.t.Helper()
	b, err := json.Marshal(body)
	require.NoError(c.t, err)
	req, err := http.NewRequest(method, c.base+path, bytes.NewReader(b))
	require.NoError(c.t, err)
	req.Header.Set("Content-Type", "application/json")
	res, err := http.DefaultClient.Do(req)
	require.NoError(c.t, err)
	defer func() { _ = res.Body.Close() }()
	require.Less(c.t, res.StatusCode, 300)
	require.NoError(c.t, json.NewDecoder(res.Body).Decode(into))
}

// create begins a session with live credit, and returns its labelling's id and
// the version of the model in force.
func (c *liveClient) create() (labeling string, version int) {
	c.t.Helper()
	var made struct {
		ID     string
		Reward struct {
			ModelVersion int `json:"model_version"`
			Live         struct{ Labeling string }
		}
	}
	c.call("POST", "/v1/sessions", map[string]any{"env": "two-switch-v1", "num_envs": 4, "autoreset": "same_step", "seed": 1,
		"reward": map[string]any{"scheme": "credit", "live": map[string]any{"critic": "model", "refit_every": 60}}}, &made)
	c.id, c.seq = made.ID, 1
	c.call("POST", "/v1/sessions/"+c.id+"/reset", map[string]any{"seq": 1}, &struct{}{})
	return made.Reward.Live.Labeling, made.Reward.ModelVersion
}

// until plays at random until the labelling is as wanted.
func (c *liveClient) until(labeling string, want func(study.LiveProgress) bool) (p study.LiveProgress) {
	c.t.Helper()
	for start := time.Now(); time.Since(start) < 60*time.Second; {
		for range 20 {
			act := make([][]int, 4)
			for i := range act {
				act[i] = []int{c.rng.Intn(5), c.rng.Intn(5)}
			}
			c.seq++
			c.call("POST", "/v1/sessions/"+c.id+"/step", map[string]any{"seq": c.seq, "actions": act}, &struct{}{})
		}
		time.Sleep(50 * time.Millisecond) // a learner learns, and the labelling may work
		p = study.LiveProgress{}
		c.call("GET", "/v1/labelings/"+labeling, nil, &p)
		if want(p) {
			return p
		}
	}
	require.Fail(c.t, "not reached", "%+v", p)
	return p
}

func TestLiveCreditSurvivesKillNine(t *testing.T) {
	endpoint := shapingtest.NewServer(t, func(r shapingtest.Request) shapingtest.Verdict {
		time.Sleep(2 * time.Millisecond)
		return shapingtest.Yes(0.5 + float64(len(r.User())%7)/20)
	})
	dir := t.TempDir()
	file := filepath.Join(dir, "critics.toml")
	require.NoError(t, os.WriteFile(file, fmt.Appendf(nil, "[critics.model]\nkind = \"openai\"\nbase_url = %q\nmodel = \"m\"\n", endpoint.URL), 0o600))
	args := []string{"serve", "--listen", "127.0.0.1:0", "--critics", file, "--state-dir", filepath.Join(dir, "state")}

	var id string
	var last study.LiveProgress
	const kills = 3
	for k := range kills {
		p := start(t, args...)
		c := &liveClient{t: t, base: "http://" + p.ready.TCP}
		c.rng.Seed(uint64(k))
		if k > 0 {
			var found struct{ Labelings []study.LiveProgress }
			c.call("GET", "/v1/labelings", nil, &found)
			require.Len(t, found.Labelings, 1)
			now := found.Labelings[0]
			assert.Equal(t, study.LiveState("waiting"), now.State)
			assert.GreaterOrEqual(t, now.Asked, last.Asked, "no vote is lost")
			assert.GreaterOrEqual(t, now.Kept, last.Kept)
			assert.GreaterOrEqual(t, now.ModelVersion, last.ModelVersion, "the last version is found again")
			last = now
		}
		labeling, version := c.create()
		assert.Equal(t, last.ModelVersion, version, "and is in force")
		if k > 0 {
			assert.Equal(t, id, labeling)
		}
		id = labeling
		last = c.until(labeling, func(p study.LiveProgress) bool {
			return p.ModelVersion > last.ModelVersion && p.Asked > last.Asked+40
		})
		require.NoError(t, p.Process.Kill())
		_ = p.ends(t)
	}

	p := start(t, args...)
	c := &liveClient{t: t, base: "http://" + p.ready.TCP}
	var now study.LiveProgress
	c.call("GET", "/v1/labelings/"+id, nil, &now)
	assert.GreaterOrEqual(t, now.Asked, last.Asked)
	sent := len(endpoint.Requests())
	assert.LessOrEqual(t, sent-now.Requests, kills*4, "what a kill loses is what was under way: four questions at most")
	for v := 1; v <= now.ModelVersion; v++ {
		_, err := os.Stat(filepath.Join(dir, "state", "labelings", id, fmt.Sprintf("model-%06d.credit", v)))
		assert.NoError(t, err)
	}
}

func TestServeCritics(t *testing.T) {
	file := filepath.Join(t.TempDir(), "critics.toml")
	require.NoError(t, os.WriteFile(file, []byte("[critics.rule]\nkind = \"rule\"\nviewpoint = \"plain\"\n[critics.small]\nkind = \"openai\"\nbase_url = \"http://10.1.2.3/v1\"\nmodel = \"m\"\n"), 0o600))
	p := start(t, "serve", "--listen", "127.0.0.1:0", "--critics", file)
	c := &liveClient{t: t, base: "http://" + p.ready.TCP}
	var got struct{ Critics []map[string]any }
	c.call("GET", "/v1/critics", nil, &got)
	assert.Equal(t, []map[string]any{
		{"name": "rule", "kind": "rule"}, {"name": "small", "kind": "openai"},
		{"name": "oracle", "kind": "oracle"}, {"name": "coin", "kind": "coin"}, {"name": "first", "kind": "first"},
	}, got.Critics, "names and kinds, no addresses")

	require.NoError(t, os.WriteFile(file, []byte("[critics.small]\nkind = \"openai\"\nkey = \"sk\"\n"), 0o600))
	code, _, errs := program("serve", "--listen", "127.0.0.1:0", "--critics", file)
	assert.Equal(t, 2, code)
	assert.Contains(t, errs, "key_env names the environment variable")
	code, _, errs = program("serve", "--listen", "127.0.0.1:0", "--state-dir", file)
	assert.Equal(t, 1, code)
	assert.Contains(t, errs, "the folder for labellings")
}
