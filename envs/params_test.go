package envs_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marlpit/envs"
)

type params struct {
	Agents int     `param:"agents" min:"2" max:"4" help:"number of agents"`
	Slip   float64 `param:"slip" min:"0" max:"1000000" help:"how slippery"`
	Held   bool    `param:"held" help:"held or latched"`
	View   string  `param:"view" enum:"full,radius" help:"what is seen"`
}

var defaults = params{Agents: 2, Slip: 0.5, View: "full"}

// decode runs values through an entry and returns what its builder got.
func decode(t *testing.T, values map[string]any) (params, error) {
	t.Helper()
	got := params{Agents: -1}
	_, err := envs.Define("toy-v1", "Toy.", "A toy.", defaults, func(p params) (envs.Env, error) {
		got = p
		return nil, nil
	}).New(values)
	if err != nil {
		require.ErrorIs(t, err, envs.ErrParams)
		require.Equal(t, -1, got.Agents, "built from parameters that were refused")
	}
	return got, err
}

type myInt int16

func TestParamsAreDecoded(t *testing.T) {
	for _, c := range []struct {
		values map[string]any
		want   params
	}{
		{nil, defaults},
		{map[string]any{}, defaults},
		{map[string]any{"agents": 3, "slip": 1, "held": true, "view": "radius"}, params{3, 1, true, "radius"}},
		{map[string]any{"agents": 4.0, "slip": float32(0.25)}, params{4, 0.25, false, "full"}},
		{map[string]any{"agents": uint8(2), "slip": int64(1000000)}, params{2, 1e6, false, "full"}},
		{map[string]any{"agents": myInt(3)}, params{3, 0.5, false, "full"}},
	} {
		got, err := decode(t, c.values)
		require.NoError(t, err)
		assert.Equal(t, c.want, got, "%v", c.values)
	}
}

func TestBadParamsAreRefused(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		name  string
		value any
		says  string
	}{
		{"agents", 1, "toy-v1: agents is an integer from 2 to 4, got 1"},
		{"agents", 5, "got 5"},
		{"agents", 2.5, "got 2.5"},
		{"agents", "2", `got "2"`},
		{"agents", true, "got true"},
		{"agents", nil, "got <nil>"},
		{"agents", nan, "got NaN"},
		{"agents", uint64(math.MaxUint64), "got 18446744073709551615"},
		{"agents", int64(math.MinInt64), "got -9223372036854775808"},
		{"agents", []any{2}, "got [2]"},
		{"slip", nan, "slip is a number from 0 to 1000000, got NaN"},
		{"slip", math.Inf(1), "got +Inf"},
		{"slip", -0.01, "got -0.01"},
		{"held", 1, "held is true or false, got 1"},
		{"held", "true", `got "true"`},
		{"view", "Full", `view is one of full, radius, got "Full"`},
		{"view", 0, "got 0"},
		{"view", nil, "got <nil>"},
		{"colour", "red", `toy-v1 has no parameter "colour": there are agents, slip, held, view`},
		{"agent", 2, `toy-v1 has no parameter "agent": did you mean "agents"? There are agents, slip, held, view`},
		{"", 1, `no parameter ""`},
	} {
		_, err := decode(t, map[string]any{c.name: c.value})
		assert.ErrorContains(t, err, c.says)
	}
	_, err := decode(t, map[string]any{"b": 1, "a": 1, "agents": 2})
	assert.ErrorContains(t, err, `no parameter "a", "b"`)
}

// Values come from outside: what the message shows of them is short and is text.
func TestErrorsShowLittleOfLargeValues(t *testing.T) {
	for _, values := range []map[string]any{
		{"view": strings.Repeat("é", 1000)},
		{"view": strings.Repeat("x", 57) + "日本"},
		{"agents": []any{strings.Repeat("\xff", 1000)}},
		{strings.Repeat("é", 1000): 1},
	} {
		_, err := decode(t, values)
		require.Error(t, err)
		assert.Less(t, len(err.Error()), 250)
		assert.True(t, utf8.ValidString(err.Error()), "%q", err.Error())
	}
}

func TestBuildErrorsPassThrough(t *testing.T) {
	e := envs.Define("toy-v1", "", "", defaults, func(params) (envs.Env, error) { return nil, envs.ErrParams })
	_, err := e.New(nil)
	assert.ErrorIs(t, err, envs.ErrParams)
}

