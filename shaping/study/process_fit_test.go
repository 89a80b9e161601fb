package study_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marlpit/envs/catalog"
	"marlpit/shaping/process"
	"marlpit/shaping/study"
)

// phoneScores is a file with rounds of phone-v1 as the solution critic scores them.
func phoneScores(t *testing.T, rounds int) *process.DB {
	t.Helper()
	entry, err := catalog.All().Find("phone-v1")
	require.NoError(t, err)
	e, err := entry.New(nil)
	require.NoError(t, err)
	var records []*process.Record
	_, err = study.SampleRounds(ctx, e, study.SampleOptions{Rounds: rounds, Seed: 1}, func(r *process.Record) error {
		records = append(records, r)
		return nil
	})
	require.NoError(t, err)
	db := scoresFile(t)
	_, err = process.Run(ctx, db, process.Solution{}, records, process.RunOptions{})
	require.NoError(t, err)
	return db
}

// A scorer that was fitted to what is right knows more of goals, and of kinds of
// tasks, that it never saw than chance does.
func TestAFittedScorerBeatsChance(t *testing.T) {
	db := phoneScores(t, 700)
	m, err := process.FitModel(ctx, db, process.ModelOptions{Name: "phone", Seed: 3, ObsVersion: func(string) (int, error) { return 1, nil }})
	require.NoError(t, err)
	h := m.Header
	assert.Equal(t, "phone-v1", h.World)
	assert.Equal(t, "solution error_rate=0 seed=0", h.Critic)
	assert.Equal(t, 700, h.Rounds)
	require.Len(t, h.HeldOut, 2)
	for i, by := range []string{"goal", "template"} {
		x := h.HeldOut[i]
		require.Equal(t, by, x.By)
		assert.Equal(t, x.Proposals, x.Known.Proposals)
		assert.Greater(t, x.Known.Right.Low+x.Known.Wrong.Low, 1.15, "%+v", x)
		assert.Less(t, x.Error, 0.85*x.Constant)
		assert.Less(t, x.Calibration, 0.2)
	}

	again, err := process.FitModel(ctx, db, process.ModelOptions{Name: "phone", Seed: 3, ObsVersion: func(string) (int, error) { return 1, nil }})
	require.NoError(t, err)
	var file, same bytes.Buffer
	require.NoError(t, m.Save(&file))
	require.NoError(t, again.Save(&same))
	require.Equal(t, file.Bytes(), same.Bytes(), "the same seed makes the same model")
	read, err := process.LoadModel(bytes.NewReader(file.Bytes()))
	require.NoError(t, err)
	require.Equal(t, m, read)
	damaged(t, file.Bytes())
}

// damaged holds that no broken file is read, or makes trouble: only flips of
// weights, within their bounds, and of what the header says in words may pass.
func damaged(t *testing.T, file []byte) {
	for _, n := range []int{0, 7, 8, 11, 12, 40, len(file) / 2, len(file) - 1} {
		_, err := process.LoadModel(bytes.NewReader(file[:n]))
		require.ErrorIs(t, err, process.ErrModel, "%d bytes of it", n)
	}
	_, err := process.LoadModel(bytes.NewReader(append(bytes.Clone(file), 0)))
	require.ErrorContains(t, err, "something follows")
	rng := rand.New(rand.NewPCG(1, 1))
	for range 300 {
		bad := bytes.Clone(file)
		at := rng.IntN(2000)
		bad[at] ^= 1 << rng.IntN(8)
		if _, err := process.LoadModel(bytes.NewReader(bad)); err != nil {
			require.ErrorIs(t, err, process.ErrModel)
		}
	}
}

func TestScorersWantScores(t *testing.T) {
	db := scoresFile(t)
	_, err := process.FitModel(ctx, db, process.ModelOptions{})
	require.ErrorIs(t, err, process.ErrCritic)
	records, _ := sampled(t, study.SampleOptions{Rounds: 10})
	_, err = process.Run(ctx, db, process.Random{}, records, process.RunOptions{})
	require.NoError(t, err)
	_, err = process.FitModel(ctx, db, process.ModelOptions{})
	require.ErrorIs(t, err, process.ErrModel)
	require.ErrorContains(t, err, "at least 20 are needed")
}

// What can't be served isn't made.
func TestScorersThatWouldBeOfNoUseAreRefused(t *testing.T) {
	db := scoresFile(t)
	records, _ := sampled(t, study.SampleOptions{Rounds: 20})
	_, err := process.Run(ctx, db, process.Random{}, records, process.RunOptions{})
	require.NoError(t, err)
	_, err = process.FitModel(ctx, db, process.ModelOptions{Name: strings.Repeat("x", 5000)})
	require.ErrorIs(t, err, process.ErrModel)
	require.ErrorContains(t, err, "5000 bytes")
	_, err = process.FitModel(ctx, db, process.ModelOptions{})
	require.ErrorContains(t, err, "name is missing")

	db, records = scoresFile(t), nil
	for n := range 20 {
		r, err := process.ParseRecord(fmt.Appendf(nil, `{"world":"w","goal":"g","turn":%d,"proposals":[{"agent":"a","error":"no JSON"}]}`, n))
		require.NoError(t, err)
		records = append(records, r)
	}
	_, err = process.Run(ctx, db, process.Random{}, records, process.RunOptions{})
	require.NoError(t, err)
	_, err = process.FitModel(ctx, db, process.ModelOptions{})
	require.ErrorIs(t, err, process.ErrModel)
	require.ErrorContains(t, err, "no proposal in these 20 rounds could be played")
}
