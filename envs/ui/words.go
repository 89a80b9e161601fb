package ui

import "math"

// buckets is the length of a text's hash: its words, each in one of the
// buckets with a sign, scaled to length 1. The hash is fixed for ever.
const buckets = 12

// maxWords bounds the words of a goal that are indexed.
const maxWords = 64

// nextWord finds the first word of s from a place on: letters and digits,
// with its hash, in which case doesn't matter. end is where it ends, -1 where there is none.
func nextWord[S string | []byte](s S, from int) (hash uint32, end int) {
	const offset, prime = 2166136261, 16777619 // FNV-1a
	hash = offset
	for i := from; i < len(s); i++ {
		c := s[i]
		switch {
		case c >= 'A' && c <= 'Z':
			c += 'a' - 'A'
		case c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c >= 0x80:
		case hash == offset:
			continue
		default:
			return spread(hash), i
		}
		hash = (hash ^ uint32(c)) * prime
	}
	if hash == offset {
		return 0, -1
	}
	return spread(hash), len(s)
}

// spread mixes the bits of a hash, so that any few of them will do.
func spread(h uint32) uint32 {
	h ^= h >> 16
	h *= 0x7feb352d
	h ^= h >> 15
	return h
}

// put adds a word to a text's hash.
func put(dst []float32, hash uint32) {
	sign := float32(1)
	if hash>>31 != 0 {
		sign = -1
	}
	dst[hash%buckets] += sign
}

// scale brings a hash of n words to length 1.
func scale(dst []float32, n int) {
	if n == 1 {
		return
	}
	sum := float32(0)
	for _, v := range dst {
		sum += v * v
	}
	if sum == 0 {
		return
	}
	by := 1 / float32(math.Sqrt(float64(sum)))
	for i := range dst {
		dst[i] *= by
	}
}

// hashText adds the hash of a text to dst, which is zero.
func hashText[S string | []byte](dst []float32, s S) {
	n := 0
	for h, end := nextWord(s, 0); end >= 0; h, end = nextWord(s, end) {
		put(dst, h)
		n++
	}
	scale(dst[:buckets], n)
}

// goalIndex knows the words of a goal, and where the offered texts stand in it.
type goalIndex struct {
	words [128]goalWord // open addressing
	hash  [buckets]float32
	texts [MaxTexts]goalText
}

type goalWord struct {
	hash uint32 // 0: none
	near uint8  // bits of the offered texts that it stands before
}

// goalText is how the goal speaks of one offered text.
type goalText struct {
	named  bool             // it stands in the goal
	hash   [buckets]float32 // of the text
	before [buckets]float32 // of the three words before it in the goal
}

// build indexes the goal of a task.
func (g *goalIndex) build(t *Task) {
	*g = goalIndex{}
	hashText(g.hash[:], t.Goal)
	n := 0
	for h, end := nextWord(t.Goal, 0); end >= 0 && n < maxWords; h, end = nextWord(t.Goal, end) {
		g.slot(h).hash = h | 1
		n++
	}
	for k, text := range t.Texts {
		x := &g.texts[k]
		hashText(x.hash[:], text)
		at := place(t.Goal, text)
		if x.named = at >= 0; !x.named {
			continue
		}
		var last [3]uint32
		for h, end := nextWord(t.Goal[:at], 0); end >= 0; h, end = nextWord(t.Goal[:at], end) {
			last = [3]uint32{last[1], last[2], h}
		}
		count := 0
		for _, h := range last {
			if h != 0 {
				count++
				put(x.before[:], h)
				if w := g.slot(h); w.hash != 0 {
					w.near |= 1 << k
				}
			}
		}
		scale(x.before[:], count)
	}
}

// slot is the word's place in the table, or the empty one where it would stand.
func (g *goalIndex) slot(hash uint32) *goalWord {
	for i := hash >> 8; ; i++ {
		if w := &g.words[i%uint32(len(g.words))]; w.hash == 0 || w.hash == hash|1 {
			return w
		}
	}
}

// place is where text stands in s as words of its own, or -1.
func place(s, text string) int {
	for i := 0; i+len(text) <= len(s) && text != ""; i++ {
		if s[i:i+len(text)] == text && !wordAt(s, i-1) && !wordAt(s, i+len(text)) {
			return i
		}
	}
	return -1
}

// wordAt says whether a letter or digit stands at i.
func wordAt(s string, i int) bool {
	if i < 0 || i >= len(s) {
		return false
	}
	c := s[i]
	return c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c >= 0x80
}
