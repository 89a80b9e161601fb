package api

import (
	"bytes"
	"encoding/json"

	"github.com/gofiber/fiber/v2"

	"marlpit/envs"
)

// observation shows a row to language agents: a map from agent to its JSON
// observation.
func (s *Server) observation(c *fiber.Ctx) error {
	return s.told(c, true, func(x *session, row int) ([]byte, error) {
		e, ok := envs.As[envs.Speaker](x.pool.Env(row))
		if !ok {
			return nil, refuse(errNoAbility, "", "%s has no observations in words", x.env)
		}
		return byAgent(x.spec.Agents, func(dst []byte, i int) []byte { return e.AppendObservation(dst, i) }), nil
	})
}

// solution gives, for each agent that acts, a right next action by the task's own
// solution: for measuring, never for agents that are measured.
func (s *Server) solution(c *fiber.Ctx) error {
	return s.told(c, false, func(x *session, row int) ([]byte, error) {
		e, ok := envs.As[envs.Guide](x.pool.Env(row))
		if !ok {
			return nil, refuse(errNoAbility, "", "%s knows no solution in words", x.env)
		}
		action := e.AppendSolution(nil)
		if len(action) == 0 {
			return []byte("{}"), nil
		}
		f := x.pool.Batch().Row(row)
		var acting []string
		for i, a := range x.spec.Agents {
			if !f.Terminated[i] && !f.Truncated[i] {
				acting = append(acting, a)
			}
		}
		return byAgent(acting, func(dst []byte, _ int) []byte { return append(dst, action...) }), nil
	})
}

// byAgent appends a JSON object with a value for each agent.
func byAgent(agents []string, value func(dst []byte, i int) []byte) []byte {
	dst := []byte{'{'}
	for i, a := range agents {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(appendTextJSON(dst, []byte(a)), ':')
		dst = value(dst, i)
	}
	return append(dst, '}')
}

// getState gives a row's whole state as structured data.
func (s *Server) getState(c *fiber.Ctx) error {
	return s.told(c, false, func(x *session, row int) ([]byte, error) {
		e, ok := inside(x.pool.Env(row)).(envs.Structured)
		if !ok {
			return nil, refuse(errNoAbility, "", "%s has no structured state", x.env)
		}
		return e.AppendState(nil), nil
	})
}

// told replies a JSON text about a row, in the encoding that is wanted.
func (s *Server) told(c *fiber.Ctx, view bool, tell func(x *session, row int) ([]byte, error)) error {
	var text []byte
	err := s.with(c, false, func(x *session, h handle) (err error) {
		defer recovered(&err)
		if h.view && !view {
			return refuse(errReadOnly, "", "%s is a view id: it is good for render, words, observation and events", x.view)
		}
		_, row, err := queryRow(c, x.pool.Len())
		if err != nil {
			return err
		}
		if err := x.pool.Err(); err != nil {
			return err
		}
		if err := x.begun(row); err != nil {
			return err
		}
		text, err = tell(x, row)
		return err
	})
	if err != nil {
		return err
	}
	asJSON := wantsJSON(c)
	if !asJSON {
		if text, err = fromJSON(text); err != nil {
			return err
		}
	}
	setType(c, asJSON)
	return c.Send(text)
}

// putState makes a row what a structured state says. A reward scheme goes on
// from there: one that pays differences pays the next from the state before.
func (s *Server) putState(c *fiber.Ctx) error {
	return s.move(c, func(x *session, r *reader, q *call) error {
		row, err := readRowNumber(r, q.fields[fieldRow], x.pool.Len())
		if err != nil {
			return err
		}
		if q.fields[fieldState] == nil {
			return refuse(errInvalid, "/state", "state is missing")
		}
		if err := x.begun(row); err != nil {
			return err
		}
		sr := r.sub(q.fields[fieldState])
		state, err := readAction(&sr, "/state")
		if err != nil {
			return err
		}
		snap, err := s.snapshotOf(x, row, state)
		if err != nil {
			return err
		}
		return x.restore([]int{row}, [][]byte{snap}, "/state")
	}, fieldRow, fieldState)
}

func readRowNumber(r *reader, raw []byte, rows int) (int, error) {
	if raw == nil {
		return 0, nil
	}
	n := r.sub(raw)
	v, big, ok := n.integer()
	if !ok {
		return 0, wrongType("/row", "an integer", &n)
	}
	if v < 0 || v >= int64(rows) || big != 0 {
		return 0, refuse(errInvalid, "/row", "row is an integer from 0 to %d, got %d", rows-1, v)
	}
	return int(v), nil
}

// snapshotOf is the row's snapshot with another state of the world in it. A
// wrapper appends the snapshot of what is inside to its own, so that the world's
// stands at the end.
func (s *Server) snapshotOf(x *session, row int, state []byte) (_ []byte, err error) {
	defer recovered(&err)
	_, structured := inside(x.pool.Env(row)).(envs.Structured)
	now, saved := inside(x.pool.Env(row)).(envs.Snapshotter)
	if !structured || !saved {
		return nil, refuse(errNoAbility, "", "%s has no structured state", x.env)
	}
	snap, err := x.pool.AppendSnapshot(nil, row)
	if err != nil {
		return nil, err
	}
	outer, ok := bytes.CutSuffix(snap, now.AppendSnapshot(nil))
	if !ok {
		return nil, refuse(errNoAbility, "", "the state of %s can't be set under the reward scheme %v", x.env, x.reward["scheme"])
	}
	if !json.Valid(state) {
		return nil, refuse(errInvalid, "/state", "state is a JSON object, or a text that holds one")
	}
	entry, err := s.cfg.Registry.Find(x.env)
	if err != nil {
		return nil, err
	}
	e, err := newRow(entry, x.request.params, inside(x.pool.Env(row)), func(e envs.Env) envs.Env { return e })
	if err != nil {
		return nil, err
	}
	if err := e.(envs.Structured).SetState(state, envs.NewFrame(e.Spec())); err != nil {
		return nil, &refusal{kind: err, at: "/state", message: err.Error()}
	}
	return e.(envs.Snapshotter).AppendSnapshot(outer), nil
}
