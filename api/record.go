package api

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"marlpit/envs"
)

// recorder writes a session's episodes to a file, one JSON line each
// (docs/record.md).
type recorder struct {
	file     *os.File
	rows     []episode
	finished [][]byte // lines of the episodes that ended within the present call
}

// episode is one row's episode so far, and a line of the file.
type episode struct {
	Env        string         `json:"env"`
	Params     map[string]any `json:"params"`
	Reward     map[string]any `json:"reward"`
	Row        int            `json:"row"`
	Seed       uint64         `json:"seed"`         // of the session
	Index      int            `json:"index"`        // of the stream
	Episode    int            `json:"episode"`      // in the stream
	EnvSeed    uint64         `json:"episode_seed"` // what the world was reset with
	Agents     []string       `json:"agents"`
	Steps      int            `json:"steps"`
	Actions    [][]any        `json:"actions"` // (steps, agents) a number, or a list of dims
	Rewards    [][]float32    `json:"rewards"` // (steps, agents)
	Team       [][]float32    `json:"team"`    // (steps, agents)
	Terminated []bool         `json:"terminated"`
	Truncated  []bool         `json:"truncated"`
	Success    bool           `json:"success"`
	Complete   bool           `json:"complete"` // the episode ended by itself

	running bool
}

// newRecorder opens a session's recording. A recording of that name is never
// added to.
func (s *Server) newRecorder(x *session) (*recorder, error) {
	if s.cfg.RecordDir == "" {
		return nil, refuse(errInvalid, "/record", "this server records nothing: start it with --record-dir")
	}
	path := filepath.Join(s.cfg.RecordDir, x.request.record+".jsonl")
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return nil, refuse(errExists, "/record", "there is a recording named %s: choose another name", x.request.record)
	}
	if err != nil {
		s.cfg.Log.Error().Err(err).Msg("recording can't be opened")
		return nil, refuse(errInternal, "/record", "the recording can't be opened: the server's log says why")
	}
	return &recorder{file: f, rows: make([]episode, x.pool.Len())}, nil
}

// begin starts the episodes of rows that were reset.
func (r *recorder) begin(s *session, mask []uint8) {
	for i := range r.rows {
		if mask == nil || mask[i] != 0 {
			r.start(s, i)
		}
	}
}

func (r *recorder) start(s *session, i int) {
	seed, index, n, _, _ := s.pool.Episode(i)
	r.rows[i] = episode{
		Env: s.env, Params: s.spec.Params, Reward: s.reward, Row: i, Seed: seed, Index: index, Episode: n,
		EnvSeed: envs.EpisodeSeed(seed, index, n), Agents: s.spec.Agents,
		Actions: [][]any{}, Rewards: [][]float32{}, Team: [][]float32{}, running: true,
	}
}

// skip forgets the episode of a row whose state was replaced: what follows has
// no beginning on file.
func (r *recorder) skip(i int) { r.rows[i].running = false }

// before keeps the actions of the coming step.
func (r *recorder) before(s *session) {
	for i := range r.rows {
		if e := &r.rows[i]; e.running {
			e.Actions = append(e.Actions, s.row(i))
		}
	}
}

// after keeps what the step gave, and writes the episodes it ended.
func (r *recorder) after(s *session) error {
	b := s.pool.Batch()
	column := s.spec.InfoColumn("success")
	for i := range r.rows {
		e := &r.rows[i]
		if _, _, n, _, _ := s.pool.Episode(i); !e.running {
			if n >= 0 && s.pool.Mode() != 0 && s.fresh(i) {
				r.start(s, i) // reset by next_step
			}
			continue
		}
		f := b.Row(i)
		e.Steps++
		e.Rewards = append(e.Rewards, append([]float32(nil), f.Rewards...))
		e.Team = append(e.Team, append([]float32(nil), f.Team...))
		if !f.Ended() {
			continue
		}
		for a := range s.spec.Agents {
			e.Success = e.Success || column >= 0 && f.Info[a*len(s.spec.Info)+column] > 0
		}
		e.Complete = true
		r.finish(e, &f)
		if s.fresh(i) {
			r.start(s, i) // reset by same_step
		}
	}
	return r.flush()
}

// fresh says whether row i stands at the beginning of an episode.
func (s *session) fresh(i int) bool {
	_, _, _, steps, _ := s.pool.Episode(i)
	return steps == 0
}

// cut writes the episodes that a reset is about to break off.
func (r *recorder) cut(s *session, mask []uint8) error {
	for i := range r.rows {
		e := &r.rows[i]
		if (mask == nil || mask[i] != 0) && e.running && e.Steps > 0 {
			f := s.pool.Batch().Row(i)
			r.finish(e, &f)
		}
	}
	return r.flush()
}

func (r *recorder) finish(e *episode, f *envs.Frame) {
	e.Terminated = append([]bool(nil), f.Terminated...)
	e.Truncated = append([]bool(nil), f.Truncated...)
	line, err := json.Marshal(e)
	if err != nil {
		line = []byte(`{"error":"the episode holds a number that JSON has no form for"}`)
	}
	r.finished = append(r.finished, append(line, '\n'))
	e.running = false
}

func (r *recorder) flush() error {
	for k, line := range r.finished {
		if _, err := r.file.Write(line); err != nil {
			return err
		}
		r.finished[k] = nil
	}
	r.finished = r.finished[:0]
	return nil
}

func (r *recorder) close() error { return errors.Join(r.flush(), r.file.Close()) }

// recorded handles a failure to write: the session plays on, unrecorded, and
// the failure is logged and counted.
func (s *Server) recorded(x *session, err error) {
	if err == nil {
		return
	}
	s.metrics.unwritten.Inc()
	s.cfg.Log.Error().Err(err).Str("record", x.request.record).Msg("recording stopped")
	_ = x.record.file.Close()
	x.record = nil
}

// row is what the agents of row i do, one entry an agent: what one proposed in
// words stands as it was said.
func (s *session) row(i int) []any {
	out := s.actions.row(i)
	for a := range out {
		if said := s.proposal(i, a); json.Valid(said) {
			out[a] = json.RawMessage(said)
		} else if said != nil {
			out[a] = string(said)
		}
	}
	return out
}

// row is the joint action of row i, one entry an agent.
func (m *actionMemory) row(i int) []any {
	agents, dims := m.shape[1], m.shape[2]
	out := make([]any, agents)
	for a := range agents {
		at, own := (i*agents+a)*dims, m.spec.Action[a].Size()
		switch {
		case m.value != nil:
			out[a] = append([]float32(nil), m.value[at:at+own]...)
		case own == 1:
			out[a] = m.choice[at]
		default:
			out[a] = append([]int32(nil), m.choice[at:at+own]...)
		}
	}
	return out
}
