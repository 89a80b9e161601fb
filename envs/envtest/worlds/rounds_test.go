package worlds_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marlpit/envs"
)

func TestRoundsTalkVoteAndPress(t *testing.T) {
	e, f, _ := start(t, "test-rounds-v0", map[string]any{"agents": 3, "length": 1})
	p, _ := envs.As[envs.Proposer](e)
	sp, _ := envs.As[envs.Speaker](e)
	r, _ := envs.As[envs.Rounder](e)
	st, _ := envs.As[envs.Structured](e)
	require.NoError(t, st.SetState([]byte(`{"goal":[1],"progress":0,"turn":0,"round":0,"gave_up":false}`), f))
	require.NoError(t, p.Propose(0, []byte(`{"action_type":"click","index":1,"reason":"the goal says \"green\""}`)))
	require.ErrorContains(t, p.Propose(1, []byte(`{"action_type":"click","index":7}`)), "index from 0 to 2")
	a := envs.Actions{Choice: []int32{p.ProposalChoice(), p.ProposalChoice(), 1}}
	assert.Equal(t, []bool{true, false, false}, r.AppendRight(nil, a))
	round := r.AppendRound(nil, a)
	require.True(t, json.Valid(round), "%s", round)
	assert.Contains(t, string(round), `"proposals":[{"agent":"agent_0","action":{"action_type":"click","index":1},"words":"click green","reason":"the goal says \"green\""},{"agent":"agent_1","error":"click needs an index from 0 to 2"},{"agent":"agent_2","action":{"action_type":"click","index":0},"words":"click red"}]`)
	e.Step(a, f)
	assert.Equal(t, float32(0), f.Info[3], "the first round executes nothing")
	assert.Contains(t, string(sp.AppendObservation(nil, 1)), `"messages":[{"agent":"agent_0","action":{"action_type":"click","index":1},"words":"click green","reason":"the goal says \"green\""}],"texts":[],"error":"click needs`)
	e.Step(envs.Actions{Choice: []int32{2, 1, 2}}, f)
	assert.Equal(t, []float32{1, 1, 1}, f.Team)
	assert.InDelta(t, 2.0/3, f.Info[5], 1e-6)
	x, _ := envs.As[envs.Explainer](e)
	assert.Equal(t, envs.Note{Agent: 0, Kind: "result", Text: "all buttons are pressed"}, x.AppendNotes(nil)[0])
}
