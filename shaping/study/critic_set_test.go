package study_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marlpit/shaping/study"
)

func TestSetCriticOnACommandLine(t *testing.T) {
	c := study.NewCriticConfig("oracle", "oracle")
	require.NoError(t, c.Set("error_rate=0.2,noise=per-text, noise_seed=7"))
	assert.Equal(t, []any{0.2, "per-text", uint64(7)}, []any{c.ErrorRate, c.Noise, c.NoiseSeed})
	o := study.NewCriticConfig("openai", "openai")
	require.NoError(t, o.Set("model=qwen2.5:1.5b,timeout=90s,base_url=http://127.0.0.1:8080/v1"))
	assert.Equal(t, []any{"qwen2.5:1.5b", 90 * time.Second, "http://127.0.0.1:8080/v1"}, []any{o.Model, o.Timeout, o.BaseURL})
	for settings, says := range map[string]string{
		"error_rate":      "key=value",
		"model=x":         `model means nothing to the kind "oracle", which knows viewpoint, error_rate`,
		"error_rate=many": "error_rate",
		"":                "key=value",
	} {
		err := c.Set(settings)
		require.ErrorIs(t, err, study.ErrCritic, settings)
		assert.ErrorContains(t, err, says)
	}
}
