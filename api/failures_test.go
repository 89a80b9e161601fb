package api_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marlpit/api"
	"marlpit/envs"
	"marlpit/envs/envtest/worlds"
)

func TestAPanickingWorldCostsItsSessionOnly(t *testing.T) {
	for _, n := range []int{1, 300} {
		h := serve(t, api.Config{})
		other := h.create(t, "test-count-v0", nil)
		other.reset()
		s := h.create(t, "test-panic-v0", fields{"num_envs": n, "params": fields{"at": 2}})
		s.reset()
		acts := ints(make([]int32, 2*n)...)
		s.step(acts)
		for range 3 {
			r := h.post(t, s.path("/step"), fields{"seq": s.seq + 1, "actions": acts})
			assert.Equal(t, 500, r.status)
			assert.Equal(t, "env_failed", r.code(), "never a reward of 0: a typed error")
			assert.Contains(t, r.text(), "test-panic-v0: step 2")
		}
		assert.Equal(t, "env_failed", h.post(t, s.path("/reset"), fields{"seq": s.seq + 1}).code())
		assert.Equal(t, []float32{1, 1}, other.step(ints(0, 0)).floats("obs"), "the others go on")
		assert.Equal(t, 204, h.do(t, "DELETE", s.path(""), "", nil).status)
	}
}

func TestAWorldThatPanicsWhileResetting(t *testing.T) {
	h := serve(t, api.Config{})
	s := h.create(t, "test-panic-v0", fields{"params": fields{"in": "reset", "at": 1}})
	for range 2 {
		assert.Equal(t, "env_failed", h.post(t, s.path("/reset"), fields{"seq": 1}).code())
	}
	assert.Equal(t, "env_failed", h.post(t, s.path("/fork"), nil).code())
	assert.Equal(t, 200, h.get(t, s.path("")).status)
}

func TestAnythingPanickingInAHandlerIsAnError(t *testing.T) {
	broken := envs.Define("test-broken-v0", "Can't be built.", "", struct{}{}, func(struct{}) (envs.Env, error) { panic("no world") })
	h := serve(t, api.Config{Registry: envs.NewRegistry(append(worlds.Entries(), broken)...)})
	for range 2 {
		r := h.post(t, "/v1/sessions", fields{"env": "test-broken-v0"})
		assert.Equal(t, 500, r.status)
		assert.Equal(t, "env_failed", r.code())
		assert.Equal(t, 500, h.get(t, "/v1/envs/test-broken-v0").status)
	}
	assert.Contains(t, string(h.get(t, "/metrics").raw), "marlpit_sessions 0")
	h.create(t, "test-count-v0", nil)
}

func TestShutdownFinishesRunningStepsAndRefusesNewOnes(t *testing.T) {
	h := serve(t, api.Config{})
	s := h.create(t, "test-slow-v0", fields{"params": fields{"millis": 500}})
	s.reset()
	acts := ints(make([]int32, len(agents(s.reply)))...)
	late := h.newClient()
	var wg sync.WaitGroup
	wg.Go(func() { assert.Equal(t, 200, h.post(t, s.path("/step"), fields{"seq": 2, "actions": acts}).status) })
	time.Sleep(100 * time.Millisecond)
	done := make(chan error)
	start := time.Now()
	go func() {
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		done <- h.Shutdown(ctx)
	}()
	time.Sleep(100 * time.Millisecond)
	_, err := late.Get("http://localhost/v1/envs")
	assert.Error(t, err, "the listeners are closed")
	require.NoError(t, <-done)
	wg.Wait()
	assert.Less(t, time.Since(start), 4*time.Second)
}

func TestShutdownGivesUpOnAStepThatTakesTooLong(t *testing.T) {
	h := serve(t, api.Config{})
	s := h.create(t, "test-slow-v0", fields{"params": fields{"millis": 1500}})
	s.reset()
	acts := ints(make([]int32, len(agents(s.reply)))...)
	var wg sync.WaitGroup
	wg.Go(func() { _ = h.post(t, s.path("/step"), fields{"seq": 2, "actions": acts}) })
	time.Sleep(100 * time.Millisecond)
	ctx, cancel := context.WithTimeout(context.Background(), 200*time.Millisecond)
	defer cancel()
	assert.ErrorIs(t, h.Shutdown(ctx), context.DeadlineExceeded)
	wg.Wait()
}
