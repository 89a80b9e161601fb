package llm_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marlpit/shaping"
	"marlpit/shaping/llm"
	fake "marlpit/shaping/shapingtest"
)

func TestScoresOfAPair(t *testing.T) {
	for _, c := range []struct {
		p, q       float64
		vote       shaping.Vote
		confidence float64
	}{{0.9, 0.2, shaping.Second, 0.85}, {0.1, 0.3, shaping.First, 0.4}, {0.5, 0.5, shaping.Tie, 0.5}} {
		s := fake.NewServer(t, likes(c.p, c.q))
		a, err := critic(t, s, func(cfg *llm.Config) { cfg.Ask = llm.ModeScore }).Ask(context.Background(), question)
		require.NoError(t, err)
		assert.Equal(t, c.vote, a.Vote)
		assert.InDelta(t, c.confidence, a.Confidence, 1e-9, "half the lead's share of the scale from the middle")
		assert.False(t, a.Flipped)
		sent := s.Requests()[0]
		require.NotNil(t, sent.ResponseFormat)
		assert.Equal(t, "json_schema", sent.ResponseFormat.Type)
		assert.True(t, sent.ResponseFormat.JSONSchema.Strict)
		assert.Equal(t, []string{"A", "B"}, sent.Keys())
	}
	s := fake.NewServer(t, func(fake.Request) fake.Verdict { return fake.Verdict{Text: `{"A": 8, "B": 1}`} })
	a, err := critic(t, s, func(cfg *llm.Config) { cfg.Ask = llm.ModeScore }).Ask(context.Background(), question)
	require.NoError(t, err)
	assert.Equal(t, []any{shaping.Tie, true, 0.5}, []any{a.Vote, a.Flipped, a.Confidence}, "A in both orders contradicts itself")
}

// One request a direction serves the questions about every agent.
func TestAllAgentsAtOnce(t *testing.T) {
	s := fake.NewServer(t, likes(0.9, 0.2))
	store := &memory{}
	c := critic(t, s, func(cfg *llm.Config) { cfg.Ask, cfg.Store = llm.ModeAll, store })
	other := question
	other.Agent, other.Key, other.Forward, other.Backward = "agent_1", 10, "stood", "still stood"
	for query := range 2 {
		for _, q := range []shaping.Question{question, other} {
			q.Query = query
			a, err := c.Ask(context.Background(), q)
			require.NoError(t, err)
			if q.Agent == "agent_0" {
				assert.Equal(t, shaping.Second, a.Vote)
				assert.InDelta(t, 0.85, a.Confidence, 1e-9)
			} else {
				assert.Equal(t, shaping.Answer{Vote: shaping.Tie, Confidence: 0.5, Requests: a.Requests}, a)
			}
		}
		require.Equal(t, 2*(query+1), len(s.Requests()))
	}
	assert.Equal(t, []string{"agent_0", "agent_1"}, s.Requests()[0].Keys())
	assert.Contains(t, s.Requests()[0].User(), "agent_0:\nfive, now four\n\nagent_1:\nstood")
	assert.Zero(t, *s.Requests()[0].Temperature)
	assert.Equal(t, 1.0, *s.Requests()[2].Temperature)

	alone := question
	alone.Team = nil
	_, err := c.Ask(context.Background(), alone)
	require.ErrorContains(t, err, "every agent")
}

// What is wrong with one agent's number spoils that agent's vote, what is wrong
// with the object all of them.
func TestBadNumbersOfOneAgent(t *testing.T) {
	other := question
	other.Agent = "agent_1"
	for fault, both := range map[fake.Fault]bool{
		fake.NumberHuge: false, fake.NumberText: false, fake.NumberNull: false, fake.NumberMissing: false,
		fake.NumberNaN: true, fake.NumberInf: true, fake.NumberExtra: true, fake.NumberTwice: true, fake.NumberList: true,
	} {
		s := fake.NewServer(t, likes(0.9, 0.1))
		s.Always(fault)
		c := critic(t, s, func(cfg *llm.Config) { cfg.Ask = llm.ModeAll })
		a, err := c.Ask(context.Background(), question)
		require.NoError(t, err)
		assert.Equal(t, shaping.Invalid, a.Vote, fault)
		b, err := c.Ask(context.Background(), other)
		require.NoError(t, err)
		assert.Equal(t, both, b.Vote == shaping.Invalid, "%s: %s", fault, b.Reason)
	}
}

// Names of other people's agents may hold what JSON and lists are made of.
func TestAllAsksByTheAgentsNames(t *testing.T) {
	names := []string{"R&D, <east>", `say "no"`}
	s := fake.NewServer(t, func(r fake.Request) fake.Verdict {
		assert.Contains(t, r.User(), `exactly these keys: "R&D, <east>", "say \"no\"".`)
		assert.Equal(t, names, r.Keys())
		high := 2
		if strings.Contains(r.User(), "one, then two") {
			high = 8
		}
		return fake.Verdict{Text: fmt.Sprintf(`{"R&D, <east>": %d, "say \"no\"": 5}`, high)}
	})
	q := shaping.Question{Agent: names[0], Forward: "f", Backward: "b", Team: []shaping.Told{
		{Agent: names[0], Forward: "one, then two", Backward: "two, then one"}, {Agent: names[1], Forward: "stood", Backward: "stood"}}}
	a, err := critic(t, s, func(c *llm.Config) { c.Ask = llm.ModeAll }).Ask(context.Background(), q)
	require.NoError(t, err)
	assert.Equal(t, shaping.Second, a.Vote, a.Reason)
}

// memory is a store that forgets when it ends.
type memory struct {
	mu         sync.Mutex
	kept       map[string]shaping.Request
	unanswered []shaping.Request
}

func (m *memory) Find(_ context.Context, key string) (shaping.Request, bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	r, ok := m.kept[key]
	return r, ok, nil
}

func (m *memory) Keep(_ context.Context, _ shaping.Question, r shaping.Request, answered bool) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.kept == nil {
		m.kept = map[string]shaping.Request{}
	}
	if answered {
		m.kept[r.Key] = r
	} else {
		m.unanswered = append(m.unanswered, r)
	}
	return nil
}
