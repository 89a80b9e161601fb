package pool

import (
	"encoding/binary"
	"fmt"
	"math"

	"marlpit/envs"
)

// A row's snapshot: a version byte, a flag byte (1: has been reset), seed
// uint64, index uint32, number of the next episode uint32, steps uint32, all
// little-endian, then the environment's own snapshot (absent before the first
// reset).
const (
	snapVersion = 1
	snapHeader  = 2 + 8 + 4 + 4 + 4
)

// CanSnapshot says whether rows can be saved, restored and cloned.
func (p *Pool) CanSnapshot() bool {
	_, ok := base(p.rows[0].env).(envs.Snapshotter)
	return ok
}

// base is the environment inside all wrappers: a wrapper has the methods of
// abilities whether or not the world has the ability.
func base(e envs.Env) envs.Env {
	for {
		u, ok := e.(envs.Unwrapper)
		if !ok {
			return e
		}
		e = u.Unwrap()
	}
}

// AppendSnapshot appends everything that row i's future depends on. It returns
// ErrNoSnapshot where the environment can't be saved.
func (p *Pool) AppendSnapshot(dst []byte, i int) (_ []byte, err error) {
	defer catch(&err)
	if p.failed != nil {
		return dst, p.failed
	}
	if !p.CanSnapshot() {
		return dst, fmt.Errorf("%w: %s", ErrNoSnapshot, p.spec.ID)
	}
	r := &p.rows[i]
	flags := byte(0)
	if r.started {
		flags = 1
	}
	dst = append(dst, snapVersion, flags)
	dst = binary.LittleEndian.AppendUint64(dst, r.seed)
	dst = binary.LittleEndian.AppendUint32(dst, uint32(r.index))
	dst = binary.LittleEndian.AppendUint32(dst, uint32(r.next))
	dst = binary.LittleEndian.AppendUint32(dst, uint32(r.steps))
	if r.started {
		s, _ := envs.As[envs.Snapshotter](r.env)
		dst = s.AppendSnapshot(dst)
	}
	return dst, nil
}

// Restore makes rows what they were when the snapshots were taken: the frame is
// as after that step, but with rewards 0. All are restored or none: an error
// wrapping envs.ErrSnapshot names the one that isn't of this pool's world.
func (p *Pool) Restore(rows []int, snapshots [][]byte) (err error) {
	defer catch(&err)
	if p.failed != nil {
		return p.failed
	}
	if len(rows) != len(snapshots) {
		panic("pool: as many rows as snapshots are needed")
	}
	if !p.CanSnapshot() {
		return fmt.Errorf("%w: %s", ErrNoSnapshot, p.spec.ID)
	}
	fresh := make([]row, len(rows))
	for k := range rows {
		if fresh[k], err = p.load(snapshots[k]); err != nil {
			return fmt.Errorf("snapshot %d: %w", k, err)
		}
	}
	for k, i := range rows {
		p.commit(i, fresh[k])
	}
	p.finals = p.finals[:0]
	return nil
}

// load reads a snapshot into an environment and a frame of its own.
func (p *Pool) load(snap []byte) (row, error) {
	if len(snap) < snapHeader || snap[0] != snapVersion || snap[1] > 1 {
		return row{}, fmt.Errorf("%w: not a row's snapshot of version %d", envs.ErrSnapshot, snapVersion)
	}
	r := row{
		started: snap[1] == 1,
		seed:    binary.LittleEndian.Uint64(snap[2:]),
		index:   int(binary.LittleEndian.Uint32(snap[10:])),
		next:    int(binary.LittleEndian.Uint32(snap[14:])),
		steps:   int(binary.LittleEndian.Uint32(snap[18:])),
		out:     *envs.NewFrame(p.spec),
	}
	if r.next > math.MaxInt32 || r.started != (r.next > 0) || !r.started && len(snap) > snapHeader {
		return row{}, fmt.Errorf("%w: episode %d of a row contradicts its flags", envs.ErrSnapshot, r.next)
	}
	e, err := p.cfg.Make()
	if err != nil {
		return row{}, err
	}
	r.env = e
	if r.started {
		s, _ := envs.As[envs.Snapshotter](e)
		if err := s.Restore(snap[snapHeader:], &r.out); err != nil {
			return row{}, err
		}
		r.ended = r.out.Ended()
	}
	return r, nil
}

// commit puts a loaded row in place i.
func (p *Pool) commit(i int, r row) {
	out := p.rows[i].out
	out.Copy(&r.out)
	r.out = out
	if r.started != p.rows[i].started {
		if r.started {
			p.waiting--
		} else {
			p.waiting++
		}
	}
	p.rows[i] = r
}

// Clone returns an independent pool that plays on identically, its batch
// showing what this one shows. It returns ErrNoSnapshot where the environment
// can't be saved.
func (p *Pool) Clone() (*Pool, error) {
	if p.failed != nil {
		return nil, p.failed
	}
	q, err := New(p.cfg)
	if err != nil {
		return nil, err
	}
	rows, snaps := make([]int, p.Len()), make([][]byte, p.Len())
	for i := range rows {
		rows[i] = i
		if snaps[i], err = p.AppendSnapshot(nil, i); err != nil {
			return nil, err
		}
	}
	if err := q.Restore(rows, snaps); err != nil {
		return nil, err
	}
	q.batch.Copy(&p.batch.Frame)
	if p.batch.Final != nil {
		q.batch.Final.Copy(p.batch.Final)
	}
	q.finals = append(q.finals, p.finals...)
	return q, nil
}
