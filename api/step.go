package api

import (
	"slices"

	"github.com/gofiber/fiber/v2"
)

// call is the body of a reset, a step or a restore: the raw bytes of its
// fields, still to be read.
type call struct {
	seq    uint64
	fields [9][]byte // by callFields; nil: absent
}

// callFields are the fields beside seq, by place.
var callFields = [9]string{"actions", "seed", "mask", "rows", "snapshots", "proposals", "rounds", "row", "state"}

const (
	fieldActions = iota
	fieldSeed
	fieldMask
	fieldRows
	fieldSnapshots
	fieldProposals
	fieldRounds
	fieldRow
	fieldState
)

// readCall reads the fields of a body without copying them. Fields that the
// route doesn't know are refused.
func readCall(r *reader, known ...int) (q call, err error) {
	n, ok := r.object()
	if !ok {
		return q, refuse(errBadRequest, "", "the body is a map, got %s", r.what())
	}
	hasSeq := false
	for range n {
		key, ok := r.text()
		if !ok {
			return q, refuse(errBadRequest, "", "the keys of the body are texts, got %s", r.what())
		}
		if string(key) == "seq" {
			if hasSeq {
				return q, refuse(errBadRequest, "/seq", "seq is there twice")
			}
			if q.seq, ok = r.unsigned(); !ok {
				return q, wrongType("/seq", "an integer of at least 1", r)
			}
			hasSeq = true
			continue
		}
		at := -1
		for _, k := range known {
			if string(key) == callFields[k] {
				at = k
			}
		}
		if at < 0 {
			return q, refuse(errInvalid, pointer(string(key)), "there is no field %.40q here", key)
		}
		if q.fields[at] != nil {
			return q, refuse(errBadRequest, pointer(string(key)), "%s is there twice", key)
		}
		q.fields[at] = r.raw()
	}
	if !hasSeq {
		return q, refuse(errInvalid, "/seq", "seq is missing: one more than the last, the first is 1")
	}
	return q, nil
}

// repeated says whether a call is the last one again, whose reply is due once
// more; any number but the next is refused.
func (s *session) repeated(seq uint64) (bool, error) {
	switch {
	case seq == s.seq && seq > 0:
		return true, s.pool.Err()
	case seq == s.seq+1:
		return false, s.pool.Err()
	}
	return false, refuse(errBadSeq, "/seq", "expected seq %d, or %d for the last reply again, got %d", s.seq+1, s.seq, seq)
}

// move is what every call that moves a session does: it reads the call, answers
// a repeated one from memory, and counts and answers one that do has carried
// out. What do refuses leaves the session, and its seq, as they were.
func (s *Server) move(c *fiber.Ctx, do func(*session, *reader, *call) error, fields ...int) error {
	r, err := s.body(c)
	if err != nil {
		return err
	}
	return s.with(c, true, func(x *session, _ handle) error {
		q, err := readCall(&r, fields...)
		if err != nil {
			return err
		}
		if again, err := x.repeated(q.seq); err != nil {
			return err
		} else if again {
			return x.reply(c)
		}
		if err := do(x, &r, &q); err != nil {
			return err
		}
		x.seq = q.seq
		x.publish()
		return x.reply(c)
	})
}

func (s *Server) step(c *fiber.Ctx) error {
	return s.move(c, func(x *session, r *reader, q *call) error {
		switch given := q.fields[fieldProposals] != nil; {
		case given && q.fields[fieldActions] != nil:
			return refuse(errInvalid, "/proposals", "a step has either actions or proposals, not both")
		case !given && q.fields[fieldActions] == nil:
			return refuse(errInvalid, "/actions", "actions are missing: a step has either actions or proposals")
		}
		if x.pool.Waiting() < 0 {
			if err := x.readStep(r, q); err != nil {
				return err
			}
		}
		if err := x.play(s); err != nil {
			return err
		}
		s.metrics.steps.Add(float64(x.pool.Len()))
		return nil
	}, fieldActions, fieldProposals, fieldRounds)
}

