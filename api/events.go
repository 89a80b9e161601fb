package api

import (
	"bufio"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/gofiber/fiber/v2"

	"marlpit/envs"
)

// heartbeat is how often a quiet stream says that it lives.
const heartbeat = 5 * time.Second

// subscriber is one reader of a session's events. Steps add to its sums and
// ring its bell; they never wait for it.
type subscriber struct {
	row     int
	bell    chan struct{} // of one place
	rewards []float64     // (agents,) sums since the last event
	team    []float64
	steps   int // since the last event
}

// event is what a stream sends, as JSON.
type event struct {
	Seq       uint64      `json:"seq"`
	Row       int         `json:"row"`
	Episode   int         `json:"episode"`
	Step      int         `json:"step"`       // in the episode
	Steps     int         `json:"steps"`      // since the last event
	Rewards   []float64   `json:"rewards"`    // (agents,) of the last step
	Team      []float64   `json:"team"`       // (agents,) of the last step
	RewardSum []float64   `json:"reward_sum"` // (agents,) since the last event
	TeamSum   []float64   `json:"team_sum"`
	Info      [][]float64 `json:"info"`  // (agents, info)
	Flags     []string    `json:"flags"` // (agents,) "", "terminated", "truncated"
	Ended     bool        `json:"ended"`
	Text      string      `json:"text"`            // the board, where the world can be drawn
	Notes     []noteReply `json:"notes,omitempty"` // of the last step, where the session was made with text
}

// publish tells the readers of a session that it has moved. The session is
// locked.
func (s *session) publish() {
	for _, sub := range s.subs {
		f := s.pool.Batch().Row(sub.row)
		for i := range sub.rewards {
			sub.rewards[i] += float64(f.Rewards[i])
			sub.team[i] += float64(f.Team[i])
		}
		sub.steps++
		select {
		case sub.bell <- struct{}{}:
		default: // it rings already
		}
	}
}

// event is the present state of a row, and what was summed up; the sums begin
// anew.
func (s *session) event(sub *subscriber) event {
	f := s.pool.Batch().Row(sub.row)
	_, _, episode, step, _ := s.pool.Episode(sub.row)
	e := event{
		Seq: s.seq, Row: sub.row, Episode: episode, Step: step, Steps: sub.steps,
		RewardSum: slices.Clone(sub.rewards), TeamSum: slices.Clone(sub.team), Ended: f.Ended(),
	}
	for i := range s.spec.Agents {
		e.Rewards = append(e.Rewards, float64(f.Rewards[i]))
		e.Team = append(e.Team, float64(f.Team[i]))
		info := make([]float64, len(s.spec.Info))
		for k := range info {
			info[k] = finite(f.Info[i*len(info)+k])
		}
		e.Info = append(e.Info, info)
		flag := ""
		if f.Terminated[i] {
			flag = "terminated"
		} else if f.Truncated[i] {
			flag = "truncated"
		}
		e.Flags = append(e.Flags, flag)
	}
	if d, ok := inside(s.pool.Env(sub.row)).(envs.Drawer); ok && episode >= 0 && s.pool.Err() == nil {
		e.Text = string(d.AppendText(nil))
	}
	if s.notes != nil {
		e.Notes = s.notes.appendRow(nil, sub.row, s.spec.Agents)
	}
	clear(sub.rewards)
	clear(sub.team)
	sub.steps = 0
	return e
}

// events streams a row's events: one at once, then one after steps, at most one
// in the server's interval. A stream ends with the session, with the server, or
// when its reader stalls for longer than the write time-out.
func (s *Server) events(c *fiber.Ctx) error {
	var x *session
	var sub *subscriber
	err := s.with(c, false, func(y *session, _ handle) error {
		_, row, err := queryRow(c, y.pool.Len())
		if err != nil {
			return err
		}
		n := len(y.spec.Agents)
		sub = &subscriber{row: row, bell: make(chan struct{}, 1), rewards: make([]float64, n), team: make([]float64, n)}
		sub.bell <- struct{}{}
		x = y
		y.subs = append(y.subs, sub)
		return nil
	})
	if err != nil {
		return err
	}
	c.Set("Content-Type", "text/event-stream")
	c.Set("Cache-Control", "no-store")
	c.Context().SetConnectionClose() // the write deadline outlives the reply
	conn := c.Context().Conn()
	c.Context().SetBodyStreamWriter(func(w *bufio.Writer) {
		defer x.unsubscribe(sub)
		defer func() {
			if v := recover(); v != nil {
				s.cfg.Log.Error().Str("panic", fmt.Sprint(v)).Msg("event stream panicked")
			}
		}()
		s.stream(x, sub, func(b []byte) error {
			if err := conn.SetWriteDeadline(time.Now().Add(s.cfg.WriteTimeout)); err != nil {
				return err
			}
			if _, err := w.Write(b); err != nil {
				return err
			}
			return w.Flush()
		})
	})
	return nil
}

// stream writes events until something ends it.
func (s *Server) stream(x *session, sub *subscriber, write func([]byte) error) {
	alive := time.NewTicker(min(heartbeat, s.cfg.WriteTimeout))
	defer alive.Stop()
	for {
		select {
		case <-s.closing:
			return
		case <-x.done:
			_ = write([]byte("event: end\ndata: {}\n\n"))
			return
		case <-alive.C:
			if write([]byte(": alive\n\n")) != nil {
				return
			}
			continue
		case <-sub.bell:
		}
		b, err := x.take(sub)
		if err != nil || write(b) != nil {
			return
		}
		select { // the interval
		case <-time.After(s.cfg.EventInterval):
		case <-s.closing:
			return
		case <-x.done:
		}
	}
}

// take makes the next event's bytes.
func (s *session) take(sub *subscriber) (_ []byte, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	defer recovered(&err)
	b, err := json.Marshal(s.event(sub))
	if err != nil {
		return nil, err
	}
	return append(append([]byte("data: "), b...), "\n\n"...), nil
}

func (s *session) unsubscribe(sub *subscriber) {
	s.mu.Lock()
	s.subs = slices.DeleteFunc(s.subs, func(o *subscriber) bool { return o == sub })
	s.mu.Unlock()
}
