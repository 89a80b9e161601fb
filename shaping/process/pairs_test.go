package process_test

import (
	"encoding/json"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marlpit/shaping"
	"marlpit/shaping/process"
)

func steps(t *testing.T) []*process.Record {
	t.Helper()
	f, err := os.Open("testdata/steps.jsonl")
	require.NoError(t, err)
	defer func() { assert.NoError(t, f.Close()) }()
	out, err := process.ReadRecords(f)
	require.NoError(t, err)
	return out
}

func TestStepsFromElsewhereAreRounds(t *testing.T) {
	all := steps(t)
	require.Len(t, all, 20)
	keys := map[process.Key]bool{}
	right := 0
	for _, r := range all {
		keys[r.Key()] = true
		assert.Equal(t, "steps", r.World)
		require.Len(t, r.Right, 3)
		for _, x := range r.Right {
			if x {
				right++
			}
		}
		again, err := process.ParseRecord(r.Text)
		require.NoError(t, err)
		assert.Equal(t, r.Round, again.Round)
	}
	assert.Len(t, keys, 20)
	assert.Equal(t, 23, right)
	first := all[0]
	assert.Equal(t, "riverbus", first.Template)
	assert.Equal(t, []string{"Travel"}, first.Apps)
	assert.Equal(t, []bool{true, false, false}, first.Right, "the same text in another field is wrong")
	assert.JSONEq(t, `{"action_type":"input_text","index":0,"text":"Alder Quay"}`, string(first.Proposals[0].Action))
	assert.Equal(t, `type "From": "Alder Quay"`, first.Proposals[0].Words)
	assert.Equal(t, process.Element{Index: 0, Role: "input", Description: "From", Enabled: true, Clickable: true, Editable: true}, first.Elements[0])
	assert.Equal(t, `there is no candidate "99"`, all[2].Proposals[2].Error)

	for want, text := range map[string]string{
		"line 1: process: no round: confirmed_task is missing": `{"confirmed_task":"","proposals":[]}`,
		"line 2: process: no round: proposals[0]: op is CLICK": "\n" + `{"confirmed_task":"t","candidates":[{"backend_node_id":"1"}],"proposals":[{"agent":"a","backend_node_id":"1","operation":{"op":"HOVER"}}]}`,
		"candidates[1]: backend_node_id is missing or there":   `{"confirmed_task":"t","candidates":[{"backend_node_id":"1"},{"backend_node_id":"1"}],"proposals":[]}`,
		"proposals is missing":                                 `{"confirmed_task":"t","candidates":[]}`,
		"line 2: process: no round: goal is missing":           string(text(1)) + "\n{}",
		"line 3 is longer than":                                "\n\n" + strings.Repeat("x", 17<<20),
		"there is no line in it":                               "\n\n",
		"cannot unmarshal string into Go struct field":         `{"confirmed_task":"t","candidates":"none"}`,
		"line 1: process: no round: invalid character":         "not json",
	} {
		_, err := process.ReadRecords(strings.NewReader(text))
		require.ErrorIs(t, err, process.ErrRound, want)
		assert.ErrorContains(t, err, want)
	}
}

// situation is a round of four proposals with scores, and adversarial actions.
func situation(t *testing.T, db *process.DB, n int, scores []float64, adversarial ...process.Adversarial) {
	t.Helper()
	r := record(t, []byte(strings.Replace(`{"world":"w-v1","template":"t","goal":"goal N","app":"a","turn":0,"round":0,"history":["open <a>"],"elements":[{"index":0,"role":"button","text":"Add & go"}],"proposals":[
		{"agent":"agent_0","action":{"action_type":"click","index":0},"reason":"adds"},{"agent":"agent_1","action":{"action_type":"wait"},"reason":"patience"},
		{"agent":"agent_2","action":{"index":0,"action_type":"click"}},{"agent":"agent_3","error":"off the list"}]}`, "N", string(rune('0'+n)), 1)))
	r.Right = []bool{true, false, true, false}
	r.Adversarial = adversarial
	require.NoError(t, db.Save(t.Context(), "c", r, process.Answer{Scores: scores, Reasons: make([]string, 4)}))
}

func wrongAction(action string, right any) process.Adversarial {
	a := process.Adversarial{Agent: "agent_0", Action: json.RawMessage(action), Reason: "so it seems", By: "rule"}
	if b, ok := right.(bool); ok {
		a.Right = &b
	}
	return a
}