func TestSchema(t *testing.T) {
	e := envs.Define("toy-v1", "", "", defaults, func(params) (envs.Env, error) { return nil, nil })
	got, err := json.Marshal(envs.Schema(e.Params))
	require.NoError(t, err)
	assert.JSONEq(t, `{"type": "object", "additionalProperties": false, "properties": {
		"agents": {"type": "integer", "default": 2, "minimum": 2, "maximum": 4, "description": "number of agents"},
		"slip": {"type": "number", "default": 0.5, "minimum": 0, "maximum": 1000000, "description": "how slippery"},
		"held": {"type": "boolean", "default": false, "description": "held or latched"},
		"view": {"type": "string", "default": "full", "enum": ["full", "radius"], "description": "what is seen"}
	}}`, string(got))
}

func TestParamValues(t *testing.T) {
	assert.Equal(t, map[string]any{"agents": 2, "slip": 0.5, "held": false, "view": "full"}, envs.ParamValues(defaults))
	got, err := decode(t, envs.ParamValues(params{4, 3, true, "radius"}))
	require.NoError(t, err)
	assert.Equal(t, params{4, 3, true, "radius"}, got)
}

func TestBadDefinitionsPanic(t *testing.T) {
	assert.PanicsWithValue(t, "envs: parameter n needs numeric min and max tags", func() {
		envs.Define("x-v1", "", "", struct {
			N int `param:"n" min:"1"`
		}{}, nil)
	})
	assert.PanicsWithValue(t, "envs: parameter n has an unsupported type", func() {
		envs.Define("x-v1", "", "", struct {
			N []int `param:"n"`
		}{}, nil)
	})
}

func TestRegistry(t *testing.T) {
	define := func(id string) envs.Entry {
		return envs.Define(id, "", "", struct{}{}, func(struct{}) (envs.Env, error) { return nil, nil })
	}
	given := []envs.Entry{define("b-v1"), define("a-v2"), define("a-v1")}
	r := envs.NewRegistry(given...)
	assert.Equal(t, []string{"a-v1", "a-v2", "b-v1"}, []string{r[0].ID, r[1].ID, r[2].ID})
	assert.Equal(t, "b-v1", given[0].ID, "the caller's list was sorted")

	e, err := r.Find("a-v2")
	require.NoError(t, err)
	assert.Equal(t, "a-v2", e.ID)
	_, err = r.Find("c-v1")
	assert.ErrorIs(t, err, envs.ErrUnknownEnv)
	assert.ErrorContains(t, err, `"c-v1": there are a-v1, a-v2, b-v1`)
	assert.PanicsWithValue(t, "envs: two environments of the id a-v1", func() { envs.NewRegistry(define("a-v1"), define("a-v1")) })
}

// TestEnumsOfLists tests string parameters whose values are given beside the tags.
func TestEnumsOfLists(t *testing.T) {
	type params struct {
		Task string `param:"task" help:"which"`
	}
	e := envs.Define("listed-v0", "", "", params{"a"}, func(p params) (envs.Env, error) {
		if p.Task != "b" {
			t.Errorf("task %q", p.Task)
		}
		return nil, nil
	}, envs.Enum{Param: "task", Values: []string{"a", "b"}})
	if _, err := e.New(map[string]any{"task": "b"}); err != nil {
		t.Error(err)
	}
	_, err := e.New(map[string]any{"task": "c"})
	if !errors.Is(err, envs.ErrParams) || !strings.Contains(err.Error(), "one of a, b") {
		t.Error(err)
	}
	var many []string
	for i := range 2 * envs.Many {
		many = append(many, fmt.Sprintf("task-%d", i))
	}
	e = envs.Define("listed-v0", "", "", params{"task-0"}, func(params) (envs.Env, error) { return nil, nil }, envs.Enum{Param: "task", Values: many})
	for value, says := range map[any]string{
		"task-40": `listed-v0: there is no task "task-40": did you mean "task-0"? There are 40, such as task-4, task-0, task-1, task-2, task-3; 'marlpit envs listed-v0' lists them`,
		5:         `listed-v0: there is no task 5: there are 40, such as task-0, task-1, task-2, task-3, task-4; 'marlpit envs listed-v0' lists them`,
	} {
		if _, err = e.New(map[string]any{"task": value}); !errors.Is(err, envs.ErrParams) || !strings.HasSuffix(err.Error(), says) {
			t.Error(err)
		}
	}
	e = envs.Define("listed-v0", "", "", params{"a"}, func(params) (envs.Env, error) { return nil, nil }, envs.Enum{Param: "task", Values: []string{"a", "b"}})
	if got := envs.Schema(e.Params)["properties"].(map[string]any)["task"].(map[string]any)["enum"]; len(got.([]string)) != 2 {
		t.Error(got)
	}
}
