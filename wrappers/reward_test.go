package wrappers_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marlpit/shaping/prefer"
	"marlpit/wrappers"
)

func TestParseDefaults(t *testing.T) {
	for _, v := range []any{nil, "team", map[string]any{"scheme": "team"}} {
		r, err := wrappers.ParseReward(v)
		require.NoError(t, err)
		assert.Equal(t, map[string]any{"scheme": "team"}, r.Options())
	}
	r, err := wrappers.ParseReward("credit")
	require.NoError(t, err)
	assert.Equal(t, map[string]any{
		"scheme": "credit", "model": "", "form": "replace", "scale": 0.1, "gamma": 1.0, "terminal": "value", "bonus": 1.0, "step_cost": 0.01,
	}, r.Options())
	want := map[string]any{"scheme": "add", "model": "", "weight": 2.0, "gamma": 0.99, "terminal": "zero"}
	for _, v := range []any{
		map[string]any{"scheme": "add", "weight": 2},
		map[string]any{"scheme": "credit", "form": "add", "weight": float32(2)},
	} {
		r, err = wrappers.ParseReward(v)
		require.NoError(t, err)
		assert.Equal(t, want, r.Options())
	}
}

func TestParseRefuses(t *testing.T) {
	for _, c := range []struct {
		in   any
		says string
	}{
		{"live", "there are team, credit, credit-mean, sum, add"},
		{"banzhaf", "shared, coin, none, expert, oracle, difference, shapley"},
		{"", "there is no scheme"},
		{3, "or an object with one, got 3"},
		{[]any{}, "want the name"},
		{map[string]any{"bonus": 1}, "needs a scheme"},
		{map[string]any{"scheme": 4}, "needs a scheme"},
		{map[string]any{"scheme": "none", "scale": 1}, "none has no option \"scale\": there are bonus, step_cost"},
		{map[string]any{"scheme": "team", "bonus": 1}, "it has none"},
		{map[string]any{"scheme": "shared", "live": map[string]any{"critic": "x"}}, "no option \"live\""},
		{map[string]any{"scheme": "credit", "live": "x"}, "live is a map with the name of a critic"},
		{map[string]any{"scheme": "credit", "live": map[string]any{}}, "live.critic is the name of a critic of the server (GET /v1/critics), got nothing"},
		{map[string]any{"scheme": "credit", "live": map[string]any{"critic": 3}}, "live.critic is the name"},
		{map[string]any{"scheme": "credit", "live": map[string]any{"critic": "x", "base_url": "http://evil"}}, "live has no option \"base_url\": there are budget_requests, critic"},
		{map[string]any{"scheme": "credit", "live": map[string]any{"critic": "x", "key": "sk"}}, "live has no option \"key\""},
		{map[string]any{"scheme": "credit", "live": map[string]any{"critic": "x", "viewpoint": "both"}}, "live.viewpoint is guided or plain"},
		{map[string]any{"scheme": "credit", "live": map[string]any{"critic": "x", "queries": 0}}, "live.queries is a whole number from 1 to 100, got 0"},
		{map[string]any{"scheme": "credit", "live": map[string]any{"critic": "x", "queries": 1.5}}, "live.queries"},
		{map[string]any{"scheme": "credit", "live": map[string]any{"critic": "x", "transitions": 39}}, "from 40 to 1000000"},
		{map[string]any{"scheme": "credit", "live": map[string]any{"critic": "x", "budget_requests": math.Inf(1)}}, "live.budget_requests"},
		{map[string]any{"scheme": "credit", "live": map[string]any{"critic": "x", "refit_every": true}}, "live.refit_every"},
		{map[string]any{"scheme": "credit", "live": map[string]any{"critic": "x", "seed": -1}}, "live.seed"},
		{map[string]any{"scheme": "credit", "model": "m", "live": map[string]any{"critic": "x"}}, "leave out model"},
		{map[string]any{"scheme": "credit", "weight": 1}, "no option \"weight\""},
		{map[string]any{"scheme": "credit", "scale": 0}, "above 0"},
		{map[string]any{"scheme": "credit", "scale": math.NaN()}, "scale is a number"},
		{map[string]any{"scheme": "credit", "bonus": math.Inf(1)}, "bonus is a number"},
		{map[string]any{"scheme": "credit", "bonus": "1"}, "bonus is a number"},
		{map[string]any{"scheme": "credit", "bonus": true}, "bonus is a number"},
		{map[string]any{"scheme": "credit", "step_cost": -0.1}, "step_cost is a number"},
		{map[string]any{"scheme": "add", "gamma": 1.01}, "gamma is a number from 0 to 1"},
		{map[string]any{"scheme": "add", "terminal": "none"}, "value or zero"},
		{map[string]any{"scheme": "credit", "form": 1}, "replace or add"},
		{map[string]any{"scheme": "credit", "model": 1}, "model is a text"},
	} {
		_, err := wrappers.ParseReward(c.in)
		require.ErrorIs(t, err, wrappers.ErrReward, "%v", c.in)
		assert.ErrorContains(t, err, c.says)
	}
}

