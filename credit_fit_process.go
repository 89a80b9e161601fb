package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"marlpit/envs"
	"marlpit/envs/catalog"
	"marlpit/shaping/process"
)

// fitProcessCmd is `marlpit fit-process`.
type fitProcessCmd struct {
	DB     string `name:"db" required:"" type:"path" placeholder:"FILE" help:"File of scores, as 'marlpit score' makes it."`
	Out    string `required:"" type:"path" placeholder:"FILE" help:"Where the scorer goes."`
	Critic string `placeholder:"NAME" help:"Whose scores: a part of the critic's name, where there are several."`
	Seed   uint64 `help:"Seed of fitting." default:"0"`
	Name   string `help:"Name of the scorer; the file's by default."`
	JSON   bool   `name:"json" help:"Print the result as JSON."`
}

// Help says what the command does.
func (fitProcessCmd) Help() string {
	return `Fits a scorer to the scores that a critic gave to recorded rounds: a logistic
regression on hashed words of goal, screen, history and proposal, which waits for
nobody. How such scorers do on goals and on templates that were held out is printed,
and stored in the file; the one that is written was fitted to all scores.

  marlpit fit-process --db scores.db --out phone.process
  marlpit serve --process phone.process   # reward={"scheme": "process", "model": "phone"}`
}

// fittedProcess is what is printed.
type fittedProcess struct {
	File     string `json:"file"`
	Replaced bool   `json:"replaced"` // a file that stood there
	process.Header
}

// Run fits.
func (c *fitProcessCmd) Run(stdout io.Writer) error {
	return parentFlag{}.until(func(ctx context.Context) error { return c.run(ctx, catalog.All(), stdout) })
}

func (c *fitProcessCmd) run(ctx context.Context, registry envs.Registry, stdout io.Writer) (err error) {
	replaced, err := outPlace(c.Out, c.DB)
	if err != nil {
		return err
	}
	db, err := process.Open(ctx, c.DB)
	if err != nil {
		return badCall(err)
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	model, err := process.FitModel(ctx, db, process.ModelOptions{Critic: c.Critic, Name: modelName(c.Name, c.Out), Seed: c.Seed, CreatedBy: "marlpit " + version,
		ObsVersion: func(world string) (int, error) {
			e, err := roundsWorld(registry, world, nil)
			if err != nil {
				return 0, fmt.Errorf("%w (%s holds scores of rounds of %.60q)", err, c.DB, world)
			}
			return e.Spec().ObsVersion, nil
		}})
	if errors.Is(err, process.ErrCritic) || errors.Is(err, process.ErrModel) {
		return badCall(err)
	}
	if err != nil {
		return err
	}
	if err := writeWhole(c.Out, model.Save); err != nil {
		return err
	}
	if c.JSON {
		return printJSON(stdout, fittedProcess{c.Out, replaced, model.Header})
	}
	return printProcess(stdout, writtenTo(c.Out, replaced), &model.Header)
}

func printProcess(out io.Writer, written string, h *process.Header) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n%d proposals of %d rounds of %s\n\n", h.Critic, h.Proposals, h.Rounds, h.World)
	w := tabwriter.NewWriter(&b, 2, 4, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "held out\tproposals\terror\tof a constant\tcalibration error\ton right\ton wrong\t")
	for _, x := range h.HeldOut {
		right, wrong := "-", "-"
		if k := x.Known; k != nil {
			right, wrong = heldOutShare(k.Right), heldOutShare(k.Wrong)
		}
		fmt.Fprintf(w, "%ss\t%d\t%.3f\t%.3f\t%.3f\t%s\t%s\t\n", x.By, x.Proposals, x.Error, x.Constant, x.Calibration, right, wrong)
	}
	_ = w.Flush() // into memory
	_, err := fmt.Fprintf(out, "%s\nerrors are mean squares against the critic's scores; right and wrong by the tasks' own solutions, in %% with 95 %% intervals\n\n%s\n", b.String(), written)
	return err
}

// heldOutShare is a share in per cent with its interval; of nothing it is "-".
func heldOutShare(s process.Share) string {
	if s.Of == 0 {
		return "-"
	}
	return interval(100*s.Rate(), 100*s.Low, 100*s.High, "%.0f")
}
