package api_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marlpit/api"
	"marlpit/shaping/process"
)

const talk = "test-rounds-v0"

func click(i int) fields { return fields{"action_type": "click", "index": i} }

// goal is the button that the state asks for next.
func (s *session) goal() int {
	state := s.h.get(s.t, s.path("/state")).body
	list := state["goal"].([]any)
	return int(number(list[int(number(state["progress"]))]))
}

func number(v any) float64 {
	switch v := v.(type) {
	case int8:
		return float64(v)
	case uint8:
		return float64(v)
	case int64:
		return float64(v)
	case float64:
		return v
	}
	return -1
}

func TestProposalsAndIndicesReachTheSameState(t *testing.T) {
	h := serve(t, api.Config{})
	said, chosen := h.create(t, talk, fields{"seed": 5}), h.create(t, talk, fields{"seed": 5})
	said.reset()
	chosen.reset()
	for k := range 4 {
		a := said.call("/step", fields{"proposals": fields{"agent_0": click(k % 3), "agent_1": `{"action_type":"wait","reason":"let us see"}`}})
		b := chosen.step(fields{"agent_0": 1 + k%3, "agent_1": 0})
		for _, name := range []string{"obs", "rewards", "info", "terminated"} {
			assert.Equal(t, b.bytes(name), a.bytes(name), name)
		}
		assert.Equal(t, h.get(t, chosen.path("/state")).raw, h.get(t, said.path("/state")).raw)
	}
}

func TestWastedProposalsFailNothing(t *testing.T) {
	h := serve(t, api.Config{})
	s := h.create(t, talk, fields{"text": true, "params": fields{"rounds": 1}})
	s.reset()
	valid := slicesIndex(s.reply, "valid")
	for _, said := range []any{
		fields{"action_type": "fly"}, fields{}, "no JSON at all", "{", `{"action_type":"click","index":99}`, 7, nil, true, 1.5,
		[]any{}, fields{"action_type": "click", "index": "0"}, fields{"action_type": "wait", "extra": []any{1, fields{"a": nil}}}, "\x00",
	} {
		s.reset()
		r := s.call("/step", fields{"proposals": fields{"agent_0": said, "agent_1": fields{"action_type": "wait"}}})
		assert.EqualValues(t, 0, r.floats("info")[valid], "%v", said)
		assert.EqualValues(t, 1, r.floats("info")[len(r.floats("info"))/2+valid])
		notes := r.body["notes"].([]any)
		require.Len(t, notes, 1)
		note := notes[0].(map[string]any)
		assert.Equal(t, "agent_0", note["agent"])
		assert.Equal(t, "error", note["kind"])
		assert.NotEmpty(t, note["text"])
		assert.EqualValues(t, 0, note["row"])
		o := h.get(t, s.path("/observation")).body["agent_0"].(map[string]any)
		assert.Equal(t, note["text"], o["error"], "the agent is told")
	}
}

// slicesIndex is the place of an info column.
func slicesIndex(r reply, name string) int {
	for i, v := range r.body["spec"].(map[string]any)["info"].([]any) {
		if v == name {
			return i
		}
	}
	return -1
}

func TestWhoIsLeftOutWaits(t *testing.T) {
	h := serve(t, api.Config{})
	s := h.create(t, talk, fields{"params": fields{"rounds": 1, "length": 1}})
	s.reset()
	r := s.call("/step", fields{"proposals": fields{}})
	assert.EqualValues(t, 0, r.floats("info")[slicesIndex(s.reply, "success")])
	r = s.call("/step", fields{"proposals": fields{"agent_0": click(s.goal())}})
	assert.EqualValues(t, 1, r.floats("team")[0], "a tie goes to the first agent")
}

