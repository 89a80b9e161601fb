package process

import "slices"

// featureVersion is that of the features below: a model is of one.
const featureVersion = 1

// mostGoalWords bounds how many of the goal's words are read.
const mostGoalWords = 64

// reader makes features of the proposals of a round: hashes of what stands in
// it, alone and together (feature hashing, Weinberger and others 2009). It reads
// the text that critics are shown, and neither the world's templates nor what
// the other agents propose. Its memory is used again.
type reader struct {
	goal      []uint64 // words
	seen      []uint64 // words of the screen
	words     []uint64 // of what is under way
	typed     []uint64
	elements  [][]byte
	proposals [][]byte
	history   []uint64 // actions, each as a whole
	features  []uint64

	app, screen, last, lastVerb uint64
	turn, round                 uint64
	done, filled, empty         uint64 // goal words on the screen and fields, in classes
	best                        int    // most words of the goal on one element
}

// read takes a round up.
func (r *reader) read(text []byte) {
	r.goal, r.seen, r.elements, r.proposals, r.history = r.goal[:0], r.seen[:0], r.elements[:0], r.proposals[:0], r.history[:0]
	r.app, r.screen, r.last, r.lastVerb, r.turn, r.round = 0, 0, 0, 0, 0, 0
	eachMember(text, func(name, value []byte) {
		switch string(name) {
		case "goal":
			r.goal = appendWords(r.goal, inner(value))
			r.goal = r.goal[:min(len(r.goal), mostGoalWords)]
		case "app":
			r.app = r.whole(value)
		case "screen":
			r.screen = r.whole(value)
		case "turn":
			r.turn = number(value)
		case "round":
			r.round = number(value)
		case "history":
			eachItem(value, func(v []byte) {
				r.history = append(r.history, r.whole(v))
				r.lastVerb, _ = word(inner(v), 0)
			})
		case "elements":
			eachItem(value, func(v []byte) { r.elements = append(r.elements, v) })
		case "proposals":
			eachItem(value, func(v []byte) { r.proposals = append(r.proposals, v) })
		}
	})
	if n := len(r.history); n > 0 {
		r.last = r.history[n-1]
	}
	r.survey()
}

// survey looks at the whole screen: which words of the goal it shows, and what
// its fields hold.
func (r *reader) survey() {
	filled, empty := 0, 0
	r.best = 0
	for _, e := range r.elements {
		x := r.element(e)
		r.seen = append(r.seen, r.words...)
		r.best = max(r.best, r.inGoal(r.words))
		switch {
		case !x.editable:
		case x.valued:
			filled++
		default:
			empty++
		}
	}
	shown := 0
	for _, w := range r.goal {
		if slices.Contains(r.seen, w) {
			shown++
		}
	}
	r.done = uint64(8 * shown / max(len(r.goal), 1)) //nolint:gosec // 0 to 8
	r.filled, r.empty = uint64(min(filled, 4)), uint64(min(empty, 4))
}

// element is what is read of one; its words are the reader's.
type element struct {
	role, flags, name, value uint64
	editable, valued         bool
}

func (r *reader) element(e []byte) element {
	var x element
	r.words = r.words[:0]
	eachMember(e, func(name, value []byte) {
		switch string(name) {
		case "role":
			x.role, _ = word(inner(value), 0)
		case "text", "description":
			r.words = appendWords(r.words, inner(value))
		case "value":
			at := len(r.words)
			r.words = appendWords(r.words, inner(value))
			x.value, x.valued = whole(r.words[at:]), len(r.words) > at
			r.words = r.words[:at] // that it is there says more than what it is
		case "checked", "selected", "focused", "editable", "enabled", "scrollable":
			h, _ := word(name, 0)
			x.flags ^= h
			x.editable = x.editable || string(name) == "editable"
		}
	})
	x.name = whole(r.words)
	return x
}

// whole is the hash of a JSON string's words.
func (r *reader) whole(value []byte) uint64 {
	r.words = appendWords(r.words[:0], inner(value))
	return whole(r.words)
}

func (r *reader) inGoal(words []uint64) int {
	n := 0
	for _, w := range words {
		if slices.Contains(r.goal, w) {
			n++
		}
	}
	return n
}

// add adds a feature: what kind it is of, and what it is made of.
func (r *reader) add(kind uint64, parts ...uint64) {
	h := mix(kind)
	for _, p := range parts {
		h = mix(h ^ p)
	}
	r.features = append(r.features, h)
}

// class is how many of n things there are: none, some, all, or nothing to count.
func class(some, n int) uint64 {
	switch {
	case n == 0:
		return 3
	case some == 0:
		return 0
	case some < n:
		return 1
	}
	return 2
}

func one(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// number is a whole number; 0 for anything else.
func number(value []byte) uint64 {
	n := uint64(0)
	for _, c := range value {
		if c < '0' || c > '9' || n > 1<<32 {
			return 0
		}
		n = 10*n + uint64(c-'0')
	}
	return n
}
