package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"marlpit/shaping"
	"marlpit/shaping/votes"
)

// labelCmd is `marlpit label`.
type labelCmd struct {
	DB          string      `name:"db" required:"" type:"path" placeholder:"FILE" help:"File of 'marlpit collect'."`
	Critic      criticFlags `embed:""`
	Model       string      `help:"openai: the model's name at the endpoint." env:"MARLPIT_MODEL"`
	Queries     int         `help:"Votes wanted of each transition and agent." default:"1"`
	Shared      bool        `help:"Ask about the team as a whole in place of each agent."`
	Concurrency int         `help:"Questions under way at once." default:"4"`
	Budget      int         `name:"budget-requests" help:"Requests to send at most; 0: any number." default:"0"`
	DryRun      bool        `help:"Count what would be asked, and ask nobody."`
	ShowPrompt  bool        `help:"Print one prompt, and ask nobody."`
	JSON        bool        `name:"json" help:"Print the result as JSON."`
}

// Help says what the command does.
func (labelCmd) Help() string {
	return `Has a critic say, of each transition and agent, whether it helped. Every answer
is on disk before it counts: an interrupted run goes on where it was when called
again, and asks only what is missing. One query is both orders or both
directions; a contradiction is a tie.

  marlpit label --db votes.db --critic openai --base-url http://localhost:11434/v1 --model NAME --queries 5
  marlpit label --db votes.db --critic oracle --error-rate 0.25 --queries 3`
}

// labelled is what is printed.
type labelled struct {
	votes.Report
	Requests int `json:"requests"` // sent by this run
}

// planned is what a dry run prints.
type planned struct {
	Annotator     string `json:"annotator"`
	Wanted        int    `json:"wanted"`
	Before        int    `json:"before"`
	Unasked       int    `json:"unasked"`
	RequestsLeast int    `json:"requests_least"`
	RequestsMost  int    `json:"requests_most"`
}

// Run labels.
func (c *labelCmd) Run(stdout io.Writer) error {
	ctx, stop, done := interruptible(os.Stderr)
	defer done()
	return c.run(ctx, stop, stdout, os.Stderr)
}

func (c *labelCmd) run(ctx context.Context, stop <-chan struct{}, stdout, stderr io.Writer) (err error) {
	if c.Queries < 1 || c.Concurrency < 1 || c.Budget < 0 {
		return badCall(errors.New("--queries and --concurrency are at least 1, --budget-requests at least 0"))
	}
	db, err := votes.Open(ctx, c.DB)
	if err != nil {
		return badCall(err)
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	budget := votes.NewBudget(votes.Limits{Requests: c.Budget})
	critic, err := c.Critic.build(c.Model, db, budget)
	if err != nil {
		return err
	}
	opt := votes.LabelOptions{View: c.Critic.Viewpoint, Queries: c.Queries, Team: c.Shared, Concurrency: c.Concurrency, Stop: stop}
	switch {
	case c.ShowPrompt:
		return c.show(ctx, db, critic, stdout)
	case c.DryRun:
		return c.plan(ctx, db, critic, opt, stdout)
	}
	if err := c.Critic.notePrompts(ctx, db); err != nil {
		return err
	}
	bar := newProgress(stderr)
	opt.Progress = bar.show
	report, err := db.Label(ctx, critic, opt)
	bar.end()
	if printErr := c.print(stdout, labelled{report, budget.Used().Requests}); printErr != nil {
		return printErr
	}
	switch {
	case err != nil:
		return err
	case report.Stopped == "stopped":
		return fmt.Errorf("stopped: %d votes remain; the same call goes on", report.Unasked)
	case report.Failed > 0:
		return fmt.Errorf("%d questions got no answer, the last because: %s; the same call asks them again", report.Failed, report.LastError)
	}
	return nil
}

func (c *labelCmd) print(w io.Writer, l labelled) error {
	if c.JSON {
		return printJSON(w, l)
	}
	_, err := fmt.Fprintf(w, `annotator  %s
votes      %d wanted, %d there before, %d asked now, %d remain
asked      %d valid (%d of them ties, %d contradicting themselves), %d invalid, %d without an answer
requests   %d
`, l.Annotator, l.Wanted, l.Before, l.Asked, l.Unasked, l.Valid, l.Tie, l.Flipped, l.Invalid, l.Failed, l.Requests)
	if err == nil && l.Stopped != "" {
		_, err = fmt.Fprintf(w, "stopped    %s; the same call goes on with the %d that remain\n", l.Stopped, l.Unasked)
	}
	return err
}

// show prints one prompt.
func (c *labelCmd) show(ctx context.Context, db *votes.DB, critic shaping.Critic, stdout io.Writer) error {
	q, err := db.FirstQuestion(ctx, c.Critic.Viewpoint, c.Shared)
	if err != nil {
		return err
	}
	text := fmt.Sprintf("--- words of the transition\n%s\n--- words of its reverse\n%s\n--- %s reads the exact credit, not the words\n", q.Forward, q.Backward, critic.Name())
	if s, ok := critic.(interface {
		Show(shaping.Question) string
	}); ok {
		text = s.Show(q)
	}
	_, err = io.WriteString(stdout, text)
	return err
}

// plan prints what would be asked.
func (c *labelCmd) plan(ctx context.Context, db *votes.DB, critic shaping.Critic, opt votes.LabelOptions, stdout io.Writer) error {
	r, err := db.Plan(ctx, votes.Name(critic, c.Critic.Viewpoint), opt)
	if err != nil {
		return err
	}
	p := planned{Annotator: r.Annotator, Wanted: r.Wanted, Before: r.Before, Unasked: r.Unasked}
	if c.JSON {
		return printJSON(stdout, p)
	}
	_, err = fmt.Fprintf(stdout, "annotator  %s\nvotes      %d wanted, %d there before, %d to ask\nrequests   %d to %d, fewer where replies are stored already; further tries come on top\n",
		p.Annotator, p.Wanted, p.Before, p.Unasked, p.RequestsLeast, p.RequestsMost)
	return err
}