// readStep reads what the agents do, and tells the round where it was asked for.
func (s *session) readStep(r *reader, q *call) error {
	wanted, err := s.wantsRounds(r, q.fields[fieldRounds])
	if err != nil {
		return err
	}
	s.spoken, s.rounds = s.spoken[:0], s.rounds[:0]
	if raw := q.fields[fieldProposals]; raw != nil {
		pr := r.sub(raw)
		err = s.propose(&pr)
	} else {
		ar := r.sub(q.fields[fieldActions])
		err = s.actions.read(&ar, s.ended)
	}
	if err != nil || !wanted {
		return err
	}
	return s.tellRounds()
}

// play steps the pool, and what looks on: words and the recording.
func (s *session) play(srv *Server) error {
	if s.words != nil && s.pool.Waiting() < 0 {
		if err := s.words.before(s.pool); err != nil {
			return err
		}
	}
	if s.record != nil && s.pool.Waiting() < 0 {
		s.record.before(s)
	}
	if s.notes != nil && s.pool.Waiting() < 0 {
		s.notes.before(s.pool)
	}
	if err := s.pool.Step(s.actions.actions()); err != nil {
		return err
	}
	if s.notes != nil {
		if err := s.notes.after(s.pool); err != nil {
			return err
		}
	}
	if s.words != nil {
		s.words.after(s.pool)
	}
	if s.record != nil {
		srv.recorded(s, s.record.after(s))
	}
	return nil
}

// ended says whether an agent of row 0 has ended.
func (s *session) ended(agent int) bool {
	f := &s.pool.Batch().Frame
	return f.Terminated[agent] || f.Truncated[agent]
}

func (s *Server) reset(c *fiber.Ctx) error {
	return s.move(c, func(x *session, r *reader, q *call) error {
		var seed *uint64
		if raw := q.fields[fieldSeed]; raw != nil {
			sr := r.sub(raw)
			if !sr.null() {
				v, err := readSeed(&sr)
				if err != nil {
					return err
				}
				seed = &v
			}
		}
		mask, err := readMask(r, q.fields[fieldMask], x.pool.Len())
		if err != nil {
			return err
		}
		if x.record != nil {
			s.recorded(x, x.record.cut(x, mask))
		}
		if err := x.pool.Reset(mask, seed); err != nil {
			return err
		}
		x.quiet()
		if seed != nil && mask == nil {
			x.request.seed = *seed
		}
		if x.words != nil {
			x.words.restart(x.pool, mask)
		}
		if x.record != nil {
			x.record.begin(x, mask)
		}
		return nil
	}, fieldSeed, fieldMask)
}

// readMask reads which rows a reset concerns: bytes or a list of 0 and 1
// (or false and true); nil for all.
func readMask(r *reader, raw []byte, rows int) ([]uint8, error) {
	if raw == nil || raw[0] == 0xc0 {
		return nil, nil
	}
	m := r.sub(raw)
	var mask []uint8
	if b, ok := m.bytes(); ok {
		mask = slices.Clone(b)
	} else {
		n, ok := m.array()
		if !ok {
			return nil, wrongType("/mask", "bytes or a list of 0 and 1, one a row", &m)
		}
		for range n {
			v, big, ok := m.integer()
			if !ok {
				b, isBool := m.boolean()
				if !isBool {
					return nil, wrongType("/mask", "bytes or a list of 0 and 1, one a row", &m)
				}
				v = 0
				if b {
					v = 1
				}
			}
			if v < 0 || v > 1 || big != 0 {
				v = 2
			}
			mask = append(mask, uint8(v))
		}
	}
	if len(mask) != rows {
		return nil, refuse(errInvalid, "/mask", "mask has one element for each of %d rows, got %d", rows, len(mask))
	}
	for i, v := range mask {
		if v > 1 {
			return nil, refuse(errInvalid, "/mask", "row %d of mask is 0 or 1", i)
		}
	}
	return mask, nil
}
