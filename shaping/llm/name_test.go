package llm

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"marlpit/shaping"
)

func TestNamesTellRepliesApart(t *testing.T) {
	seen := map[string]bool{}
	for _, name := range []string{"", "a", "b"} {
		for _, temperature := range []float32{0, 1} {
			for _, url := range []string{"http://127.0.0.1:1/v1", "http://127.0.0.1:2/v1"} {
				c := newClient(Config{Name: name, BaseURL: url, Model: "m"})
				in := call{prompt: promptFR, system: "s", user: "u", side: "forward", temperature: temperature}
				key := c.replayKey(shaping.Question{Key: 7}, in)
				assert.Equal(t, url == "http://127.0.0.1:2/v1", seen[key], "%q at %g: the name counts, the address doesn't", name, temperature)
				seen[key] = true
				assert.Len(t, c.keys(key, shaping.Question{Key: 7}, in), map[bool]int{true: 2, false: 1}[name == ""], "old replies have no name")
			}
		}
	}
	assert.Len(t, seen, 6)

	// What is stored in models/votes is found again.
	c := newClient(Config{BaseURL: "http://127.0.0.1:1/v1", Model: "m"})
	assert.Equal(t, digest([]string{"2", "m", "h", "text", "s", "u", "0/5"}), c.replayKey(shaping.Question{},
		call{prompt: Prompt{Hash: "h"}, system: "s", user: "u", maxTokens: 5}))
}
