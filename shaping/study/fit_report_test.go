package study_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marlpit/shaping"
	"marlpit/shaping/prefer"
	"marlpit/shaping/study"
	"marlpit/shaping/votes"
)

// Mistakes that hang on the words are told from those of each query: asking
// again is worth something with the one, nothing with the other.
func TestReportTellsHowIndependentVotesAre(t *testing.T) {
	_, db := collected(t, study.CollectOptions{Transitions: 300, Steps: 500, Copies: 16})
	misread := 0
	for noise, check := range map[shaping.Noise]func(prefer.Texts, prefer.Judged){
		shaping.NoiseIID: func(x prefer.Texts, j prefer.Judged) {
			assert.InDelta(t, 0, x.Correlation.Value, 0.08)
			assert.Greater(t, x.Votes, 100.0)
			assert.InDelta(t, 0.896, j.Rate(), 0.08, "majority of five, each wrong one time in four")
		},
		shaping.NoisePerText: func(x prefer.Texts, j prefer.Judged) {
			if x.Correlation != nil { // else no text was misread
				assert.InDelta(t, 1, x.Correlation.Value, 1e-3)
				misread++
			}
			assert.InDelta(t, x.Effective, x.Votes, 0.1)
			assert.Greater(t, j.High-j.Low, 0.3, "a dozen texts tell little, however often they are asked")
		},
	} {
		done, err := db.Label(ctx, &shaping.Oracle{ErrorRate: 0.25, Noise: noise, Seed: 2}, votes.LabelOptions{Queries: 5})
		require.NoError(t, err)
		model, report, err := study.Fit(ctx, db, study.FitOptions{Annotator: done.Annotator})
		require.NoError(t, err)
		require.Len(t, report.Asked, 2)
		assert.Equal(t, report.Asked, model.Header.Report.Asked)
		for i, v := range report.Asked {
			assert.Equal(t, model.Header.World.Agents[i], v.Agent)
			assert.Equal(t, v.Asked, 5*v.Questions)
			assert.Equal(t, v.Asked, v.Invalid.N)
			assert.Zero(t, v.Invalid.Count)
			assert.Equal(t, prefer.OfErrors, v.Texts.Of)
			require.NotNil(t, v.Critic)
			check(*v.Texts, *v.Critic)
		}
	}
	assert.Positive(t, misread)
}

// σ of a walker rises towards its goal, so that nothing lies above the end.
func TestReportTellsOfHovering(t *testing.T) {
	_, db := collected(t, study.CollectOptions{Transitions: 300, Steps: 500, Copies: 16})
	for _, rate := range []float64{0, 1} {
		done, err := db.Label(ctx, &shaping.Oracle{ErrorRate: rate}, votes.LabelOptions{})
		require.NoError(t, err)
		model, report, err := study.Fit(ctx, db, study.FitOptions{Annotator: done.Annotator, Input: shaping.Focus})
		require.NoError(t, err)
		for _, n := range report.Nets {
			require.NotNil(t, n.Hovering)
			assert.Greater(t, n.Hovering.N, 20)
			require.NotNil(t, n.Truth)
			if rate == 0 {
				assert.Less(t, n.Hovering.Rate(), 0.1)
				assert.Greater(t, n.Truth.Rate(), 0.95)
			} else {
				assert.Greater(t, n.Hovering.Rate(), 0.7, "a critic that is reversed puts the goal last")
				assert.Less(t, n.Truth.Rate(), 0.05)
			}
		}
		var b bytes.Buffer
		require.NoError(t, model.Save(&b))
		again, err := prefer.Load(&b)
		require.NoError(t, err)
		assert.Equal(t, model.Header.Report, again.Header.Report)
	}
}

// Questions about the team, and each walker's own part all the same.
func TestSharedLabelsFromTeamVotes(t *testing.T) {
	_, db := collected(t, study.CollectOptions{Transitions: 400, Steps: 500, Copies: 16})
	_, err := db.Label(ctx, &shaping.Oracle{}, votes.LabelOptions{Team: true})
	require.NoError(t, err)
	model, report, err := study.Fit(ctx, db, study.FitOptions{SharedLabels: true})
	require.NoError(t, err)
	assert.Equal(t, prefer.SharedLabels, model.Header.Kind)
	require.Len(t, report.Asked, 1)
	assert.Equal(t, "team", report.Asked[0].Agent)
	require.NotNil(t, report.Asked[0].Texts, "the words are known")
	assert.Equal(t, report.Asked[0].Questions, report.Asked[0].Texts.Distinct, "each is of other states")
	require.Len(t, report.Nets, 2)
	for i, n := range report.Nets {
		require.NotNil(t, n.Truth)
		assert.Greater(t, n.Truth.Rate(), 0.95, "of the walker's own exact credit")
		assert.Greater(t, model.Value(i, []float32{1}), model.Value(i, []float32{0}))
	}
	_, _, err = study.Fit(ctx, db, study.FitOptions{SharedLabels: true, Shared: true})
	require.ErrorIs(t, err, prefer.ErrPairs)
}
