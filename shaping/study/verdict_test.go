package study_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"marlpit/shaping/study"
	"marlpit/shaping/votes"
)

func TestVerdictsNeedSomethingToDecide(t *testing.T) {
	verdict := func(right, undecided, even, unasked int) study.Verdict {
		var counts []votes.Counted
		add := func(n int, c votes.Counted) {
			for range n {
				c.Family = "f"
				counts = append(counts, c)
			}
		}
		add(right, votes.Counted{Truth: 1, Second: 1, Confidence: 1})
		add(undecided, votes.Counted{Truth: 1, Tie: 1, Confidence: 0.5})
		add(even, votes.Counted{Tie: 1, Confidence: 0.5})
		add(unasked, votes.Counted{Truth: 1})
		return study.ScoreGroups(counts, func(c votes.Counted) string { return c.Family })[0].Verdict
	}
	assert.Equal(t, study.Nothing, verdict(0, 0, 30, 30), "no credit to get right, or no vote on it")
	assert.Equal(t, study.TooFew, verdict(4, 0, 30, 30))
	assert.Equal(t, study.TooFew, verdict(0, 4, 0, 0))
	assert.Equal(t, study.Usable, verdict(5, 0, 0, 0))
	assert.Equal(t, study.Blind, verdict(0, 5, 0, 0), "it could have told, and didn't")
}
