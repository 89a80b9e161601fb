package prefer_test

import (
	"bytes"
	"context"
	"encoding/json"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marlpit/shaping"
	"marlpit/shaping/prefer"
)

func TestTheNetSpeaksForTheEnsemble(t *testing.T) {
	m, r := fit(t, lanePairs(1000, 0.25, 3, 3), prefer.Options{Input: shaping.Focus})
	assert.Equal(t, 3, r.Members)
	assert.Same(t, r, m.Header.Report)
	for i, n := range r.Nets {
		require.NotNil(t, n.Ensemble)
		assert.Len(t, n.Epochs, 3)
		assert.Greater(t, n.Ensemble.Distilled.Rate(), 0.97, "signs of the net and of the mean")
		assert.Less(t, n.Ensemble.Distortion, 0.1)
		assert.Positive(t, n.Ensemble.Spread.Value)
		assert.Less(t, n.Ensemble.Spread.Low, n.Ensemble.Spread.High)
		assert.LessOrEqual(t, n.Ensemble.Unanimous.Count, n.Ensemble.Unanimous.N)
		mean, net := n.Ensemble.Mean, m.Header.Nets[i].HeldOut
		assert.Equal(t, mean.N, net.N)
		assert.GreaterOrEqual(t, float64(net.Right), float64(mean.Right)-0.01*float64(mean.N), "distilling loses nothing")
	}
}

func TestOneMemberIsItsOwnNet(t *testing.T) {
	_, r := fit(t, lanePairs(300, 0, 1, 3), prefer.Options{Members: 1})
	assert.Nil(t, r.Nets[0].Ensemble)
	assert.Len(t, r.Nets[0].Epochs, 1)
}

func TestMembersStopWhereNothingIsLearnt(t *testing.T) {
	_, noise := fit(t, lanePairs(600, 0.5, 1, 3), prefer.Options{Input: shaping.Focus})
	_, clear := fit(t, lanePairs(600, 0.1, 5, 3), prefer.Options{Input: shaping.Focus})
	for i := range 2 {
		for k := range 3 {
			assert.Less(t, noise.Nets[i].Epochs[k], clear.Nets[i].Epochs[k])
		}
	}
}

func TestSigmaIsCalibrated(t *testing.T) {
	_, r := fit(t, lanePairs(1500, 0.25, 3, 3), prefer.Options{Input: shaping.Focus})
	for _, n := range r.Nets {
		assert.Less(t, n.Calibration.Error.Value, 0.08)
		assert.LessOrEqual(t, n.Calibration.Error.Low, n.Calibration.Error.High)
		total := 0
		for _, b := range n.Calibration.Bins {
			total += b.N
			assert.True(t, b.Low <= b.Sigma+1e-9 && b.Sigma <= b.Low+0.1001, "%+v", b)
			if b.N > 50 {
				assert.InDelta(t, b.Voted, b.Sigma, 0.12, "%+v", b)
			}
		}
		assert.Equal(t, 225, total, "the held-out pairs")
	}
}

func TestPairsThatLookTheSameAreCounted(t *testing.T) {
	pairs := lanePairs(200, 0, 1, 5)
	want := 0
	for i := range pairs {
		if pairs[i].Agent == 0 && i%6 == 0 {
			pairs[i].FocusB = pairs[i].FocusA
		}
		if pairs[i].Agent == 0 && assert.ObjectsAreEqual(pairs[i].FocusA, pairs[i].FocusB) {
			want++
		}
	}
	_, r := fit(t, pairs, prefer.Options{Input: shaping.Focus})
	assert.Equal(t, want, r.Nets[0].Identical)
	assert.Greater(t, want, 60)
}

func TestCoresMakeNoDifference(t *testing.T) {
	save := func(cores int) []byte {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(cores))
		m, _ := fit(t, lanePairs(200, 0.1, 3, 5), prefer.Options{Seed: 4})
		var b bytes.Buffer
		require.NoError(t, m.Save(&b))
		return b.Bytes()
	}
	assert.Equal(t, save(1), save(4))
}

