package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"unicode"

	"marlpit/shaping"
	"marlpit/shaping/votes"
)

// Bounds on what a slip of the keyboard can take of memory: every vote that is
// wanted, and every worker, has its place there.
const (
	mostQueries = 1000
	mostWorkers = 1024
)

// labelCmd is `marlpit label`.
type labelCmd struct {
	DB          string      `name:"db" required:"" type:"path" placeholder:"FILE" help:"File of 'marlpit collect'."`
	Critic      criticFlags `embed:""`
	Model       string      `help:"openai: the model's name at the endpoint." env:"MARLPIT_MODEL"`
	Queries     int         `help:"Votes wanted of each transition and agent." default:"1"`
	Shared      bool        `help:"Ask about the team as a whole in place of each agent."`
	Concurrency int         `help:"Questions under way at once." default:"4"`
	Budget      budgetFlags `embed:""`
	Batch       batchFlags  `embed:""`
	DryRun      bool        `help:"Estimate requests, tokens and cost, and ask nobody."`
	ShowPrompt  bool        `help:"Print one prompt, and ask nobody."`
	JSON        bool        `name:"json" help:"Print the result as JSON."`
	Parent      parentFlag  `embed:""`
}

// Help says what the command does.
func (labelCmd) Help() string {
	return `Has a critic say, of each transition and agent, whether it helped. Every answer
is on disk before it counts: an interrupted run goes on where it was when called
again, and asks only what is missing. One query is both orders or both
directions; a contradiction is a tie. Equal words are paid for once.

  marlpit label --db votes.db --base-url http://localhost:11434/v1 --model NAME --queries 5
  marlpit label --db votes.db --critics critics.toml --critic NAME --budget-cost 2.50
  marlpit label --db votes.db --critic oracle --error-rate 0.25 --queries 3
  marlpit label --db votes.db --model NAME --export-batch ask.jsonl
  marlpit label --db votes.db --model NAME --import-batch told.jsonl`
}

// labelled is what is printed.
type labelled struct {
	votes.Report
	Requests         int       `json:"requests"` // sent by this run, further tries included
	PromptTokens     int       `json:"prompt_tokens"`
	CompletionTokens int       `json:"completion_tokens"`
	Cost             float64   `json:"cost"`
	Currency         string    `json:"currency,omitempty"`
	BudgetLeft       string    `json:"budget_left,omitempty"`
	Rest             *estimate `json:"rest,omitempty"` // what the questions that remain are expected to take
	Notes            []string  `json:"notes,omitempty"`
}

// Run labels.
func (c *labelCmd) Run(stdout io.Writer) error {
	ctx, stop, done := interruptible(os.Stderr, c.Parent.stdin())
	defer done()
	return c.run(ctx, stop, stdout, os.Stderr)
}