func TestProposalsOfWrongForm(t *testing.T) {
	h := serve(t, api.Config{})
	s := h.create(t, talk, nil)
	many := h.create(t, talk, fields{"num_envs": 2})
	plain := h.create(t, "test-count-v0", nil)
	for _, x := range []*session{s, many, plain} {
		x.reset()
	}
	before := h.get(t, s.path("/snapshot")).raw
	long := strings.Repeat("x", 16<<10)
	for name, c := range map[string]struct {
		to     *session
		body   fields
		status int
		at     string
	}{
		"neither":             {s, fields{}, 422, "/actions"},
		"both":                {s, fields{"actions": ints(0, 0), "proposals": fields{}}, 422, "/proposals"},
		"a number":            {s, fields{"proposals": 3}, 422, "/proposals"},
		"a text":              {s, fields{"proposals": "{}"}, 422, "/proposals"},
		"an unknown agent":    {s, fields{"proposals": fields{"agent_9": click(0)}}, 422, "/proposals"},
		"a list for one copy": {s, fields{"proposals": []any{fields{}, fields{}}}, 422, "/proposals"},
		"rows no maps":        {many, fields{"proposals": []any{fields{}, 4}}, 422, "/proposals/1"},
		"a map for two":       {many, fields{"proposals": fields{"agent_0": click(0)}}, 422, "/proposals"},
		"too few rows":        {many, fields{"proposals": []any{fields{}}}, 422, "/proposals"},
		"too long a text":     {s, fields{"proposals": fields{"agent_1": long + "y"}}, 413, "/proposals/agent_1"},
		"too long an object":  {many, fields{"proposals": []any{fields{}, fields{"agent_0": fields{"reason": long}}}}, 413, "/proposals/1/agent_0"},
		"no such ability":     {plain, fields{"proposals": fields{}}, 501, "/proposals"},
		"no rounds":           {plain, fields{"actions": ints(0, 0), "rounds": true}, 501, "/rounds"},
		"rounds a number":     {s, fields{"proposals": fields{}, "rounds": 1}, 400, "/rounds"},
	} {
		for _, kind := range []string{mp, js} {
			body := fields{"seq": 2}
			for k, v := range c.body {
				body[k] = v
			}
			r := h.do(t, "POST", c.to.path("/step"), kind, body)
			assert.Equal(t, c.status, r.status, "%s in %s: %s", name, kind, r.text())
			assert.Equal(t, c.at, r.body["at"], name)
		}
	}
	assert.Equal(t, before, h.get(t, s.path("/snapshot")).raw, "nothing moved")
	for name, body := range map[string]string{
		"bytes for an action":  "\x82\xa3seq\x02\xa9proposals\x81\xa7agent_0\xc4\x01x",
		"an extension":         "\x82\xa3seq\x02\xa9proposals\x81\xa7agent_0\xd4\x01x",
		"numbers for keys":     "\x82\xa3seq\x02\xa9proposals\x81\xa7agent_0\x81\x01\x01",
		"a number for agent":   "\x82\xa3seq\x02\xa9proposals\x81\x01\x80",
		"an agent twice":       "\x82\xa3seq\x02\xa9proposals\x82\xa7agent_0\x80\xa7agent_0\x80",
		"proposals of an atom": "\x82\xa3seq\x02\xa9proposals\xc0",
	} {
		assert.Equal(t, 422, h.do(t, "POST", s.path("/step"), mp, []byte(body)).status, name)
	}
	ok := "\x82\xa3seq\x02\xa9proposals\x81\xa7agent_0\x81\xa5index\xcb\x7f\xf8\x00\x00\x00\x00\x00\x00"
	assert.Equal(t, 200, h.do(t, "POST", s.path("/step"), mp, []byte(ok)).status, "NaN is a wasted proposal")
}

func TestProposalsTwiceAreOneStep(t *testing.T) {
	h := serve(t, api.Config{})
	s := h.create(t, talk, fields{"text": true})
	s.reset()
	body := fields{"seq": 2, "proposals": fields{"agent_0": "broken", "agent_1": click(1)}, "rounds": true}
	first := h.post(t, s.path("/step"), body)
	require.Equal(t, 200, first.status)
	require.Contains(t, first.body, "notes")
	require.Contains(t, first.body, "rounds")
	assert.Equal(t, first.raw, h.post(t, s.path("/step"), fields{"seq": 2, "actions": ints(0, 0)}).raw)
	assert.Equal(t, 409, h.post(t, s.path("/step"), fields{"seq": 4, "proposals": fields{}}).status)
	again := s.h.post(t, s.path("/reset"), fields{"seq": 3})
	assert.NotContains(t, again.body, "notes")
	assert.NotContains(t, again.body, "rounds")
}

func TestRoundsForCritics(t *testing.T) {
	h := serve(t, api.Config{})
	s := h.create(t, talk, fields{"num_envs": 2, "params": fields{"rounds": 1, "length": 1, "max_turns": 1}})
	s.reset()
	r := h.do(t, "POST", s.path("/step"), js, fields{"seq": 2, "rounds": true, "proposals": []any{fields{"agent_0": "{"}, fields{"agent_1": click(2)}}}, "Accept", js)
	require.Equal(t, 200, r.status)
	rounds := r.body["rounds"].([]any)
	require.Len(t, rounds, 2)
	one, err := process.ParseRecord([]byte(rounds[0].(string)))
	require.NoError(t, err)
	assert.Equal(t, talk, one.World)
	assert.NotEmpty(t, one.Proposals[0].Error)
	assert.Len(t, one.Right, 2)
	assert.NotContains(t, string(one.Text), "right")
	two, err := process.ParseRecord([]byte(rounds[1].(string)))
	require.NoError(t, err)
	assert.JSONEq(t, `{"action_type":"click","index":2}`, string(two.Proposals[1].Action))
	assert.Equal(t, []any{nil, nil}, h.do(t, "POST", s.path("/step"), js, fields{"seq": 3, "rounds": true, "proposals": []any{fields{}, fields{}}}, "Accept", js).body["rounds"], "both have ended")
}