// Votes on the team alone; each agent's part comes out of its own view.
func TestSharedLabelsTakeTheTeamApart(t *testing.T) {
	all := lanePairs(1000, 0, 1, 5)
	var pairs []prefer.Pair
	for k := 0; k < len(all); k += 2 {
		p, q := all[k], all[k+1] // agents 0 and 1 of one transition
		sum := p.C + q.C
		p.Agent, p.C = -1, 0.5
		if sum > 1 {
			p.C = 1
		} else if sum < 1 {
			p.C = 0
		}
		p.ViewsA, p.ViewsB = [][]float32{p.FocusA, q.FocusA}, [][]float32{p.FocusB, q.FocusB}
		p.FocusA, p.FocusB = nil, nil
		pairs = append(pairs, p)
	}
	m, r := fit(t, pairs, prefer.Options{Kind: prefer.SharedLabels})
	require.Len(t, r.Nets, 2)
	assert.Equal(t, prefer.SharedLabels, m.Header.Kind)
	for i := range 2 {
		assert.Equal(t, shaping.Focus, m.Input(i))
		assert.Greater(t, ordered(m, i), 0.95)
		assert.Equal(t, m.Header.Nets[0].HeldOut, m.Header.Nets[i].HeldOut, "of their sum")
	}
	assert.Greater(t, m.Header.Nets[0].HeldOut.Rate(), 0.97)
	var b bytes.Buffer
	require.NoError(t, m.Save(&b))
	again, err := prefer.Load(&b)
	require.NoError(t, err)
	assert.Equal(t, m.Value(1, laneFocus(3)), again.Value(1, laneFocus(3)))

	_, _, err = prefer.Fit(context.Background(), lane(), all, prefer.Options{Kind: prefer.SharedLabels})
	require.ErrorIs(t, err, prefer.ErrPairs)
	assert.ErrorContains(t, err, "views of 0 and 0 agents, want 2")
	_, _, err = prefer.Fit(context.Background(), lane(), pairs, prefer.Options{Kind: prefer.SharedLabels, Input: shaping.State})
	assert.ErrorContains(t, err, "own views")
}

func TestWeights(t *testing.T) {
	assert.Equal(t, 1.0, prefer.Equal.Weight(0.9, 7))
	assert.Equal(t, 7.0, prefer.ByVotes.Weight(0.9, 7))
	assert.InDelta(t, 5.6, prefer.Confidence.Weight(0.9, 7), 1e-12)
	assert.Equal(t, 1e-3, prefer.Confidence.Weight(0.5, 7))
}

// Files of format 1 have no report.
func TestFormat1IsRead(t *testing.T) {
	m, raw := saved(t)
	report, err := json.Marshal(m.Header.Report)
	require.NoError(t, err)
	old := remake(remake(raw, `,"report":`+string(report), ""), `"format":2`, `"format":1`)
	got, err := prefer.Load(bytes.NewReader(old))
	require.NoError(t, err)
	assert.Nil(t, got.Header.Report)
	assert.Equal(t, m.SD(0), got.SD(0))
	var again bytes.Buffer
	require.NoError(t, got.Save(&again))
	assert.Equal(t, old, again.Bytes())
	for says, file := range map[string][]byte{
		"format 1 has no report": remake(raw, `"format":2`, `"format":1`),
		"report: 1 nets, want 2": remake(raw, `"nets":[{"identical"`, `"nets":[{}],"x":[{"identical"`),
		"report: 99 members":     remake(raw, `"members":3`, `"members":99`),
	} {
		_, err := prefer.Load(bytes.NewReader(file))
		require.ErrorIs(t, err, prefer.ErrFile)
		if says != "report: 1 nets, want 2" { // that one is an unknown field first
			assert.ErrorContains(t, err, says)
		}
	}
}
