package study_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marlpit/shaping"
	"marlpit/shaping/llm"
	"marlpit/shaping/study"
)

func criticsFile(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "critics.toml")
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	return path
}

func TestLoadCritics(t *testing.T) {
	path := criticsFile(t, `
[critics.small]
kind = "openai"
base_url = "http://127.0.0.1:11434/v1"
model = "qwen2.5:1.5b"
viewpoint = "plain"
timeout = "90s"
threshold = 0.0
rpm = 60
price_in = 0.15

[critics.liar]
kind = "oracle"
error_rate = 0.25
noise = "per-text"

[critics.people]
kind = "human"
file = "people.csv"
`)
	got, err := study.LoadCritics(path)
	require.NoError(t, err)
	require.Len(t, got, 3)
	assert.Equal(t, []string{"liar", "people", "small"}, []string{got[0].Name, got[1].Name, got[2].Name})
	want := study.NewCriticConfig("small", "openai")
	want.BaseURL, want.Model, want.Viewpoint, want.Timeout = "http://127.0.0.1:11434/v1", "qwen2.5:1.5b", "plain", 90*time.Second
	want.Threshold, want.RPM, want.PriceIn = 0, 60, 0.15
	assert.Equal(t, want, got[2])

	liar, err := got[0].Build(study.CriticDeps{})
	require.NoError(t, err)
	assert.Equal(t, "oracle error_rate=0.25 noise=per-text seed=0", liar.Name())
	small, err := got[2].Build(study.CriticDeps{})
	require.NoError(t, err)
	assert.Contains(t, small.Name(), "openai name=small model=qwen2.5:1.5b ask=auto threshold=0 ")

	_, err = got[1].Build(study.CriticDeps{})
	require.ErrorIs(t, err, study.ErrCritic)
	require.ErrorIs(t, err, os.ErrNotExist, "beside the file of critics")
	require.NoError(t, os.WriteFile(filepath.Join(filepath.Dir(path), "people.csv"), []byte("question,vote\n7,second\n"), 0o600))
	people, err := got[1].Build(study.CriticDeps{})
	require.NoError(t, err)
	a, err := people.Ask(ctx, shaping.Question{Key: 7})
	require.NoError(t, err)
	assert.Equal(t, shaping.Second, a.Vote)
}

func TestLoadCriticsRefuses(t *testing.T) {
	for text, says := range map[string]string{
		"":                                 "no table",
		"[critics.a]\nkind = \"oracle":     "line 2",
		"[critics.a]\nkind = \"psychic\"":  `[critics.a]: kind: it is one of coin, first`,
		"[critics.a]\n":                    "kind",
		"[critics.\"a b\"]\nkind=\"coin\"": "a name is",
		"[critics.a]\nkind = \"coin\"\nnoise_sed = 1":               "[critics.a]: unknown key noise_sed",
		"[critics.a]\nkind = \"openai\"\napi_key = \"sk-1\"":        "key_env names the environment variable",
		"[critic.c]\nkind = \"coin\"":                               "unknown key critic: tables are called [critics.NAME]",
		"[critics.a]\nkind = \"oracle\"\nmodel = \"m\"":             `model means nothing to the kind "oracle"`,
		"[critics.a]\nkind = \"oracle\"\nerror_rate = 1.5":          "[critics.a]: error_rate, noise: the error rate is a number from 0 to 1, got 1.5",
		"[critics.a]\nkind = \"oracle\"\nerror_rate = \"much\"":     "error_rate",
		"[critics.a]\nkind = \"openai\"\ntimeout = \"soon\"":        "soon",
		"[critics.a]\nkind = \"openai\"\ntimeout = 60":              `timeout: a time with its unit is wanted, such as "60s"`,
		"[critics.a]\nkind = \"openai\"\nkey_env = \"sk-proj-1\"":   "key_env: it is a variable's name",
		"[critics.a]\nkind = \"openai\"\nrpm = -1":                  "rpm: it is a number from 0 up",
		"[critics.a]\nkind = \"openai\"\nprice_in = nan":            "price_in",
		"[critics.a]\nkind = \"first\"\nviewpoint = \"sideways\"":   "viewpoint",
		"[critics.a]\nkind = \"human\"":                             "file",
		"[critics.a]\nkind = \"coin\"\n[other]\nx = 1":              "unknown key",
		"[critics.a]\nkind = \"openai\"\nsamples = 1000000000":      "samples: it is at most 1000, got 1000000000",
		"[critics.a]\nkind = \"openai\"\nmodel = \"a\\nb\"":         `model: it has no control characters, got "a\nb"`,
		"[critics.a]\nkind = \"openai\"\ncurrency = \"\\u001b[2J\"": "currency: it has no control characters",
		"[critics.a]\nkind = \"coin\"\nnoise_seed = -1":             "noise_seed: it is a number from 0 up, got -1",
		"critics = 3": "critics",
	} {
		path := criticsFile(t, text)
		_, err := study.LoadCritics(path)
		require.ErrorIs(t, err, study.ErrCritic, text)
		assert.ErrorContains(t, err, path)
		assert.ErrorContains(t, err, says, text)
	}
	_, err := study.LoadCritics(filepath.Join(t.TempDir(), "none.toml"))
	require.ErrorIs(t, err, os.ErrNotExist)
}

func TestBuildCriticRefuses(t *testing.T) {
	t.Setenv("MARLPIT_TEST_NO_KEY", "")
	c := study.NewCriticConfig("x", "openai")
	c.BaseURL, c.Model, c.KeyEnv = "http://127.0.0.1:1", "m", "MARLPIT_TEST_NO_KEY"
	_, err := c.Build(study.CriticDeps{})
	require.ErrorIs(t, err, study.ErrCritic)
	require.ErrorContains(t, err, "MARLPIT_TEST_NO_KEY is not set")
	_, err = c.Build(study.CriticDeps{Offline: true})
	require.NoError(t, err)
	c.KeyEnv, c.BaseURL = "", "nowhere"
	_, err = c.Build(study.CriticDeps{})
	require.ErrorIs(t, err, llm.ErrConfig)
	require.ErrorContains(t, err, `--base-url (base_url) is needed, such as http://127.0.0.1:8080/v1; got "nowhere"`)
	for _, kind := range []string{"oracle", "rule", "coin", "first"} {
		made, err := study.NewCriticConfig("x", kind).Build(study.CriticDeps{})
		require.NoError(t, err)
		assert.Contains(t, made.Name(), kind)
	}
}
