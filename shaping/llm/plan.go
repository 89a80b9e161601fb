package llm

import "marlpit/shaping"

// Planned is a request that a query would make.
type Planned struct {
	Key   string        // equal for what needn't be asked twice
	Usage shaping.Usage // what it is expected to take
}

// Plan lists the requests of one query, without making any: by
// log-probabilities, where that way of asking may use them and the model's
// name doesn't forbid it. Tokens are estimated from lengths: four bytes to a
// token, and a short answer.
func (c *Critic) Plan(q shaping.Question) []Planned {
	var calls []call
	first := !c.client.caps.noLogProbs.Load()
	for i, side := range sides {
		switch ask := c.client.cfg.Ask; {
		case ask == ModeScore:
			calls = append(calls, c.scoreCall(q, i))
		case ask == ModeAll:
			calls = append(calls, c.allCall(q, i))
		case ask != ModePair && first:
			calls = append(calls, firstTokenCall(q, side))
		case ask != ModePair && c.sampled():
			for sample := range c.client.cfg.Samples {
				calls = append(calls, c.sampleCall(q, side, sample))
			}
		default:
			calls = append(calls, c.pairCall(q, i))
		}
	}
	out := make([]Planned, len(calls))
	for i, in := range calls {
		if t := c.client.cfg.Temperature; t != nil {
			in.temperature = *t
		}
		out[i] = Planned{Key: c.client.replayKey(q, in), Usage: c.client.expect(in)}
	}
	return out
}
