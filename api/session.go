package api

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/gofiber/fiber/v2"

	"marlpit/api/pool"
	"marlpit/envs"
)

// session is n copies of an environment and what its clients may know of them.
// Its mutex is held by one call at a time.
type session struct {
	id, view string
	env      string
	calls    atomic.Int64 // running calls
	used     atomic.Int64 // unix nanoseconds of the last call's end
	started  time.Time

	mu      sync.Mutex
	gone    bool
	pool    *pool.Pool
	spec    *envs.Spec
	request createRequest  // as it was resolved
	reward  map[string]any // resolved options
	lease   lease          // of live credit and of critics that are asked, else nil
	arrays  []array        // what travels, in the order of the layout
	finals  []array        // likewise of final frames
	actions actionMemory
	seq     uint64
	words   *wordMemory // where text was asked for and the world has words
	notes   *noteMemory // where text was asked for
	spoken  []proposed  // of the last step, where it was made of proposals
	rounds  [][]byte    // (rows,) the last step for critics, where that was asked for; empty for rows it didn't play
	record  *recorder   // where a recording was asked for
	subs    []*subscriber
	done    chan struct{} // closed when the session ends
}

// createReply is the reply to a creation, and to a look at a session.
type createReply struct {
	ID        string         `json:"id"`
	View      string         `json:"view"`
	Env       string         `json:"env"`
	NumEnvs   int            `json:"num_envs"`
	Seed      uint64         `json:"seed"`
	Autoreset string         `json:"autoreset"`
	Text      bool           `json:"text"`
	Record    string         `json:"record"`
	Seq       uint64         `json:"seq"`
	Version   string         `json:"version"`
	Reward    map[string]any `json:"reward"`
	Spec      specReply      `json:"spec"`
	Layout    layout         `json:"layout"`
}

// describe is what a client is told; a reader of the view learns only that id.
func (s *session) describe(version string, view bool) createReply {
	r := createReply{
		ID: s.id, View: s.view, Env: s.env, NumEnvs: s.pool.Len(), Seed: s.request.seed,
		Autoreset: s.pool.Mode().String(), Text: s.request.text, Record: s.request.record,
		Seq: s.seq, Version: version, Reward: s.reward, Spec: newSpecReply(s.spec, s.pool.Env(0)),
		Layout: layout{Actions: s.actions.describe(), Arrays: describeArrays(s.arrays), Final: s.describeFinals()},
	}
	if view {
		r.ID = s.view
	}
	return r
}

// with runs f on the session named in the path, locked; change says that f
// needs the session's own id, not its view id.
func (s *Server) with(c *fiber.Ctx, change bool, f func(*session, handle) error) error {
	h, err := s.sessions.acquire(c.Params("id"))
	if err != nil {
		return err
	}
	defer s.sessions.release(h)
	if change && h.view {
		return refuse(errReadOnly, "", "%s is a view id: it can't change the session", h.s.view)
	}
	h.s.mu.Lock()
	defer h.s.mu.Unlock()
	if h.s.gone {
		return refuse(errExpired, "", "the session was deleted")
	}
	return f(h.s, h)
}

// closed is called once for each session that has left the store.
func (s *Server) closed(x *session, why string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.gone = true
	close(x.done)
	x.pool.Stop()
	if x.lease != nil {
		x.lease.Leave()
	}
	if x.record != nil {
		if err := x.record.close(); err != nil {
			s.cfg.Log.Error().Err(err).Str("record", x.request.record).Msg("recording could not be completed")
		}
	}
	s.cfg.Log.Info().Str("session", x.view).Str("why", why).Dur("lived", time.Since(x.started)).Msg("session ended")
}

func (s *Server) getSession(c *fiber.Ctx) error {
	var reply createReply
	err := s.with(c, false, func(x *session, h handle) error {
		reply = x.describe(s.cfg.Version, h.view)
		return nil
	})
	if err != nil {
		return err
	}
	return s.send(c, 200, reply)
}

func (s *Server) deleteSession(c *fiber.Ctx) error {
	h, err := s.sessions.acquire(c.Params("id"))
	if err != nil {
		return err
	}
	s.sessions.release(h)
	if h.view {
		return refuse(errReadOnly, "", "%s is a view id: it can't delete the session", h.s.view)
	}
	s.sessions.drop(h.s, "deleted")
	return c.SendStatus(204)
}
