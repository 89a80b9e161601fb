package api_test

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marlpit/api"
)

// refused sends actions that must not pass, and sees that nothing moved: the
// seq is still free and the snapshot is the same.
func refused(t *testing.T, s *session, actions any, words ...string) {
	t.Helper()
	before := s.h.get(t, s.path("/snapshot")).raw
	r := s.h.post(t, s.path("/step"), fields{"seq": s.seq + 1, "actions": actions})
	require.Equal(t, 422, r.status, "%v: %s", actions, r.text())
	assert.Equal(t, "invalid", r.code())
	assert.Equal(t, "/actions", r.body["at"])
	for _, w := range words {
		assert.Contains(t, r.text(), w)
	}
	assert.Equal(t, before, s.h.get(t, s.path("/snapshot")).raw, "state unchanged")
}

func TestDiscreteActionsOutOfRangeAreRefused(t *testing.T) {
	h := serve(t, api.Config{})
	s := h.create(t, "test-count-v0", fields{"params": fields{"length": 1000}})
	s.reset()
	for _, bad := range []any{-1, 2, 300, 1 << 40, uint64(math.MaxUint64), 1.0, 1.5, true, nil, "1", math.NaN(), math.Inf(1), []byte{1}, fields{}} {
		refused(t, s, fields{"agent_0": 0, "agent_1": bad}, "agent_1", "an integer from 0 to 1")
		refused(t, s, []any{[]any{0, bad}}, "row 0, agent_1", "an integer from 0 to 1")
	}
	refused(t, s, fields{"agent_0": 0}, "agent_1 is missing")
	refused(t, s, fields{"agent_0": 0, "agent_1": 1, "agent_2": 0}, `no agent "agent_2"`, "agent_0 agent_1")
	refused(t, s, []any{[]any{0}}, "2 agents, got 1")
	refused(t, s, []any{[]any{0, 1, 0}}, "2 agents, got 3")
	refused(t, s, []any{}, "1 rows, got 0")
	refused(t, s, []any{[]any{0, []any{0, 0}}}, "a list of 1")
	refused(t, s, []any{0, 1}, "1 rows, got 2")
	refused(t, s, ints(0), "8 bytes", "got 4")
	refused(t, s, ints(0, 1, 0), "8 bytes", "got 12")
	refused(t, s, ints(0, -1), "row 0, agent_1", "from 0 to 1, got -1")
	refused(t, s, ints(300, 0), "row 0, agent_0", "got 300")
	refused(t, s, "01", "raw bytes")
	refused(t, s, 1, "raw bytes")
	for _, good := range []any{fields{"agent_0": 0, "agent_1": 1}, []any{[]any{0, 1}}, []any{[]any{[]any{0}, []any{1}}}, ints(0, 1), fields{"agent_1": uint64(1), "agent_0": []any{0}}} {
		s.step(good)
	}
	assert.Equal(t, []float32{6, 6}, s.step(ints(1, 1)).floats("obs"), "six steps passed, no other")
}

func TestBoxActionsOutOfRangeAreRefused(t *testing.T) {
	h := serve(t, api.Config{})
	s := h.create(t, "test-pixels-v0", fields{"num_envs": 2})
	s.reset()
	ok := []any{0.5, -1}
	for _, bad := range []any{-1.01, 2, 300, 1 << 40, true, nil, "1", math.NaN(), math.Inf(1), math.Inf(-1), []byte{1}} {
		refused(t, s, []any{[]any{ok, ok}, []any{ok, []any{0, bad}}}, "row 1, dot_1, dimension 1", "from -1 to 1")
	}
	nan := float32(math.NaN())
	for _, bad := range []float32{-1.01, 1.01, nan, float32(math.Inf(1)), float32(math.Inf(-1)), math.MaxFloat32} {
		refused(t, s, floats(0, 0, 0, 0, 0, bad, 0, 0), "row 1, dot_0, dimension 1")
	}
	refused(t, s, floats(0), "32 bytes")
	refused(t, s, fields{"dot_0": ok, "dot_1": ok}, "num_envs 1")
	s.step([]any{[]any{ok, ok}, []any{[]any{1, 0}, ok}})
	s.step(floats(1, -1, 0, 0, 1, 1, -1, -1))
}

