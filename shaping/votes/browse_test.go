package votes_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marlpit/shaping"
	"marlpit/shaping/shapingtest"
	"marlpit/shaping/votes"
)

// What people look at: one question, why answers were invalid, what was spent.
func TestBrowse(t *testing.T) {
	db := world(t, 6)
	shown, err := db.Show(ctx, 2, 0)
	require.NoError(t, err)
	assert.Equal(t, votes.Shown{SnapshotA: []byte{1}, SnapshotB: []byte{1}, StateA: []float32{1, 0}, StateB: []float32{1, 1},
		Actions: []int32{1, 0}, Step: 1, Guided: "g 1.0 forward", Plain: "same forward"}, shown)
	shown, err = db.Show(ctx, 2, votes.Team)
	require.NoError(t, err)
	assert.Equal(t, "team f", shown.Guided)
	_, err = db.Show(ctx, 99, 0)
	require.ErrorContains(t, err, "transition 99, agent 0")

	// Transitions 3 to 6 of agent 0 get an invalid answer, three for one reason.
	critic := &shapingtest.Scripted{Say: func(q shaping.Question) (shaping.Answer, error) {
		a := shaping.Answer{Vote: shaping.Tie, Confidence: 0.5, Requests: []shaping.Request{{Body: []byte(q.Forward), Reply: []byte("reply to " + q.Forward), PromptTokens: 7, CompletionTokens: 2}}}
		switch q.Forward {
		case "g 2.0 forward":
			a.Vote, a.Reason = shaping.Invalid, "rare"
		case "g 3.0 forward", "g 4.0 forward", "g 5.0 forward":
			a.Vote, a.Reason = shaping.Invalid, "frequent"
		}
		return a, nil
	}}
	_, err = db.Label(ctx, critic, votes.LabelOptions{})
	require.NoError(t, err)
	name := votes.Name(critic, "guided")
	reasons, distinct, err := db.Reasons(ctx, name, 1)
	require.NoError(t, err)
	assert.Equal(t, 2, distinct)
	assert.Equal(t, []votes.Reason{{Text: "frequent", Votes: 3, Transition: 4, Agent: 0, Reply: "reply to g 3.0 forward"}}, reasons)
	reasons, _, err = db.Reasons(ctx, name, 9)
	require.NoError(t, err)
	require.Len(t, reasons, 2)
	assert.Equal(t, "rare", reasons[1].Text)
	reasons, distinct, err = db.Reasons(ctx, "nobody", 9)
	require.NoError(t, err)
	assert.Empty(t, reasons)
	assert.Zero(t, distinct)

	first, last, err := db.AskedAt(ctx, name)
	require.NoError(t, err)
	assert.LessOrEqual(t, first, last)
	for _, at := range []string{first, last} {
		when, err := time.Parse(time.RFC3339Nano, at)
		require.NoError(t, err)
		assert.WithinDuration(t, time.Now(), when, time.Minute)
	}
	first, _, err = db.AskedAt(ctx, "nobody")
	require.NoError(t, err)
	assert.Empty(t, first)

	spent, err := db.Spendings(ctx)
	require.NoError(t, err)
	assert.Equal(t, []votes.Spending{{Annotator: name, Requests: 12, Answered: 12, PromptTokens: 84, CompletionTokens: 24}}, spent)
}
