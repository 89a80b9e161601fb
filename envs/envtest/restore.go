package envtest

import (
	"bytes"
	"errors"
	"testing"

	"marlpit/envs"
)

// checkRestore tests that damaged and foreign snapshots are refused without a
// trace, or are valid.
func checkRestore(tb testing.TB, s *subject) {
	if _, ok := envs.As[envs.Snapshotter](s.build(tb)); !ok {
		tb.Skip("no Snapshotter")
	}
	p := s.play(tb, 3)
	p.wander(4)
	saved := snapshot(tb, p)
	target := newTarget(tb, s)
	target.try(tb, nil)
	target.try(tb, []byte("marlpit"))
	target.try(tb, append(bytes.Clone(saved), 0))
	target.try(tb, append(bytes.Clone(saved), saved...))
	stride := 1 + len(saved)/200 // of long snapshots, a sample
	for n := 0; n < len(saved); n += stride {
		target.try(tb, saved[:n])
		for _, flip := range []byte{1, 0x80, 0xff} {
			bad := bytes.Clone(saved)
			bad[n] ^= flip
			target.try(tb, bad)
		}
	}
	for _, params := range s.others {
		other := newSubject(tb, s.entry, s.wrap, params)
		if label(other.spec.Params) == label(s.spec.Params) {
			continue
		}
		if target.try(tb, snapshot(tb, other.play(tb, 3))) {
			tb.Errorf("restore: a snapshot of the parameters %v was taken by a world of %v", params, s.params)
		}
	}
}

// target is a game that snapshots from outside are tried on.
type target struct {
	s     *subject
	p     *player
	state []byte // its snapshot before each try
}

func newTarget(tb testing.TB, s *subject) *target {
	p := s.play(tb, 11)
	p.wander(2)
	return &target{s, p, snapshot(tb, p)}
}

// try restores a snapshot that may be bad: it has to be refused with
// ErrSnapshot, leaving game and frame alone, or to give a state that plays on
// within the contract. It tells whether the snapshot was taken.
func (g *target) try(tb testing.TB, data []byte) bool {
	tb.Helper()
	dirty := newPlayer(g.p.env, 0) // a frame of rubbish to compare with
	dirty.soil()
	given := bytes.Clone(data)
	err := g.p.restore(data)
	if !bytes.Equal(given, data) {
		tb.Fatalf("restore: the caller's bytes were changed: %x", given)
	}
	if err != nil {
		if !errors.Is(err, envs.ErrSnapshot) {
			tb.Fatalf("restore: the error doesn't wrap ErrSnapshot: %v", err)
		}
		if d := diff(g.p.frame, dirty.frame); d != "" {
			tb.Fatalf("restore: snapshot %x was refused (%v), but the frame was written: %s", data, err, d)
		}
		if !bytes.Equal(snapshot(tb, g.p), g.state) {
			tb.Fatalf("restore: snapshot %x was refused (%v), but the game changed", data, err)
		}
		return false
	}
	if !checkPlay(tb, g.s, g.p) {
		tb.Fatalf("restore: snapshot %x was taken and gives a bad frame", data)
	}
	for range 8 {
		g.p.step(g.p.random())
		if !checkPlay(tb, g.s, g.p) {
			tb.Fatalf("restore: snapshot %x was taken and gives a bad game", data)
		}
	}
	if err := g.p.restore(g.state); err != nil {
		tb.Fatalf("restore: after snapshot %x its own is refused: %v", data, err)
	}
	return true
}

// Fuzz fuzzes Restore with the snapshots of random play as seeds: it never
// panics, and either refuses with ErrSnapshot, leaving everything as it was, or
// plays on within the contract. params is one set of parameters; without it,
// the defaults.
func Fuzz(f *testing.F, entry envs.Entry, params ...map[string]any) {
	f.Helper()
	if len(params) == 0 {
		params = []map[string]any{nil}
	}
	s := newSubject(f, entry, nil, params[0])
	p := s.play(f, 1)
	for range 8 {
		f.Add(snapshot(f, p))
		p.wander(5)
	}
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, data []byte) { newTarget(t, s).try(t, data) })
}
