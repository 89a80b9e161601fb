package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"marlpit/shaping"
	"marlpit/shaping/prefer"
	"marlpit/shaping/study"
	"marlpit/shaping/votes"
)

// fitCmd is `marlpit fit`.
type fitCmd struct {
	DB           string     `name:"db" required:"" type:"path" placeholder:"FILE" help:"File with votes."`
	Out          string     `required:"" type:"path" placeholder:"FILE" help:"Model file to write."`
	Annotator    string     `placeholder:"NAME" help:"Whose votes: the name that label prints, or a part of it. Not needed where only one has voted."`
	Input        string     `help:"What each agent's model reads: state (the whole world), focus (its own view), auto (whichever does better on held-out votes)." enum:"auto,state,focus" default:"auto"`
	Shared       bool       `help:"Fit one model to the questions about the team ('label --shared')."`
	SharedLabels bool       `help:"Fit a model of its own view for each agent to the questions about the team ('label --shared'): their sum explains the votes."`
	Ensemble     int        `help:"Models fitted for each agent, with seeds and pairs of their own; one is distilled from them." default:"3"`
	Weigh        string     `help:"How much a pair counts: equal, votes (as many votes as it has), confidence (votes, times their distance from an even split)." enum:"equal,votes,confidence" default:"equal"`
	Queries      int        `help:"Votes of each question to count; 0: all." default:"0"`
	Graded       bool       `help:"Take the mean of the votes' own confidences in place of counting votes; for critics asked by F-R."`
	Seed         uint64     `help:"Seed of fitting." default:"0"`
	Name         string     `help:"Name of the model; the file's by default."`
	JSON         bool       `name:"json" help:"Print the result as JSON."`
	Parent       parentFlag `embed:""`
}

// Help says what the command does.
func (fitCmd) Help() string {
	return `Fits each agent's scoring model to a critic's votes (Bradley-Terry, soft labels).
One pair in five is held out; how often the model agrees with the votes on
those, and with the exact credit where it is known, is printed, and stored in
the file beside world, critic, seeds and the frames of collection.

  marlpit fit --db votes.db --out two-switch.credit`
}

// fitted is what is printed.
type fitted struct {
	File     string `json:"file"`
	Replaced bool   `json:"replaced"` // a file that stood there
	study.FitReport
}

// Run fits.
func (c *fitCmd) Run(stdout io.Writer) error {
	return c.Parent.until(func(ctx context.Context) error { return c.run(ctx, stdout) })
}

func (c *fitCmd) run(ctx context.Context, stdout io.Writer) (err error) {
	if c.Shared && c.Input == string(shaping.Focus) {
		return badCall(errors.New("--shared reads the state: one model for all has no view of its own"))
	}
	switch {
	case c.Shared && c.SharedLabels:
		return badCall(errors.New("--shared and --shared-labels are two kinds of models: give one"))
	case c.SharedLabels && c.Input == string(shaping.State):
		return badCall(errors.New("--shared-labels reads the agents' own views: --input is auto or focus"))
	case c.Ensemble < 1 || c.Ensemble > prefer.MaxMembers:
		return badCall(fmt.Errorf("--ensemble is 1 to %d, got %d", prefer.MaxMembers, c.Ensemble))
	}
	if c.Queries < 0 {
		return badCall(errors.New("--queries is at least 0"))
	}
	replaces, err := outPlace(c.Out, c.DB)
	if err != nil {
		return err
	}
	db, err := votes.Open(ctx, c.DB)
	if err != nil {
		return badCall(err)
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	model, report, err := study.Fit(ctx, db, study.FitOptions{
		Annotator: c.Annotator, Shared: c.Shared, SharedLabels: c.SharedLabels, Input: shaping.Input(c.Input), Queries: c.Queries,
		Graded: c.Graded, Weighing: prefer.Weighing(c.Weigh), Members: c.Ensemble, Seed: c.Seed, Name: modelName(c.Name, c.Out), CreatedBy: "marlpit " + version,
	})
	if errors.Is(err, votes.ErrAnnotator) {
		return badCall(err)
	}
	if err != nil {
		return err
	}
	if err := writeWhole(c.Out, model.Save); err != nil {
		return err
	}
	if c.JSON {
		return printJSON(stdout, fitted{c.Out, replaces, report})
	}
	return printFit(stdout, writtenTo(c.Out, replaces), report)
}
