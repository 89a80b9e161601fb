package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"marlpit/shaping"
	"marlpit/shaping/llm"
	"marlpit/shaping/votes"
)

// estimate is what open questions are expected to take.
type estimate struct {
	Requests         int     `json:"requests"` // different ones, without those whose replies are stored
	PromptTokens     int     `json:"prompt_tokens"`
	CompletionTokens int     `json:"completion_tokens"`
	Cost             float64 `json:"cost"`
	Stored           int     `json:"stored"` // requests answered from the file
}

// planned is what a dry run prints.
type planned struct {
	Annotator string `json:"annotator"`
	Wanted    int    `json:"wanted"`
	Before    int    `json:"before"`
	Unasked   int    `json:"unasked"`
	estimate
	Currency string   `json:"currency,omitempty"`
	How      string   `json:"how,omitempty"` // the numbers were come by
	Notes    []string `json:"notes,omitempty"`
}

const howEstimated = `requests are the different ones (equal words at temperature 0 are asked once), each direction or order counted;
tokens are estimated: one for every four bytes of a prompt and a few for its form, an answer of 4 by log-probabilities and 16 in writing;
models that reason write many times that, further tries come on top`

// estimate counts the different requests of the questions that are open.
func (a *asked) estimate(ctx context.Context, db *votes.DB, opt votes.LabelOptions) (*estimate, error) {
	out := &estimate{}
	planner, ok := a.Critic.(interface {
		Plan(shaping.Question) []llm.Planned
	})
	if !ok {
		return out, nil
	}
	open, err := db.OpenQuestions(ctx, votes.Name(a.Critic, a.config.Viewpoint), opt)
	if err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	for _, q := range open {
		for _, p := range planner.Plan(q) {
			if seen[p.Key] {
				continue
			}
			seen[p.Key] = true
			stored, err := db.Recorder().Has(ctx, p.Key)
			if err != nil {
				return nil, err
			}
			if stored {
				out.Stored++
				continue
			}
			out.Requests++
			out.PromptTokens += p.Usage.PromptTokens
			out.CompletionTokens += p.Usage.CompletionTokens
			out.Cost += p.Usage.Cost
		}
	}
	return out, nil
}

// plan prints what would be asked.
func (c *labelCmd) plan(ctx context.Context, db *votes.DB, critic *asked, opt votes.LabelOptions, stdout io.Writer) error {
	r, err := db.Plan(ctx, votes.Name(critic.Critic, c.Critic.Viewpoint), opt)
	if err != nil {
		return err
	}
	p := planned{Annotator: r.Annotator, Wanted: r.Wanted, Before: r.Before, Unasked: r.Unasked, Currency: critic.config.Currency, Notes: critic.notes()}
	if critic.config.Kind == "openai" && !c.Critic.Offline {
		e, err := critic.estimate(ctx, db, opt)
		if err != nil {
			return err
		}
		p.estimate, p.How = *e, howEstimated
		if ask := critic.config.Ask; ask == string(llm.ModeFR) || ask == string(llm.ModeAuto) {
			p.How += fmt.Sprintf(";\nwhere the endpoint gives no log-probabilities, fr samples %d answers each way (up to %d requests), auto asks in pairs",
				critic.config.Samples, 2*critic.config.Samples*r.Unasked)
		}
	}
	if c.JSON {
		return printJSON(stdout, p)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "annotator  %s\nvotes      %d wanted, %d there before, %d to ask\nrequests   %d%s; %d more are answered from the file\n",
		p.Annotator, p.Wanted, p.Before, p.Unasked, p.Requests, took(p.PromptTokens, p.CompletionTokens, p.Cost, p.Currency), p.Stored)
	for _, note := range p.Notes {
		fmt.Fprintf(&b, "note       %s\n", note)
	}
	if p.How != "" {
		fmt.Fprintf(&b, "\n%s.\n", p.How)
	}
	_, err = io.WriteString(stdout, b.String())
	return err
}

// took puts tokens and money into words.
func took(prompt, completion int, cost float64, currency string) string {
	if prompt+completion == 0 {
		return ""
	}
	s := fmt.Sprintf(", %d tokens in and %d out", prompt, completion)
	if cost > 0 {
		s += fmt.Sprintf(", %.4g %s", cost, orMoney(currency))
	}
	return s
}

func orMoney(currency string) string {
	if currency == "" {
		return "in money"
	}
	return currency
}

// spent is what the progress shows of tokens and money.
func (a *asked) spent() string {
	u := a.budget.Used()
	if u.Requests == 0 {
		return ""
	}
	s := fmt.Sprintf("%d requests, %d tokens", u.Requests, u.Tokens())
	if u.Cost > 0 {
		s += fmt.Sprintf(", %.4g %s", u.Cost, orMoney(a.config.Currency))
	}
	return s
}
