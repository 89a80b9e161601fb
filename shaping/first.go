package shaping

import "context"

// AlwaysFirst is the critic with nothing but position bias: whatever is shown
// first, it prefers. Asked in both orders it contradicts itself, so every vote
// is a flipped tie and a model fitted to it stays flat.
type AlwaysFirst struct{}

// Name is "first".
func (AlwaysFirst) Name() string { return "first" }

// Ask prefers the first state in either order, and so says nothing.
func (AlwaysFirst) Ask(ctx context.Context, _ Question) (Answer, error) {
	if err := ctx.Err(); err != nil {
		return Answer{}, err
	}
	return BothOrders(First, First), nil
}

// BothOrders joins the verdicts of one query in its two orders: shown (first,
// second), and shown exchanged, where First means the one shown first. Two
// verdicts for one state are that vote, two ties a tie; contradicting ones are
// a tie that is marked Flipped. One tie beside one verdict is a tie. Where
// either could not be read, the vote is Invalid.
func BothOrders(shown, exchanged Vote) Answer {
	switch {
	case !readable(shown) || !readable(exchanged):
		return Answer{Vote: Invalid, Reason: "a verdict could not be read"}
	case shown == Tie || exchanged == Tie:
		return Answer{Vote: Tie, Confidence: 0.5}
	case shown == exchanged:
		return Answer{Vote: Tie, Confidence: 0.5, Flipped: true}
	}
	return sure(shown == Second)
}

func readable(v Vote) bool { return v == First || v == Second || v == Tie }
