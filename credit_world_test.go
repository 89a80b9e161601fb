package main

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// From random play to a model, on the command line: a simulated ranker that is
// wrong a quarter of the time, three queries each, against exact credit.
func TestTwoSwitchFromRandomPlayToModel(t *testing.T) {
	long(t)
	dir := t.TempDir()
	db, model := filepath.Join(dir, "votes.db"), filepath.Join(dir, "two-switch.credit")
	var c collected
	programJSON(t, &c, "collect", "--env", "two-switch-v1", "--transitions", "1500", "--seed", "3", "--db", db)
	assert.Equal(t, "exact", c.Solver)
	assert.EqualValues(t, 64000, c.Frames)
	assert.Equal(t, 1500, c.Added)
	var again collected
	programJSON(t, &again, "collect", "--env", "two-switch-v1", "--transitions", "1500", "--seed", "3", "--db", filepath.Join(dir, "again.db"))
	assert.Equal(t, c.Hash, again.Hash)

	var l labelled
	programJSON(t, &l, "label", "--db", db, "--critic", "oracle", "--error-rate", "0.25", "--queries", "3")
	assert.Equal(t, 9000, l.Asked)
	var f fitted
	programJSON(t, &f, "fit", "--db", db, "--out", model)
	require.Len(t, f.Nets, 2)
	for _, n := range f.Nets {
		require.NotNil(t, n.Truth)
		assert.Greater(t, n.Truth.Rate(), 0.8, "%s on held-out pairs, against exact credit", n.Agent)
		assert.Greater(t, n.Truth.N, 50)
		assert.Positive(t, n.HeldOut.N)
	}
	// On transitions it has never seen.
	var j judged
	programJSON(t, &j, "judge", "--env", "two-switch-v1", "--model", model)
	assert.Equal(t, "usable", string(j.Verdict))
	assert.Greater(t, j.Scores[0].Accuracy, 0.8)
	programJSON(t, &j, "judge", "--env", "two-switch-v1", "--critic", "oracle")
	assert.Equal(t, 1.0, j.Scores[0].Accuracy)

	// The words are there in both viewpoints, and the prompt shows them.
	for _, view := range []string{"guided", "plain"} {
		code, out, errs := program("label", "--db", db, "--critic", "openai", "--base-url", "http://127.0.0.1:1", "--model", "m", "--show-prompt", "--viewpoint", view)
		require.Zero(t, code, errs)
		assert.Contains(t, out, "agent_0")
	}
}
