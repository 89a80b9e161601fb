package wrappers

import "marlpit/envs"

// full is a wrapper with state of its own.
type full interface {
	plain
	envs.Snapshotter
	envs.Cloner
}

// plain is what every wrapper is.
type plain interface {
	envs.Env
	envs.Unwrapper
}

// able hides the abilities of a wrapper that the game inside doesn't have, so
// that As tells the truth.
func able(w full) envs.Env {
	_, snapshots := envs.As[envs.Snapshotter](w.Unwrap())
	_, clones := envs.As[envs.Cloner](w.Unwrap())
	switch {
	case snapshots && clones:
		return w
	case snapshots:
		return snapshotsOnly{w, w}
	case clones:
		return clonesOnly{w, w}
	}
	return struct{ plain }{w}
}

type snapshotsOnly struct {
	plain
	envs.Snapshotter
}

type clonesOnly struct {
	plain
	inner envs.Cloner
}

// Clone implements envs.Cloner.
func (c clonesOnly) Clone() envs.Env {
	w := c.inner.Clone().(full)
	return clonesOnly{w, w}
}

// CloneInto implements envs.Cloner.
func (c clonesOnly) CloneInto(dst envs.Env) { c.inner.CloneInto(dst.(clonesOnly).inner.(envs.Env)) }
