package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"

	"marlpit/envs"
	"marlpit/envs/catalog"
	"marlpit/shaping/study/report"
)

// reportCmd is `marlpit report`.
type reportCmd struct {
	File      string `arg:"" placeholder:"FILE" help:"File with votes, or of a fitted model."`
	Model     string `type:"path" env:"-" placeholder:"FILE" help:"Model to tell of beside the votes."`
	Annotator string `placeholder:"NAME" help:"Tell of this annotator only: the name that label prints, or a part of it."`
	Worst     int    `help:"Disagreements of each kind to show." default:"8"`
	Out       string `required:"" type:"path" placeholder:"FILE" help:"HTML page to write."`
	JSON      bool   `name:"json" help:"Print what was written as JSON."`
}

// Help says what the command does.
func (reportCmd) Help() string {
	return `Writes one HTML page about a vote file, a fitted model or both, to be read in any
browser without network or script: who was right how often and where, what it
cost, how well the model does, the learned potential as maps, and the worst
disagreements with their pictures and words.

  marlpit report votes.db --model two-switch.credit --out report.html
  marlpit report two-switch.credit --out model.html`
}

// reported is what is printed.
type reported struct {
	File     string `json:"file"`
	Replaced bool   `json:"replaced"` // a file that stood there
	Bytes    int    `json:"bytes"`
	report.Summary
}

// Run writes the page.
func (c *reportCmd) Run(stdout io.Writer) error {
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt)
	defer cancel()
	return c.run(ctx, catalog.All(), stdout)
}

func (c *reportCmd) run(ctx context.Context, registry envs.Registry, stdout io.Writer) error {
	opt, err := c.options()
	if err != nil {
		return badCall(err)
	}
	replaces, err := outPlace(c.Out, c.File, c.Model)
	if err != nil {
		return err
	}
	opt.Registry, opt.CreatedBy = registry, "marlpit "+version
	var page bytes.Buffer
	summary, err := report.Write(ctx, &page, opt)
	if errors.Is(err, report.ErrInput) {
		return badCall(err)
	}
	if err != nil {
		return err
	}
	if err := writeWhole(c.Out, func(w io.Writer) error { _, err := w.Write(page.Bytes()); return err }); err != nil {
		return err
	}
	if c.JSON {
		return printJSON(stdout, reported{c.Out, replaces, page.Len(), summary})
	}
	for _, note := range summary.Notes {
		if _, err := fmt.Fprintln(stdout, note); err != nil {
			return err
		}
	}
	_, err = fmt.Fprintf(stdout, "%s (%d kB)\n", writtenTo(c.Out, replaces), (page.Len()+999)/1000)
	return err
}

// options tells votes from models.
func (c *reportCmd) options() (report.Options, error) {
	opt := report.Options{Model: c.Model, Annotator: c.Annotator, Worst: c.Worst}
	if c.Worst < 1 || c.Worst > 100 {
		return opt, fmt.Errorf("--worst is 1 to 100, got %d", c.Worst)
	}
	kind, err := report.Sniff(c.File)
	if err != nil {
		return opt, err
	}
	if kind == "votes" {
		opt.Votes = c.File
		return opt, nil
	}
	if c.Model != "" {
		return opt, fmt.Errorf("%s is a model: a vote file is wanted beside --model", c.File)
	}
	opt.Model = c.File
	return opt, nil
}
