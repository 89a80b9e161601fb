package wrappers

import (
	"marlpit/envs"
	"marlpit/shaping/prefer"
)

// shifted is what the wrappers that pay potential differences share: all but
// what they make of a difference.
type shifted struct {
	shaped
	differences
	of    func(envs.Env) sigma
	tag   byte       // of snapshots
	times []float32  // (agents,) scale/sd or weight/sd, 0 where σ is flat
	game  *liveSigma // sigma, where its model changes between episodes; else nil
}

func newShifted(e envs.Env, src source, r Reward, tag byte) shifted {
	var more []string
	if src.live != nil {
		more = []string{"live_failing"}
	}
	s := shifted{
		shaped: newShaped(e, r, src.version, more...), differences: newDifferences(e, src, r), of: src.of, tag: tag,
		times: src.multipliers(r.factor()),
	}
	s.live = src.live
	if s.game, _ = s.sigma.(*liveSigma); s.game != nil {
		s.times = s.game.times
	}
	return s
}

// Reset implements envs.Env.
func (s *shifted) Reset(seed uint64, out *envs.Frame) {
	if s.game != nil {
		s.use(s.live.Model())
	}
	s.reset(seed, out)
	s.enter(out)
	s.quiet(out)
}

// use takes the model of a live labelling for the episode.
func (s *shifted) use(m *prefer.Model) {
	s.game.use(m)
	s.version = s.game.version()
}

// AppendSnapshot implements envs.Snapshotter.
func (s *shifted) AppendSnapshot(dst []byte) []byte {
	inner, _ := envs.As[envs.Snapshotter](s.env)
	dst = s.appendState(dst, s.tag)
	if s.game != nil {
		dst = s.game.appendState(dst)
	}
	return inner.AppendSnapshot(appendFloats(dst, s.prev))
}

// Restore implements envs.Snapshotter.
func (s *shifted) Restore(snapshot []byte, out *envs.Frame) error {
	potentials, err := s.checkState(snapshot, s.tag)
	if err != nil {
		return err
	}
	var model *prefer.Model
	if s.game != nil {
		if model, potentials, err = s.game.stateModel(potentials); err != nil {
			return err
		}
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
	if s.game != nil {
		s.use(model)
	}
	s.setState(snapshot, out)
	return nil
}

func (s *shifted) copied() shifted {
	c := *s
	c.shaped = s.shaped.cloned()
	c.differences = s.differences.cloned(c.env, s.of)
	if s.game != nil {
		c.game = c.sigma.(*liveSigma)
		c.times = c.game.times
		c.game.use(s.game.model)
	}
	return c
}

func (s *shifted) copyInto(dst *shifted) {
	s.shaped.cloneInto(&dst.shaped)
	copy(dst.prev, s.prev)
	if s.game != nil {
		dst.use(s.game.model)
	}
}
