package process

import "slices"

// act is what is read of a proposal.
type act struct {
	verb   uint64 // with its direction, and what it claims
	status bool
	index  int // of the element, or -1
	said   uint64
	wasted bool
}

// proposal reads one; the words it types are the reader's.
func (r *reader) proposal(p []byte) act {
	a := act{index: -1, wasted: true}
	r.typed = r.typed[:0]
	eachMember(p, func(name, value []byte) {
		switch string(name) {
		case "words":
			a.said = r.whole(value)
		case "action":
			a.wasted = len(value) == 0 || value[0] != '{'
			eachMember(value, func(name, value []byte) {
				switch string(name) {
				case "action_type", "direction", "goal_status":
					a.verb = mix(a.verb ^ r.whole(value))
					a.status = a.status || string(name) == "goal_status"
				case "index":
					a.index = int(number(value)) //nolint:gosec // bounded
				case "text", "app_name":
					r.typed = appendWords(r.typed, inner(value))
				}
			})
		}
	})
	return a
}

// of makes the features of proposal i. It is false for a wasted one.
func (r *reader) of(i int) bool {
	r.features = r.features[:0]
	a := r.proposal(r.proposals[i])
	if a.wasted {
		return false
	}
	var x element
	r.words = r.words[:0]
	if a.index >= 0 && a.index < len(r.elements) {
		x = r.element(r.elements[a.index])
	}
	place, typed := mix(r.app^mix(r.screen)), whole(r.typed)
	named := r.inGoal(r.words)
	fits, wrote := class(named, len(r.words)), class(r.inGoal(r.typed), len(r.typed))
	target := mix(x.role ^ mix(x.name^mix(typed*one(len(r.words) == 0)))) // of an action without an element: what it says
	best := one(named == r.best)

	r.add(0)
	r.add(1, a.verb)
	r.add(2, a.verb, x.role, x.flags)
	r.add(3, a.verb, place)
	r.add(4, a.verb, place, target)
	r.add(5, a.verb, target)
	r.add(6, a.verb, x.role, fits)
	r.add(7, a.verb, x.role, fits, best)
	r.add(8, a.verb, place, fits, best)
	r.add(9, a.verb, r.app, x.role, fits)
	r.add(10, a.verb, wrote, best)
	r.add(11, a.verb, place, wrote)
	r.add(12, a.verb, one(x.valued), one(x.valued && x.value == typed), wrote)
	r.add(13, a.verb, min(r.turn, 8))
	r.add(14, a.verb, r.lastVerb, x.role)
	r.add(15, a.verb, target, r.last)
	r.add(16, a.verb, r.last)
	r.add(17, a.verb, one(a.said == r.last), x.role)
	r.add(18, a.verb, one(slices.Contains(r.history, a.said)), one(a.said == r.last))
	r.add(19, a.verb, r.done, r.filled, r.empty)
	r.add(20, a.verb, target, r.filled, r.empty)
	r.add(21, a.verb, target, r.done)
	r.add(22, a.verb, class(r.onScreen(r.typed), len(r.typed)), wrote)
	r.add(23, a.verb, one(typed == r.app))
	r.labelled(&a)
	for _, w := range r.words {
		r.add(24, a.verb, w)
		r.add(25, a.verb, w, one(slices.Contains(r.goal, w)), place)
	}
	for _, g := range r.goal {
		r.add(26, g, a.verb, target)
		r.add(27, g, a.verb, place)
		if a.status {
			r.add(28, g, r.last)
		}
	}
	return true
}

// labelled adds what stands before the typed text in the goal, beside what its
// field is called.
func (r *reader) labelled(a *act) {
	if len(r.typed) == 0 {
		return
	}
	for at, g := range r.goal {
		if g != r.typed[0] || at == 0 {
			continue
		}
		before := r.goal[at-1]
		r.add(30, a.verb, one(slices.Contains(r.words, before)))
		for _, w := range r.words {
			r.add(31, w, before)
		}
		if at > 1 {
			r.add(32, a.verb, one(slices.Contains(r.words, r.goal[at-2])))
		}
		return
	}
}

func (r *reader) onScreen(words []uint64) int {
	n := 0
	for _, w := range words {
		n += int(one(slices.Contains(r.seen, w))) //nolint:gosec // 0 or 1
	}
	return n
}