func TestPairsPreferWhatScoredHigh(t *testing.T) {
	db := file(t)
	situation(t, db, 1, []float64{0.9, 0.1, 0.95, 0},
		wrongAction(`{"action_type":"navigate_back"}`, false), wrongAction(`{"action_type":"scroll"}`, true), wrongAction(`{"action_type":"open_app"}`, nil),
		wrongAction(`{"index":0,"action_type":"click","reason":"x"}`, false)) // what scored high isn't rejected
	situation(t, db, 2, []float64{0.5, 0.1, 0.5, 0})
	situation(t, db, 3, []float64{0.9, 0.9, 0.9, 0})
	require.NoError(t, db.Save(t.Context(), "c", record(t, text(9)), process.Answer{Invalid: "unreadable"}))

	var pairs []*process.Pair
	r, err := process.Pairs(t.Context(), db, "c", process.PairOptions{Chosen: 0.8, Rejected: 0.2, PerRound: 4}, func(p *process.Pair) error { pairs = append(pairs, p); return nil })
	require.NoError(t, err)
	assert.Equal(t, process.PairReport{Critic: "c", Rounds: 3, Invalid: 1, Pairs: 2, Adversarial: 1, NoChosen: 1, NoRejected: 1, TurnedRight: 2, Checked: 2}, r)
	require.Len(t, pairs, 2)
	assert.Equal(t, "agent_2", pairs[0].Chosen.By, "the highest score")
	assert.JSONEq(t, `{"action_type":"navigate_back"}`, string(pairs[0].Rejected.Action))
	assert.JSONEq(t, `{"action_type":"wait"}`, string(pairs[1].Rejected.Action))

	trl, err := pairs[0].TRL("be good")
	require.NoError(t, err)
	var row struct {
		Prompt, Chosen, Rejected []struct{ Role, Content string }
	}
	require.NoError(t, json.Unmarshal(trl, &row))
	assert.Equal(t, "be good", row.Prompt[0].Content)
	assert.JSONEq(t, `{"goal":"goal 1","app":"a","turn":0,"history":["open <a>"],"elements":[{"index":0,"role":"button","text":"Add & go"}]}`, row.Prompt[1].Content)
	assert.Contains(t, row.Prompt[1].Content, "<a>", "as agents see it")
	assert.Equal(t, `{"index":0,"action_type":"click"}`, row.Chosen[0].Content, "no reason where one side has none")
	assert.Equal(t, `{"action_type":"navigate_back"}`, row.Rejected[0].Content)
	assert.Equal(t, "assistant", row.Rejected[0].Role)

	factory, err := pairs[1].LLaMAFactory("be good")
	require.NoError(t, err)
	assert.JSONEq(t, `{"system":"be good","conversations":[{"from":"human","value":`+string(must(json.Marshal(row.Prompt[1].Content)))+`}],"chosen":{"from":"gpt","value":"{\"index\":0,\"action_type\":\"click\"}"},"rejected":{"from":"gpt","value":"{\"action_type\":\"wait\"}"}}`, string(factory))

	pairs[1].Chosen.Reason = "it <adds>"
	both, err := pairs[1].TRL("s")
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(both, &row))
	assert.Equal(t, `{"index":0,"action_type":"click","reason":"it <adds>"}`, row.Chosen[0].Content)
	assert.Equal(t, `{"action_type":"wait","reason":"patience"}`, row.Rejected[0].Content)

	r, err = process.Pairs(t.Context(), db, "c", process.PairOptions{Chosen: 0.8, Rejected: 0, PerRound: 4}, func(*process.Pair) error { return nil })
	require.NoError(t, err)
	assert.Equal(t, r.Adversarial, r.Pairs, "0.1 is more than 0")
	for _, bad := range []process.PairOptions{
		{Chosen: 0.3, Rejected: 0.5, PerRound: 4}, {Rejected: 0.2, PerRound: 4}, {Chosen: 0.8, PerRound: 0}, {Chosen: math.NaN(), PerRound: 4},
		{Chosen: 0.8, Rejected: math.NaN(), PerRound: 4}, {Chosen: math.Inf(1), PerRound: 4}, {Chosen: 0.8, PerRound: 4, TestShare: math.NaN()},
	} {
		_, err = process.Pairs(t.Context(), db, "c", bad, nil)
		require.ErrorIs(t, err, shaping.ErrOptions, "%+v", bad)
	}
}

func TestGoalsAreOnOneSide(t *testing.T) {
	db := file(t)
	for n := range 9 {
		situation(t, db, n, []float64{0.9, 0.1, 0.95, 0}, wrongAction(`{"action_type":"navigate_back"}`, false))
	}
	sides := map[string]bool{}
	r, err := process.Pairs(t.Context(), db, "c", process.PairOptions{Chosen: 0.8, Rejected: 0.2, PerRound: 4, TestShare: 0.4}, func(p *process.Pair) error {
		if was, ok := sides[p.Round.Goal]; ok {
			assert.Equal(t, was, p.Test)
		}
		sides[p.Round.Goal] = p.Test
		return nil
	})
	require.NoError(t, err)
	assert.Equal(t, 18, r.Pairs)
	assert.Greater(t, r.Test, 0)
	assert.Less(t, r.Test, 18)
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
