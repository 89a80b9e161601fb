package study_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marlpit/shaping"
	"marlpit/shaping/shapingtest"
	"marlpit/shaping/study"
	"marlpit/shaping/votes"
)

func TestJudgeStopsWhenItKnowsEnough(t *testing.T) {
	_, db := collected(t, study.CollectOptions{Transitions: 400, Steps: 1000, Copies: 16, Seed: 1})
	exact, err := study.Judge(ctx, db, &shaping.Oracle{}, study.JudgeOptions{Precision: 0.05})
	require.NoError(t, err)
	assert.Equal(t, "exact", exact.Truth)
	assert.Equal(t, study.Usable, exact.Verdict)
	assert.Equal(t, 1.0, exact.Scores[0].Accuracy)
	assert.Less(t, exact.Asked, exact.Pool)
	assert.Contains(t, []int{100, 150, 200}, exact.Asked, "a look")
	assert.GreaterOrEqual(t, exact.OnPool.Low, 0.95)
	assert.Zero(t, exact.Unasked)

	rough, err := study.Judge(ctx, db, &shaping.Oracle{ErrorRate: 0.25, Seed: 2}, study.JudgeOptions{Precision: 0.05})
	require.NoError(t, err)
	assert.Greater(t, rough.Asked, exact.Asked, "a rough critic takes longer to know")
	all, err := study.Judge(ctx, db, &shaping.Oracle{ErrorRate: 0.25, Seed: 2}, study.JudgeOptions{})
	require.NoError(t, err)
	assert.Equal(t, all.Pool, all.Asked)
	assert.Equal(t, all.Scores[0].Accuracy, all.OnPool.Low, "of the whole pool nothing is left to estimate")
	assert.Equal(t, all.OnPool.Low, all.OnPool.High)
	assert.LessOrEqual(t, rough.OnPool.Low, all.OnPool.Low)
	assert.GreaterOrEqual(t, rough.OnPool.High, all.OnPool.High)
	again, err := study.Judge(ctx, db, &shaping.Oracle{ErrorRate: 0.25, Seed: 2}, study.JudgeOptions{Precision: 0.05})
	require.NoError(t, err)
	assert.Equal(t, all.Asked, again.Asked, "votes that are there are all counted")

	families := 0
	for _, f := range all.Families {
		families += f.Questions
		assert.Contains(t, []string{"arrive", "rest", "walk"}, f.Agent)
	}
	assert.Equal(t, all.Pool, families)
	_, err = study.Judge(ctx, db, &shaping.Oracle{}, study.JudgeOptions{Precision: 1})
	assert.ErrorContains(t, err, "precision")
}

// What is asked first is spread over agents and families.
func TestJudgeAsksOfEachKindItsShare(t *testing.T) {
	_, db := collected(t, study.CollectOptions{Transitions: 300, Steps: 1000, Copies: 16})
	all, err := study.Judge(ctx, db, &shaping.Oracle{}, study.JudgeOptions{})
	require.NoError(t, err)
	few, err := study.Judge(ctx, db, &shaping.Oracle{Seed: 9}, study.JudgeOptions{Precision: 0.5, Seed: 4})
	require.NoError(t, err)
	require.Equal(t, 100, few.Asked)
	share := func(j study.Judgement, family int) float64 {
		f, s := j.Families[family], j.Scores[0]
		return float64(f.Right+f.Wrong) / float64(s.Right+s.Wrong)
	}
	for i, f := range few.Families {
		assert.InDelta(t, share(all, i), share(few, i), 0.03, f.Agent)
	}
}

