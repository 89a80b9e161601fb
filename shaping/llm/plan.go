package llm

import "marlpit/shaping"

// Planned is a request that a query would make.
type Planned struct {
	Key   string        // equal for what needn't be asked twice
	Usage shaping.Usage // what it is expected to take
}

// Plan lists the requests of one query, without making any: by
// log-probabilities, where that way of asking may use them and nothing says
// that they can't be had. Tokens are estimated from lengths: four bytes to a
// token, and a short answer.
func (c *Critic) Plan(q shaping.Question) []Planned {
	calls := c.calls(q)
	out := make([]Planned, len(calls))
	for i, in := range calls {
		out[i] = Planned{Key: c.client.replayKey(q, in), Usage: c.client.expect(in)}
	}
	return out
}

// calls are those of one query, as far as is known before it is asked.
func (c *Critic) calls(q shaping.Question) []call {
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
	if t := c.client.cfg.Temperature; t != nil {
		for i := range calls {
			calls[i].temperature = *t
		}
	}
	return calls
}
