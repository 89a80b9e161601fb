package envs

import "math/bits"

// Rand is a small random generator, xoshiro256** (Blackman and Vigna 2018)
// seeded through splitmix64. The algorithm is fixed for ever, so that a seed
// and a recording outlive Go releases. The zero value is not
// seeded: its bits are all 0, and Intn panics.
type Rand struct {
	S [4]uint64 // the whole state, for snapshots
}

// Seed starts the stream of a seed. Every seed is valid, 0 included.
func (r *Rand) Seed(seed uint64) {
	for i := range r.S {
		seed += 0x9e3779b97f4a7c15
		r.S[i] = mix(seed)
	}
}

// Uint64 returns 64 uniform bits.
func (r *Rand) Uint64() uint64 {
	s := &r.S
	out := bits.RotateLeft64(s[1]*5, 7) * 9
	t := s[1] << 17
	s[2] ^= s[0]
	s[3] ^= s[1]
	s[1] ^= s[2]
	s[0] ^= s[3]
	s[2] ^= t
	s[3] = bits.RotateLeft64(s[3], 45)
	return out
}

// Intn returns a uniform integer in [0, n), without bias (Lemire 2019). It
// panics unless n > 0.
func (r *Rand) Intn(n int) int {
	if n <= 0 {
		panic("envs: Rand.Intn: n must be positive")
	}
	bound := uint64(n)
	hi, lo := bits.Mul64(r.Uint64(), bound)
	if lo < bound {
		if r.S == [4]uint64{} {
			panic("envs: Rand: it was never seeded") // it would draw zeros for ever
		}
		for threshold := -bound % bound; lo < threshold; {
			hi, lo = bits.Mul64(r.Uint64(), bound)
		}
	}
	return int(hi)
}

// Float64 returns a uniform number in [0, 1).
func (r *Rand) Float64() float64 { return float64(r.Uint64()>>11) / (1 << 53) }

// Shuffle permutes n elements (Fisher and Yates).
func (r *Rand) Shuffle(n int, swap func(i, j int)) {
	for i := n - 1; i > 0; i-- {
		swap(i, r.Intn(i+1))
	}
}

// EpisodeSeed derives the seed of one episode from the session's seed, the
// index of the environment in it, and the number of the episode there (0 for
// the first). Neighbouring arguments give unrelated seeds.
func EpisodeSeed(session uint64, index, episode int) uint64 {
	h := mix(session + 0x9e3779b97f4a7c15)
	h = mix(h + uint64(index)*0xbf58476d1ce4e5b9 + 1)
	return mix(h + uint64(episode)*0x94d049bb133111eb + 1)
}

// mix is the finaliser of splitmix64 (Steele, Lea and Flood 2014).
func mix(z uint64) uint64 {
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}