// Questions without credit say nothing of the accuracy: few are asked, unless
// everything is.
func TestJudgeAsksFewQuestionsWithoutCredit(t *testing.T) {
	got, db := collected(t, study.CollectOptions{Transitions: 300, Steps: 1000, Copies: 16})
	even := 0
	for i := range got.Transitions {
		for _, a := range got.Transitions[i].Agents[:2] {
			if a.Truth == 0 {
				even++
			}
		}
	}
	total := 2 * len(got.Transitions)
	credit := total - even
	require.Greater(t, even, credit/4)
	few, err := study.Judge(ctx, db, &shaping.Oracle{}, study.JudgeOptions{Precision: 0.05})
	require.NoError(t, err)
	assert.Equal(t, credit+credit/4, few.Pool)
	assert.InDelta(t, 0.2, float64(few.Scores[0].Even)/float64(few.Asked), 0.03)
	all, err := study.Judge(ctx, db, &shaping.Oracle{}, study.JudgeOptions{})
	require.NoError(t, err)
	assert.Equal(t, []int{total, even}, []int{all.Pool, all.Scores[0].Even})
}

// Intervals take equal words for one: on a line of few cells there are few texts.
func TestIntervalsAreClusteredByWords(t *testing.T) {
	_, db := collected(t, study.CollectOptions{Transitions: 300, Steps: 1000, Copies: 16})
	text, err := study.Judge(ctx, db, &shaping.Oracle{ErrorRate: 0.3, Noise: shaping.NoisePerText, Seed: 6}, study.JudgeOptions{})
	require.NoError(t, err)
	iid, err := study.Judge(ctx, db, &shaping.Oracle{ErrorRate: 0.3, Seed: 6}, study.JudgeOptions{})
	require.NoError(t, err)
	a, b := text.Scores[0], iid.Scores[0]
	assert.Equal(t, a.Texts, b.Texts)
	assert.Less(t, a.Texts, 30)
	assert.Greater(t, a.High-a.Low, 2*(b.High-b.Low))
}

func TestJudgeByTheBoundAndWithoutTruth(t *testing.T) {
	got, err := study.Collect(ctx, lineEntry, map[string]any{"length": 16}, study.CollectOptions{Transitions: 60, Steps: 300, Copies: 8})
	require.NoError(t, err)
	db := fileOf(t, got)
	j, err := study.Judge(ctx, db, &shaping.Oracle{}, study.JudgeOptions{})
	require.NoError(t, err)
	assert.Equal(t, "bound: half of the way", j.Truth)
	assert.Equal(t, 1.0, j.Scores[0].Accuracy)

	for _, tr := range got.Transitions {
		for i := range tr.Agents {
			tr.Agents[i].Truth = nan
		}
	}
	got.Collection.Solver = "the world has no solver"
	_, err = study.Judge(ctx, fileOf(t, got), &shaping.Oracle{}, study.JudgeOptions{})
	require.ErrorIs(t, err, study.ErrTruth)
	assert.ErrorContains(t, err, "the world has no solver")
}

// A critic that fails leaves what was had.
func TestJudgeOfAFailingCritic(t *testing.T) {
	_, db := collected(t, study.CollectOptions{Transitions: 100, Steps: 300, Copies: 8})
	asked := 0
	c := &shapingtest.Scripted{Say: func(q shaping.Question) (shaping.Answer, error) {
		if asked++; asked > 30 {
			return shaping.Answer{}, shaping.ErrTruth
		}
		return (&shaping.Oracle{}).Ask(ctx, q)
	}}
	j, err := study.Judge(ctx, db, c, study.JudgeOptions{Precision: 0.05})
	require.ErrorIs(t, err, shaping.ErrTruth)
	assert.Equal(t, 30, j.Asked)
	assert.Equal(t, 1.0, j.Scores[0].Accuracy)
}

var nan = math.NaN()

func fileOf(t *testing.T, got *study.Collected) *votes.DB {
	t.Helper()
	db, err := votes.Create(ctx, t.TempDir()+"/votes.db")
	require.NoError(t, err)
	t.Cleanup(func() { _ = db.Close() })
	_, err = db.Add(ctx, got.World, got.Collection, got.Transitions)
	require.NoError(t, err)
	return db
}
