package api

import (
	"github.com/gofiber/fiber/v2"
)

// snapshotReply holds rows and the snapshot of each; a PUT sends the same back,
// with a seq.
type snapshotReply struct {
	Rows      []int    `json:"rows"`
	Snapshots [][]byte `json:"snapshots"`
}

func (s *Server) getSnapshot(c *fiber.Ctx) error {
	reply := snapshotReply{Rows: []int{}, Snapshots: [][]byte{}}
	err := s.with(c, false, func(x *session, h handle) error {
		if h.view {
			return refuse(errReadOnly, "", "%s is a view id: it is good for render, words and events", x.view)
		}
		one, row, err := queryRow(c, x.pool.Len())
		if err != nil {
			return err
		}
		for i := range x.pool.Len() {
			if one && i != row {
				continue
			}
			b, err := x.pool.AppendSnapshot(nil, i)
			if err != nil {
				return err
			}
			reply.Rows = append(reply.Rows, i)
			reply.Snapshots = append(reply.Snapshots, b)
		}
		return nil
	})
	if err != nil {
		return err
	}
	return s.send(c, 200, reply)
}

func (s *Server) putSnapshot(c *fiber.Ctx) error {
	return s.move(c, func(x *session, r *reader, q *call) error {
		snaps, err := readSnapshots(r, q.fields[fieldSnapshots])
		if err != nil {
			return err
		}
		rows, err := readRows(r, q.fields[fieldRows], x.pool.Len(), len(snaps))
		if err != nil {
			return err
		}
		return x.restore(rows, snaps, "/snapshots")
	}, fieldRows, fieldSnapshots)
}

// restore makes rows what they were, and tells what looks on; at is where a
// refusal points to.
func (s *session) restore(rows []int, snaps [][]byte, at string) error {
	if err := s.pool.Restore(rows, snaps); err != nil {
		return &refusal{kind: err, at: at, message: err.Error()}
	}
	s.quiet()
	if s.words != nil {
		mask := make([]uint8, s.pool.Len())
		for _, i := range rows {
			mask[i] = 1
		}
		s.words.restart(s.pool, mask)
	}
	if s.record != nil {
		for _, i := range rows {
			s.record.skip(i)
		}
	}
	return nil
}

func readSnapshots(r *reader, raw []byte) ([][]byte, error) {
	if raw == nil {
		return nil, refuse(errInvalid, "/snapshots", "snapshots are missing")
	}
	l := r.sub(raw)
	n, ok := l.array()
	if !ok {
		return nil, wrongType("/snapshots", "a list of bytes", &l)
	}
	var out [][]byte
	for range n {
		b, ok := l.bytes()
		if !ok {
			return nil, wrongType("/snapshots", "a list of bytes", &l)
		}
		out = append(out, b)
	}
	return out, nil
}

// readRows reads which rows are restored; absent: all.
func readRows(r *reader, raw []byte, n, want int) ([]int, error) {
	var rows []int
	if raw == nil || raw[0] == 0xc0 {
		for i := range n {
			rows = append(rows, i)
		}
	} else {
		l := r.sub(raw)
		count, ok := l.array()
		if !ok {
			return nil, wrongType("/rows", "a list of rows", &l)
		}
		seen := make(map[int64]bool, min(count, n))
		for range count {
			v, big, ok := l.integer()
			if !ok {
				return nil, wrongType("/rows", "a list of rows", &l)
			}
			if v < 0 || v >= int64(n) || big != 0 || seen[v] {
				return nil, refuse(errInvalid, "/rows", "rows are different integers from 0 to %d, got %d", n-1, v)
			}
			seen[v] = true
			rows = append(rows, int(v))
		}
	}
	if len(rows) != want {
		return nil, refuse(errInvalid, "/snapshots", "one snapshot for each of %d rows, got %d", len(rows), want)
	}
	return rows, nil
}

// fork makes a session that plays on identically. It is not recorded.
func (s *Server) fork(c *fiber.Ctx) error {
	r, err := s.body(c)
	if err != nil {
		return err
	}
	if err := eachField(&r, func(key string) error {
		return refuse(errInvalid, pointer(key), "a fork has no fields, got %.40q", key)
	}); err != nil {
		return err
	}
	var twin *session
	err = s.with(c, true, func(x *session, _ handle) error {
		if err := s.sessions.reserve(); err != nil {
			return err
		}
		p, err := x.pool.Clone()
		if err != nil {
			s.sessions.unreserve()
			return err
		}
		q := x.request
		q.record = ""
		twin = s.assemble(q, p, x.reward, x.lease)
		if x.lease != nil {
			x.lease.Share()
		}
		if x.words != nil {
			twin.words = x.words.clone()
		}
		return nil
	})
	if err != nil {
		return err
	}
	return s.created(c, twin)
}