func (c *labelCmd) run(ctx context.Context, stop <-chan struct{}, stdout, stderr io.Writer) (err error) {
	if c.Queries < 1 || c.Queries > mostQueries || c.Concurrency < 1 || c.Concurrency > mostWorkers {
		return badCall(fmt.Errorf("--queries is 1 to %d, --concurrency 1 to %d, got %d and %d", mostQueries, mostWorkers, c.Queries, c.Concurrency))
	}
	if err := c.Batch.check(); err != nil {
		return err
	}
	db, err := votes.Open(ctx, c.DB)
	if err != nil {
		return badCall(err)
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	if _, err := db.World(ctx); err != nil { // an empty one would pass for labelled
		return badCall(err)
	}
	c.Critic.Silent = c.DryRun || c.ShowPrompt
	c.Critic.Offline = c.Critic.Offline || c.Batch.used()
	critic, err := c.Critic.build(c.Model, c.Budget, db, stop)
	if err != nil {
		return err
	}
	if err := critic.compare(ctx, db, stderr); err != nil {
		return err
	}
	opt := votes.LabelOptions{View: c.Critic.Viewpoint, Queries: c.Queries, Team: c.Shared, Concurrency: c.Concurrency, Stop: stop}
	switch {
	case c.ShowPrompt:
		return c.show(ctx, db, critic, stdout)
	case c.DryRun:
		return c.plan(ctx, db, critic, opt, stdout)
	}
	if err := critic.note(ctx, db); err != nil {
		return err
	}
	if c.Batch.used() {
		return c.batch(ctx, db, critic, opt, stdout, stderr)
	}
	if err := c.warnOfBatches(ctx, db, critic, stderr); err != nil {
		return err
	}
	bar := newProgress(stderr)
	bar.spent, critic.tell = critic.spent, bar.tell
	opt.Progress = bar.show
	report, err := db.Label(ctx, critic.Critic, opt)
	bar.end()
	if report.Wanted == 0 && err != nil {
		return err // it never began
	}
	if notes := critic.notes(); len(notes) > 0 && err == nil { // for whoever reads the votes later
		if err := db.SetMeta(ctx, "notes: "+report.Annotator, strings.Join(notes, "\n")); err != nil {
			return err
		}
	}
	if printErr := c.print(ctx, db, critic, opt, stdout, report); printErr != nil {
		return errors.Join(err, printErr)
	}
	switch {
	case ctx.Err() != nil:
		return fmt.Errorf("broken off: %d votes remain; the same call goes on, and asks again what was under way", report.Unasked)
	case err != nil:
		return err
	case report.Stopped == "stopped":
		return fmt.Errorf("stopped: %d votes remain; the same call goes on", report.Unasked)
	case report.Failed > 0:
		return fmt.Errorf("%d questions got no answer, the last because: %s; the same call asks them again", report.Failed, report.LastError)
	}
	return nil
}

func (c *labelCmd) print(ctx context.Context, db *votes.DB, critic *asked, opt votes.LabelOptions, w io.Writer, r votes.Report) error {
	used := critic.budget.Used()
	l := labelled{Report: r, Requests: used.Requests, PromptTokens: used.PromptTokens, CompletionTokens: used.CompletionTokens,
		Cost: used.Cost, Currency: critic.config.Currency, BudgetLeft: critic.budget.Left(), Notes: critic.notes()}
	if r.Unasked > 0 && ctx.Err() == nil && !c.Critic.Offline {
		rest, err := critic.estimate(ctx, db, opt)
		if err != nil && ctx.Err() == nil { // else it was broken off, and what was done is told without
			return err
		}
		l.Rest = rest
	}
	if c.JSON {
		return printJSON(w, l)
	}
	var b strings.Builder
	fmt.Fprintf(&b, `annotator  %s
votes      %d wanted, %d there before, %d asked now, %d remain
asked      %d valid (%d of them ties, %d contradicting themselves), %d invalid, %d without an answer
requests   %d sent%s
`, l.Annotator, l.Wanted, l.Before, l.Asked, l.Unasked, l.Valid, l.Tie, l.Flipped, l.Invalid, l.Failed,
		l.Requests, took(used.PromptTokens, used.CompletionTokens, used.Cost, l.Currency))
	for _, note := range l.Notes {
		fmt.Fprintf(&b, "note       %s\n", note)
	}
	if l.BudgetLeft != "" {
		fmt.Fprintf(&b, "budget     %s left\n", l.BudgetLeft)
	}
	if l.Rest != nil && l.Rest.Requests > 0 {
		fmt.Fprintf(&b, "the rest   is expected to take %d requests%s\n", l.Rest.Requests,
			took(l.Rest.PromptTokens, l.Rest.CompletionTokens, l.Rest.Cost, l.Currency))
	}
	if l.Stopped != "" {
		fmt.Fprintf(&b, "stopped    %s; the same call goes on with the %d that remain\n", l.Stopped, l.Unasked)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// show prints one prompt.
func (c *labelCmd) show(ctx context.Context, db *votes.DB, critic *asked, stdout io.Writer) error {
	q, err := db.FirstQuestion(ctx, c.Critic.Viewpoint, c.Shared)
	if err != nil {
		return err
	}
	text := fmt.Sprintf("--- words of the transition\n%s\n--- words of its reverse\n%s\n--- %s puts no prompt to a model\n", q.Forward, q.Backward, critic.Name())
	if s, ok := critic.Critic.(interface {
		Show(shaping.Question) string
	}); ok {
		text = s.Show(q)
	}
	// Words can be anybody's, and a terminal obeys some characters.
	_, err = io.WriteString(stdout, strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\t' {
			return unicode.ReplacementChar
		}
		return r
	}, text))
	return err
}
