package llm

import (
	"context"
	"encoding/json"
	"fmt"

	"marlpit/shaping"
	"marlpit/shaping/process"
)

// AdversaryName is what its actions are said to be by.
func (c *Rounds) AdversaryName() string { return c.name(promptWrong) }

// Wrong asks the model for an action that looks right in a round and is wrong,
// for one agent. Whether it is, is for the world to say. why is the reason for
// which an answer couldn't be used; it was asked for twice then.
func (c *Rounds) Wrong(ctx context.Context, r *process.Record, agent string) (a process.Adversarial, requests []shaping.Request, why string, err error) {
	requests, why, err = c.twice(ctx, r, func(wrong string) call {
		in := call{prompt: promptWrong, maxTokens: c.client.cfg.MaxTokens}
		in.system, in.user = promptWrong.render(map[string]string{"Round": shownRound(r, false), "Agent": agent, "Wrong": wrong})
		return in
	}, func(got reply) (why string) {
		a, why = readWrong(got)
		return why
	})
	a.Agent, a.By = agent, c.AdversaryName()
	return a, requests, why, err
}

// readWrong reads an object with an action, itself one, and a reason.
func readWrong(r reply) (a process.Adversarial, why string) {
	object, why := findObject(r)
	if why != "" {
		return a, why
	}
	for k := range object {
		if k != "action" && k != "reason" {
			return a, fmt.Sprintf("%.40q was not asked for", k)
		}
	}
	var action map[string]json.RawMessage
	if json.Unmarshal(object["action"], &action) != nil || len(action) == 0 {
		return a, "no action, which is a JSON object"
	}
	if json.Unmarshal(object["reason"], &a.Reason) != nil || a.Reason == "" {
		return a, "no reason in words"
	}
	a.Action, a.Reason = object["action"], clipped(a.Reason, longestReason)
	return a, ""
}
