package llm

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"marlpit/shaping"
)

// Store keeps exchanges, so that a reply that was paid for is never lost and
// never asked for again. It is used from several goroutines at once.
type Store interface {
	// Find returns the kept reply of a key.
	Find(ctx context.Context, key string) (shaping.Request, bool, error)

	// Keep writes an exchange down under its key, durably, before it is used.
	// answered says whether it holds a model's reply; only such are found
	// again, others are for the record.
	Keep(ctx context.Context, q shaping.Question, r shaping.Request, answered bool) error
}

// replayKey identifies one reply. At temperature 0 it is what was asked of
// which model with which options, whoever asks: equal questions are paid for
// once. Where answers are drawn, each question, query and sample has its own. A
// named critic shares replies with none of another name, and none without: the
// same model elsewhere may be another.
func (c *client) replayKey(q shaping.Question, in call) string {
	parts := []string{"2", c.cfg.Model, in.prompt.Hash, in.kind(), in.system, in.user, fmt.Sprintf("%g/%d", in.temperature, in.maxTokens)}
	if in.temperature > 0 {
		who := q.Key
		if in.team {
			who = q.Pair
		}
		parts = append(parts, in.side, fmt.Sprintf("%d/%d/%d", who, q.Query, in.sample))
	}
	if c.cfg.Name != "" {
		parts = append(parts, "critic "+c.cfg.Name)
	}
	return digest(parts)
}

// keys lists what a reply may be kept under.
func (c *client) keys(key string, q shaping.Question, in call) []string {
	if c.cfg.Name != "" {
		return []string{key}
	}
	return []string{key, c.oldKey(q, in)}
}

// oldKey is what replies were kept under by version 1 of the vote file.
func (c *client) oldKey(q shaping.Question, in call) string {
	return digest([]string{c.cfg.Model, in.prompt.Hash, in.kind(), in.system, in.user, in.side,
		fmt.Sprintf("%g/%d/%d/%d", in.temperature, q.Key, q.Query, in.sample)})
}

func digest(parts []string) string {
	h := sha256.New()
	for _, s := range parts {
		_, _ = fmt.Fprintf(h, "%d:%s;", len(s), s) // never fails
	}
	return hex.EncodeToString(h.Sum(nil))
}
