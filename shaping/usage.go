package shaping

// Told is what one agent of a transition is told.
type Told struct {
	Agent    string // its name
	Forward  string // words of the transition first → second
	Backward string // words of the transition second → first
}

// Usage is what asking takes: expected before, or counted after.
type Usage struct {
	Requests         int
	PromptTokens     int
	CompletionTokens int
	Cost             float64 // money, in the currency of the critic's prices
}

// Tokens is the sum of both kinds.
func (u Usage) Tokens() int { return u.PromptTokens + u.CompletionTokens }

// Plus is the sum of two.
func (u Usage) Plus(v Usage) Usage {
	return Usage{u.Requests + v.Requests, u.PromptTokens + v.PromptTokens, u.CompletionTokens + v.CompletionTokens, u.Cost + v.Cost}
}

// Minus is the difference of two.
func (u Usage) Minus(v Usage) Usage {
	return Usage{u.Requests - v.Requests, u.PromptTokens - v.PromptTokens, u.CompletionTokens - v.CompletionTokens, u.Cost - v.Cost}
}
