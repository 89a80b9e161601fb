package shaping

import "hash/fnv"

// uniform is a number in [0,1) that depends on its arguments alone.
func uniform(seed, key, query uint64) float64 {
	h := mix(seed + 0x9e3779b97f4a7c15)
	h = mix(h ^ key)
	h = mix(h + query*0xbf58476d1ce4e5b9 + 1)
	return float64(h>>11) / (1 << 53)
}

// mix is the finaliser of splitmix64 (Steele, Lea and Flood 2014).
func mix(z uint64) uint64 {
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

func textHash(s string) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(s)) // never fails
	return h.Sum64()
}
