package wrappers

import "marlpit/envs"

// shifted is what the wrappers that pay potential differences share: all but
// what they make of a difference.
type shifted struct {
	shaped
	differences
	of  func(envs.Env) sigma
	tag byte // of snapshots
}

func newShifted(e envs.Env, src source, r Reward, tag byte) shifted {
	return shifted{
		shaped: newShaped(e, r, src.version), differences: newDifferences(e, src, r), of: src.of, tag: tag,
	}
}

// Reset implements envs.Env.
func (s *shifted) Reset(seed uint64, out *envs.Frame) {
	s.reset(seed, out)
	s.enter(out)
	s.quiet(out)
}

// AppendSnapshot implements envs.Snapshotter.
func (s *shifted) AppendSnapshot(dst []byte) []byte {
	inner, _ := envs.As[envs.Snapshotter](s.env)
	return inner.AppendSnapshot(appendFloats(s.appendState(dst, s.tag), s.prev))
}

// Restore implements envs.Snapshotter.
func (s *shifted) Restore(snapshot []byte, out *envs.Frame) error {
	potentials, err := s.checkState(snapshot, s.tag)
	if err != nil {
		return err
	}
	rest, err := checkFloats(potentials, len(s.prev), maxSigma)
	if err != nil {
		return err
	}
	if err := s.restore(rest, out); err != nil {
		return err
	}
	for i := range s.prev {
		s.prev[i] = floatOf(potentials, i)
	}
	s.setState(snapshot, out)
	return nil
}

func (s *shifted) copied() shifted {
	c := *s
	c.shaped = s.shaped.cloned()
	c.differences = s.differences.cloned(c.env, s.of)
	return c
}

func (s *shifted) copyInto(dst *shifted) {
	s.shaped.cloneInto(&dst.shaped)
	copy(dst.prev, s.prev)
}
