package shaping

import "context"

// Vote is a critic's verdict on an ordered pair of states (first, second), or
// on the transition from first to second.
type Vote string

// The votes. Invalid is an answer that could not be read: it is counted and
// never trained as Tie.
const (
	First   Vote = "first"
	Second  Vote = "second"
	Tie     Vote = "tie"
	Invalid Vote = "invalid"
)

// Question asks how one agent's situation changed. Texts are complete: a
// critic needs nothing else.
type Question struct {
	Forward  string  // words of the transition first → second
	Backward string  // words of the transition second → first
	Family   string  // of situations it belongs to (envs.Classifier); "" where unknown
	Truth    float64 // exact credit of the agent's move, for simulated critics only; NaN where unknown
	Query    int     // number of this query on this pair and agent, from 0: independent draws differ in it
	Key      uint64  // identifies pair and agent, for seeded noise
	Pair     uint64  // identifies the pair alone: the same for all agents of a transition
	Agent    string  // the agent's name; "" where unknown
	Team     []Told  // what each agent of the transition is told, in order, this one included; for critics that are asked about all at once
}

// Answer is what a critic said, with all there is to check it by.
type Answer struct {
	Vote       Vote
	Confidence float64 // that second is the better, in [0,1]: 0.5 for a tie; meaningless where Invalid
	Flipped    bool    // the two orders disagreed (then the vote is Tie)
	Requests   []Request
	Reason     string // of an invalid vote: what was wrong; else empty
}

// Request is one exchange with a model, kept word by word.
type Request struct {
	Key              string // it is kept under; "" where its critic keeps nothing
	Prompt           string // hash of the prompt's text
	Body             []byte // as sent
	Reply            []byte // as received
	Status           int    // HTTP status, 0 when there was none
	PromptTokens     int
	CompletionTokens int
	Cost             float64 // money, by the critic's prices at that time
	Currency         string  // of Cost; "" where no price is known
}

// Critic judges. Ask may block, is called from several goroutines at once, and
// honours ctx. An error means that no verdict could be had (and none is
// recorded); an unreadable verdict is an Answer with Vote Invalid.
type Critic interface {
	Name() string // recorded with each vote: kind, model, options
	Ask(ctx context.Context, q Question) (Answer, error)
}
