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

	// Keep writes an exchange down, durably, before it is used. answered says
	// whether it holds a model's reply; only such are found again, others are
	// for the record.
	Keep(ctx context.Context, key string, q shaping.Question, r shaping.Request, answered bool) error
}

// replayKey identifies one reply: what was asked, of which model, for which
// query, and which of several equal requests it is.
func replayKey(model string, p Prompt, kind, system, user string, temperature float32, q shaping.Question, side string, sample int) string {
	h := sha256.New()
	for _, s := range []string{model, p.Hash, kind, system, user, side,
		fmt.Sprintf("%g/%d/%d/%d", temperature, q.Key, q.Query, sample)} {
		fmt.Fprintf(h, "%d:%s;", len(s), s)
	}
	return hex.EncodeToString(h.Sum(nil))
}