func TestUnlikeAgentsHaveRangesOfTheirOwn(t *testing.T) {
	h := serve(t, api.Config{})
	s := h.create(t, "test-uneven-v0", nil) // mover (3, 2), talker (4, 2, 3), padded to three
	s.reset()
	refused(t, s, ints(3, 0, 0, 0, 0, 0), "mover_0, dimension 0", "from 0 to 2, got 3")
	refused(t, s, ints(0, 0, 0, 3, 2, 0), "talker_0, dimension 1", "from 0 to 1, got 2")
	refused(t, s, fields{"mover_0": []any{0, 0}, "talker_0": []any{0, 0, 3}}, "talker_0, dimension 2", "from 0 to 2")
	refused(t, s, fields{"mover_0": []any{0}, "talker_0": []any{0, 0, 0}}, "mover_0", "a list of 2")
	refused(t, s, fields{"mover_0": 0, "talker_0": []any{0, 0, 0}}, "mover_0", "a list of 2")
	s.step(ints(2, 1, 77, 3, 1, 2)) // padding says nothing
	s.step(fields{"mover_0": []any{2, 1}, "talker_0": []any{3, 1, 2}})
	s.step([]any{[]any{[]any{2, 1, 0}, []any{3, 1, 2}}})
}

func TestEndedAgentsMayBeLeftOut(t *testing.T) {
	h := serve(t, api.Config{})
	s := h.create(t, "test-stages-v0", nil)
	s.reset()
	all := fields{"agent_0": 0, "agent_1": 0, "agent_2": 0}
	s.step(all)
	s.step(all) // agent_0 dies in step 2
	refused(t, s, fields{"agent_1": 0}, "agent_2 is missing")
	s.step(fields{"agent_1": 0, "agent_2": 1})
	s.step(all)
	s.step(fields{"agent_2": 1})
}

func TestDeathsInStages(t *testing.T) {
	h := serve(t, api.Config{})
	s := h.create(t, "test-stages-v0", nil)
	s.reset()
	var died [3][]int
	for step := 1; step <= 9; step++ {
		r := s.step(ints(0, 0, 0))
		for a, flag := range r.bytes("terminated") {
			if flag == 1 {
				died[a] = append(died[a], step)
			}
		}
	}
	assert.Equal(t, [3][]int{{2, 3, 4, 5, 6, 7, 8, 9}, {4, 5, 6, 7, 8, 9}, {7, 8, 9}}, died, "set once and until reset")
	assert.Equal(t, []byte{0, 0, 0}, s.reset().bytes("terminated"), "reset revives")
}

func FuzzBody(f *testing.F) {
	h := serve(f, api.Config{MaxSessions: 4})
	h.client.Transport = h.client.Transport.(*checked).next // a repeated seq is answered whatever its body says
	s := h.create(f, "test-uneven-v0", nil)
	s.reset()
	for _, seed := range []string{"\x81\xa3seq\x01", "\x82\xa3seq\x02\xa7actions\xc4\x18" + strings.Repeat("\x00", 24), "\xdd\xff\xff\xff\xff", "\x91\x91\x91", "{\"seq\":1}",
		"\x83\xa3seq\x02\xa4rows\x91\x00\xa9snapshots\x91\xc4\x01\x01"} {
		f.Add([]byte(seed), uint8(0))
	}
	f.Fuzz(func(t *testing.T, body []byte, route uint8) {
		kind := mp
		if route >= 128 {
			kind = js
		}
		to := bodyRoutes(s)[1+int(route)%3]
		r := h.do(t, to[0], to[1], kind, body)
		if r.status >= 500 {
			t.Fatalf("%s %x: %d %s", to, body, r.status, r.text())
		}
	})
}