func TestNotesOfAnEpisodeThatIsResetAtOnce(t *testing.T) {
	h := serve(t, api.Config{})
	for _, mode := range []string{"same_step", "next_step", "disabled"} {
		s := h.create(t, talk, fields{"num_envs": 2, "text": true, "autoreset": mode, "params": fields{"rounds": 1, "length": 1, "max_turns": 1}})
		s.reset()
		r := s.call("/step", fields{"proposals": []any{fields{}, fields{}}})
		notes := r.body["notes"].([]any)
		require.Len(t, notes, 4, mode)
		assert.Equal(t, map[string]any{"row": notes[0].(map[string]any)["row"], "agent": "agent_0", "kind": "result", "text": "out of turns"}, notes[0])
		if mode != "same_step" {
			r = s.call("/step", fields{"proposals": []any{fields{}, fields{}}})
			assert.NotContains(t, r.body, "notes", "%s: nothing was played", mode)
		}
	}
}

func TestObservationAndSolution(t *testing.T) {
	h := serve(t, api.Config{})
	s := h.create(t, talk, fields{"num_envs": 2, "params": fields{"rounds": 1}})
	assert.Equal(t, "not_reset", h.get(t, s.path("/observation")).code())
	s.reset()
	o := h.get(t, s.path("/observation?row=1")).body
	assert.Len(t, o, 2)
	assert.Contains(t, o["agent_1"], "elements")
	var inJSON map[string]map[string]any
	require.NoError(t, json.Unmarshal(h.do(t, "GET", s.path("/observation?row=1"), "", nil, "Accept", js).raw, &inJSON))
	assert.Equal(t, o["agent_0"].(map[string]any)["goal"], inJSON["agent_0"]["goal"])
	assert.Equal(t, 200, h.get(t, "/v1/sessions/"+s.view+"/observation").status)
	for _, what := range []string{"/solution", "/state"} {
		assert.Equal(t, "read_only", h.get(t, "/v1/sessions/"+s.view+what).code())
		assert.Equal(t, 422, h.get(t, s.path(what+"?row=2")).status)
	}
	for range 2 {
		best := h.get(t, s.path("/solution?row=1")).body
		require.Len(t, best, 2)
		s.call("/step", fields{"proposals": []any{fields{}, best}})
	}
	assert.Empty(t, h.get(t, s.path("/solution?row=1")).body, "solved")
	plain := h.create(t, "test-count-v0", nil)
	plain.reset()
	for _, what := range []string{"/observation", "/solution", "/state"} {
		assert.Equal(t, "no_ability", h.get(t, plain.path(what)).code(), what)
	}
}

func TestStateInAndOut(t *testing.T) {
	h := serve(t, api.Config{})
	for _, reward := range []any{"team", "none"} {
		s := h.create(t, talk, fields{"num_envs": 2, "reward": reward, "seed": 3})
		put := func(body fields) reply { return h.do(t, "PUT", s.path("/state"), mp, body) }
		assert.Equal(t, "not_reset", put(fields{"seq": 1, "state": fields{}}).code())
		s.reset()
		was := h.get(t, s.path("/state?row=1"))
		moved := s.call("/step", fields{"proposals": []any{fields{"agent_0": click(0)}, fields{"agent_0": click(0)}}})
		for name, c := range map[string]struct {
			body fields
			at   string
		}{
			"no state":     {fields{}, "/state"},
			"no JSON":      {fields{"state": "{"}, "/state"},
			"another form": {fields{"state": fields{"goal": "red"}}, "/state"},
			"a wrong goal": {fields{"state": fields{"goal": []int{77, 0}}}, "/state"},
			"no such row":  {fields{"state": was.body, "row": 2}, "/row"},
		} {
			body := fields{"seq": 3}
			for k, v := range c.body {
				body[k] = v
			}
			r := put(body)
			assert.Equal(t, 422, r.status, "%s: %s", name, r.text())
			assert.Equal(t, c.at, r.body["at"], name)
		}
		r := put(fields{"seq": 3, "row": 1, "state": was.body})
		require.Equal(t, 200, r.status, r.text())
		assert.Equal(t, r.raw, put(fields{"seq": 3, "row": 0, "state": was.body}).raw, "once")
		assert.Equal(t, was.raw, h.get(t, s.path("/state?row=1")).raw)
		n := len(moved.bytes("obs")) / 2
		assert.Equal(t, moved.bytes("obs")[:n], r.bytes("obs")[:n], "row 0 is as it was")
		assert.Equal(t, 403, h.do(t, "PUT", "/v1/sessions/"+s.view+"/state", mp, fields{"seq": 4, "state": was.body}).status)
	}
}

func TestRecordingsHoldWhatWasSaid(t *testing.T) {
	dir := t.TempDir()
	h := serve(t, api.Config{RecordDir: dir})
	s := h.create(t, talk, fields{"record": "said", "params": fields{"rounds": 1, "max_turns": 2}})
	s.reset()
	s.call("/step", fields{"proposals": fields{"agent_0": click(1), "agent_1": "{"}})
	s.step(fields{"agent_0": 0, "agent_1": 2})
	raw, err := os.ReadFile(filepath.Join(dir, "said.jsonl"))
	require.NoError(t, err)
	var line struct{ Actions []any }
	require.NoError(t, json.NewDecoder(bytes.NewReader(raw)).Decode(&line))
	assert.Equal(t, []any{[]any{map[string]any{"action_type": "click", "index": 1.0}, "{"}, []any{0.0, 2.0}}, line.Actions)
}