func TestReplaceWithTerminalZeroIsRefused(t *testing.T) {
	for _, scheme := range []string{"credit", "shared", "coin", "oracle", "sum", "credit-mean"} {
		_, err := wrappers.ParseReward(map[string]any{"scheme": scheme, "terminal": "zero"})
		require.ErrorIs(t, err, wrappers.ErrReward)
		assert.ErrorContains(t, err, "the constant −σ(s0)")
	}
	_, _, err := wrappers.Build(world(t, "test-count-v0", nil), wrappers.Reward{Scheme: "credit", Form: "replace", Terminal: "zero"}, nil)
	assert.ErrorContains(t, err, "the constant −σ(s0)")
}

func TestBuildRefuses(t *testing.T) {
	e := world(t, "test-count-v0", nil)
	try := func(reward any, models wrappers.Models) error {
		r, err := wrappers.ParseReward(reward)
		require.NoError(t, err)
		_, _, err = wrappers.Build(e, r, models)
		return err
	}
	assert.ErrorContains(t, try("oracle", nil), "has no solver")
	assert.ErrorContains(t, try("expert", nil), "no dense reward")
	err := try("credit", nil)
	assert.ErrorIs(t, err, wrappers.ErrModel)
	assert.ErrorContains(t, err, "nothing is loaded")
	assert.ErrorContains(t, err, "marlpit collect --env test-count-v0")

	l := &wrappers.Library{}
	l.Add("ours", randomModel(t, e, prefer.Agents, "", 1))
	assert.NoError(t, try("credit", l))
	assert.ErrorContains(t, try("shared", l), "the scheme needs a model of the kind shared for test-count-v0 with these parameters; loaded: ours (kind agents, test-count-v0)")
	assert.ErrorContains(t, try(map[string]any{"scheme": "coin", "model": "ours"}, l), "the scheme needs coin")
	assert.ErrorIs(t, try(map[string]any{"scheme": "credit", "model": "theirs"}, l), wrappers.ErrModel)

	e = world(t, "test-count-v0", map[string]any{"agents": 3})
	err = try(map[string]any{"scheme": "credit", "model": "ours"}, l)
	assert.ErrorIs(t, err, prefer.ErrWorld)
	assert.ErrorContains(t, err, "parameter agents: 2 in the model, 3 here")
	assert.ErrorIs(t, try("credit", l), wrappers.ErrModel)
}

func TestLibraryPicksTheLastThatMatches(t *testing.T) {
	e := world(t, "test-count-v0", nil)
	other := world(t, "test-stages-v0", nil)
	a, b, c := randomModel(t, e, prefer.Agents, "", 1), randomModel(t, e, prefer.Agents, "", 2), randomModel(t, other, prefer.Agents, "", 3)
	l := &wrappers.Library{}
	l.Add("a", a)
	l.Add("b", b)
	l.Add("c", c)
	got, err := l.Find("", e.Spec(), prefer.Agents)
	require.NoError(t, err)
	assert.Same(t, b, got)
	l.Add("a", a) // again: now the last
	got, err = l.Find("", e.Spec(), prefer.Agents)
	require.NoError(t, err)
	assert.Same(t, a, got)
	r, err := wrappers.ParseReward("credit")
	require.NoError(t, err)
	_, resolved, err := wrappers.Build(e, r, l)
	require.NoError(t, err)
	assert.Equal(t, "a", resolved["model"])
	assert.Equal(t, 1, resolved["model_version"])
	assert.True(t, l.Remove("a"))
	assert.False(t, l.Remove("a"))
	var names []string
	for _, n := range l.List() {
		names = append(names, n.Name)
	}
	assert.Equal(t, []string{"b", "c"}, names)
}
