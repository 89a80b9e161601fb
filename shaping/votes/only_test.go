package votes_test

import (
	"math"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marlpit/shaping"
	"marlpit/shaping/shapingtest"
	"marlpit/shaping/votes"
)

// Those that are named are asked, in that order, and counted alone.
func TestLabelOnlySome(t *testing.T) {
	db := world(t, 6)
	var asked []string
	c := &shapingtest.Scripted{Say: func(q shaping.Question) (shaping.Answer, error) {
		asked = append(asked, q.Forward)
		return shaping.Answer{Vote: shaping.Tie, Confidence: 0.5}, nil
	}}
	opt := votes.LabelOptions{Only: []votes.Side{{Transition: 4, Agent: 1}, {Transition: 2, Agent: 0}, {Transition: 99, Agent: 0}}}
	r, err := db.Label(ctx, c, opt)
	require.NoError(t, err)
	assert.Equal(t, []int{2, 0, 2, 0}, []int{r.Wanted, r.Before, r.Asked, r.Unasked})
	counts, err := db.Counts(ctx, r.Annotator, false, 0)
	require.NoError(t, err)
	require.Len(t, counts, 2)
	assert.Equal(t, []string{"g 3.1 forward", "g 1.0 forward"}, asked)
	opt.Only = append(opt.Only, votes.Side{Transition: 1, Agent: 1})
	r, err = db.Label(ctx, c, opt)
	require.NoError(t, err)
	assert.Equal(t, []int{3, 2, 1, 0}, []int{r.Wanted, r.Before, r.Asked, r.Unasked})
	assert.Len(t, asked, 3)
	r, err = db.Label(ctx, c, votes.LabelOptions{Only: []votes.Side{}})
	require.NoError(t, err)
	assert.Zero(t, r.Wanted)
}

// A question that nobody voted on stays open, and ends nothing.
func TestMissingVotesDoNotEndALabelling(t *testing.T) {
	db, answered := world(t, 20), 0
	const n = 40
	c := &shapingtest.Scripted{Say: func(shaping.Question) (shaping.Answer, error) {
		if answered++; answered < n {
			return shaping.Answer{}, shaping.ErrNoVote
		}
		return shaping.Answer{Vote: shaping.First}, nil
	}}
	r, err := db.Label(ctx, c, votes.LabelOptions{})
	require.NoError(t, err)
	assert.Equal(t, []int{1, n - 1, n - 1}, []int{r.Asked, r.Failed, r.Unasked})
	assert.Equal(t, shaping.ErrNoVote.Error(), r.LastError)
}

// What the file lacks for a critic is told with its place.
func TestUnknownCreditIsPlaced(t *testing.T) {
	db, err := votes.Create(ctx, filepath.Join(t.TempDir(), "votes.db"))
	require.NoError(t, err)
	defer func() { _ = db.Close() }()
	ts := transitions(3)
	ts[1].Agents[1].Truth, ts[2].Agents[2].Truth = math.NaN(), math.NaN()
	_, err = db.Add(ctx, testWorld, votes.Collection{}, ts)
	require.NoError(t, err)
	oracle, err := shaping.NewOracle(0, shaping.NoiseIID, 0)
	require.NoError(t, err)
	_, err = db.Label(ctx, oracle, votes.LabelOptions{})
	require.ErrorIs(t, err, shaping.ErrTruth)
	require.ErrorContains(t, err, "transition 2, agent 1: ")
	_, err = db.Label(ctx, oracle, votes.LabelOptions{Team: true})
	require.ErrorIs(t, err, shaping.ErrTruth)
	require.ErrorContains(t, err, "transition 3, the team: ")
}
