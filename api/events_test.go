package api_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marlpit/api"
)

// listen opens a stream of events; next returns the data of each.
func listen(t *testing.T, h *harness, id, query string) (next func() map[string]any, body io.Closer) {
	t.Helper()
	client := h.newClient()
	res, err := client.Get("http://localhost/v1/sessions/" + id + "/events" + query)
	require.NoError(t, err)
	require.Equal(t, 200, res.StatusCode)
	assert.Equal(t, "text/event-stream", res.Header.Get("Content-Type"))
	t.Cleanup(func() { _ = res.Body.Close() })
	r := bufio.NewReader(res.Body)
	return func() map[string]any {
		for {
			line, err := r.ReadString('\n')
			if err != nil {
				return nil
			}
			if data, ok := strings.CutPrefix(line, "data: "); ok {
				var v map[string]any
				require.NoError(t, json.Unmarshal([]byte(data), &v))
				return v
			}
		}
	}, res.Body
}

func TestEventsTellTheSteps(t *testing.T) {
	h := serve(t, api.Config{EventInterval: time.Millisecond})
	s := h.create(t, "test-count-v0", fields{"num_envs": 2, "autoreset": "same_step", "params": fields{"length": 3}})
	next, _ := listen(t, h, s.view, "?row=1")
	first := next()
	assert.EqualValues(t, -1, first["episode"], "one at once, also before the reset")
	s.reset()
	assert.EqualValues(t, 0, next()["episode"])
	for want := 1; want <= 3; want++ {
		s.step(ints(0, 0, 0, 0))
		e := next()
		assert.EqualValues(t, want+1, e["seq"])
		assert.EqualValues(t, 1, e["row"])
		if want < 3 {
			assert.EqualValues(t, want, e["step"])
			assert.Equal(t, []any{0.0, 0.0}, e["team"])
			continue
		}
		assert.Equal(t, []any{1.0, 1.0}, e["team"])
		assert.Equal(t, []any{1.0, 1.0}, e["rewards"])
		assert.Equal(t, []any{"terminated", "terminated"}, e["flags"])
		assert.EqualValues(t, 1, e["episode"], "reset within the step")
	}
}

func TestThrottledEventsLoseNoReward(t *testing.T) {
	h := serve(t, api.Config{EventInterval: 100 * time.Millisecond})
	s := h.create(t, "test-count-v0", fields{"autoreset": "same_step", "params": fields{"length": 2}})
	next, _ := listen(t, h, s.id, "")
	s.reset()
	start := time.Now()
	for range 400 {
		s.step(ints(0, 0))
	}
	steps, team, n := 0.0, 0.0, 0
	for steps < 401 { // the reset counts as one
		e := next()
		steps += e["steps"].(float64)
		team += e["team_sum"].([]any)[0].(float64)
		n++
	}
	assert.EqualValues(t, 200, team)
	assert.LessOrEqual(t, n, 4+int(time.Since(start)/(100*time.Millisecond)))
}

func TestAStalledReaderIsDroppedAndNoStepWaits(t *testing.T) {
	h := serve(t, api.Config{EventInterval: time.Microsecond, WriteTimeout: 200 * time.Millisecond})
	s := h.create(t, "test-pixels-v0", fields{"params": fields{"height": 128, "width": 128}, "arrays": []string{"rewards"}})
	s.reset()
	c, err := net.Dial("unix", h.unix)
	require.NoError(t, err)
	defer func() { _ = c.Close() }()
	_, err = fmt.Fprintf(c, "GET %s/events HTTP/1.1\r\nHost: localhost\r\n\r\n", s.path(""))
	require.NoError(t, err)
	slowest := time.Duration(0)
	for range 300 { // each event is some 16 kB of text, and nobody reads them
		start := time.Now()
		s.step(floats(0, 0, 0, 0))
		slowest = max(slowest, time.Since(start))
		time.Sleep(time.Millisecond)
	}
	assert.Less(t, slowest, 150*time.Millisecond)
	time.Sleep(500 * time.Millisecond)
	require.NoError(t, c.SetReadDeadline(time.Now().Add(2*time.Second)))
	read, err := io.Copy(io.Discard, c)
	require.NoError(t, err, "the stream was ended, so that what is left of it has an end")
	assert.Less(t, read, int64(300*16<<10))
}

func TestAQuietStreamOutlivesTheWriteTimeout(t *testing.T) {
	h := serve(t, api.Config{WriteTimeout: 100 * time.Millisecond})
	s := h.create(t, "test-count-v0", nil)
	next, _ := listen(t, h, s.id, "")
	next()
	time.Sleep(500 * time.Millisecond)
	s.reset()
	assert.EqualValues(t, 1, next()["seq"])
}

func TestStreamsEndWithTheSessionAndWithTheServer(t *testing.T) {
	h := serve(t, api.Config{})
	s := h.create(t, "test-count-v0", nil)
	next, _ := listen(t, h, s.view, "")
	next()
	require.Equal(t, 204, h.do(t, "DELETE", s.path(""), "", nil).status)
	assert.Empty(t, next(), "the end is told")
	assert.Nil(t, next())

	other := h.create(t, "test-count-v0", nil)
	var streams []func() map[string]any
	for range 5 {
		next, _ := listen(t, h, other.view, "")
		next()
		streams = append(streams, next)
	}
	h.client.CloseIdleConnections()
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	start := time.Now()
	require.NoError(t, h.Shutdown(ctx))
	assert.Less(t, time.Since(start), 4*time.Second, "open streams don't hold the shutdown")
	for _, next := range streams {
		assert.Nil(t, next())
	}
}

func TestEventsOfWhatIsNotThere(t *testing.T) {
	h := serve(t, api.Config{})
	s := h.create(t, "test-count-v0", nil)
	assert.Equal(t, 422, h.get(t, s.path("/events?row=1")).status)
	assert.Equal(t, http.StatusNotFound, h.get(t, "/v1/sessions/none/events").status)
}

func TestEventsTellTheNotesOfTheRow(t *testing.T) {
	h := serve(t, api.Config{EventInterval: time.Millisecond})
	s := h.create(t, talk, fields{"text": true, "params": fields{"rounds": 1}})
	s.reset()
	next, _ := listen(t, h, s.view, "")
	assert.NotContains(t, next(), "notes", "nothing was said yet")
	r := s.call("/step", fields{"proposals": fields{"agent_0": fields{"action_type": "fly"}, "agent_1": fields{"action_type": "wait"}}})
	notes := next()["notes"].([]any)
	require.Len(t, notes, 1)
	note := notes[0].(map[string]any)
	assert.Equal(t, "agent_0", note["agent"])
	assert.Equal(t, "error", note["kind"])
	assert.Equal(t, r.body["notes"].([]any)[0].(map[string]any)["text"], note["text"])
}
