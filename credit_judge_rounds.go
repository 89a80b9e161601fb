package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"marlpit/envs"
	"marlpit/shaping/process"
	"marlpit/shaping/study"
)

// roundJudgeFlags are those of critics of rounds.
type roundJudgeFlags struct {
	Rounds     string `type:"path" placeholder:"FILE" help:"Judge critics of rounds on these, as 'marlpit rounds' records them with what is right in them; or on steps recorded elsewhere, with answers."`
	Proposals  string `help:"With --env, of rounds: what the agents propose: random, solution or mixed (default): half right, a quarter random, a quarter known to be wrong." enum:"random,solution,mixed," default:""`
	BothOrders bool   `help:"Of rounds: ask about each a second time with the proposals in the opposite order, and tell what that changed."`
}

// judgedRounds is what is printed of one critic of rounds.
type judgedRounds struct {
	Env    string         `json:"env,omitempty"`
	Params map[string]any `json:"params,omitempty"`
	Source string         `json:"source"`         // of the rounds
	Name   string         `json:"name,omitempty"` // of the critic in the file of critics, where that isn't its kind
	study.RoundJudgement
	spent
}

// ofRounds says whether critics of rounds are judged: a recording is given, or
// the agents of the world talk.
func (c *judgeCmd) ofRounds(registry envs.Registry) (bool, error) {
	talks := c.Rounds != ""
	if c.Env != "" && !talks {
		_, err := roundsWorld(registry, c.Env, c.World.values())
		talks = err == nil // what else may be wrong is told where transitions are collected
	}
	if !talks && (c.Proposals != "" || c.BothOrders) {
		return false, badCall(errors.New("--proposals and --both-orders are of rounds: name --rounds, or an --env whose agents talk"))
	}
	return talks, nil
}

func (c *judgeCmd) checkRounds() error {
	switch {
	case len(c.Critic) == 0:
		return badCall(errors.New("name a --critic of rounds: openai, solution, random, or one of --critics"))
	case c.Bench != "" || c.Shared || c.Out != "" || c.Name != "" || c.Note != "" || c.Queries != 1:
		return badCall(errors.New("--bench, --shared, --queries, --out, --name and --note mean nothing for critics of rounds"))
	case c.Rounds != "" && (c.Env != "" || len(c.World.Param) > 0 || c.Proposals != "" || c.Seed != nil):
		return badCall(errors.New("--rounds are recorded: --env, --param, --proposals and --seed say how to record them"))
	case c.Transitions < 1 || c.Concurrency < 1:
		return badCall(errors.New("--transitions and --concurrency are at least 1"))
	}
	return nil
}

func (c *judgeCmd) runRounds(ctx context.Context, stop <-chan struct{}, registry envs.Registry, stdout, stderr io.Writer) (err error) {
	if err := c.checkRounds(); err != nil {
		return err
	}
	critics, err := c.critics()
	if err != nil {
		return err
	}
	records, about, err := c.rounds(ctx, registry)
	if err != nil {
		return err
	}
	db, cleanup, err := scoresFile(ctx, c.DB)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, cleanup()) }()
	var out []judgedRounds
	for _, config := range critics {
		j, err := c.judgeRounds(ctx, stop, db, config, records, stderr)
		if err != nil {
			return errors.Join(err, c.printRounds(stdout, out))
		}
		j.Env, j.Params, j.Source, j.Name = about.Env, about.Params, about.Source, config.OwnName()
		out = append(out, j)
	}
	return c.printRounds(stdout, out)
}

// rounds reads or samples what critics are judged on.
func (c *judgeCmd) rounds(ctx context.Context, registry envs.Registry) (records []*process.Record, about judgedRounds, err error) {
	if c.Rounds != "" {
		records, err = readRounds(c.Rounds)
		return records, judgedRounds{Source: c.Rounds}, err
	}
	e, err := roundsWorld(registry, c.Env, c.World.values())
	if err != nil {
		return nil, about, err
	}
	proposals := c.Proposals
	if proposals == "" {
		proposals = study.MixedProposals
	}
	_, err = study.SampleRounds(ctx, e, study.SampleOptions{Rounds: c.Transitions, Seed: c.seed(), Proposals: proposals}, func(r *process.Record) error {
		records = append(records, r)
		return nil
	})
	return records, judgedRounds{Env: c.Env, Params: e.Spec().Params, Source: fmt.Sprintf("%d rounds of seed %d, %s proposals", len(records), c.seed(), proposals)}, err
}

func (c *judgeCmd) judgeRounds(ctx context.Context, stop <-chan struct{}, db *process.DB, config study.CriticConfig, records []*process.Record, stderr io.Writer) (judgedRounds, error) {
	flags := roundCriticFlags{endpointFlags: endpointFlags{Offline: c.Offline}, Budget: c.Budget}
	tell := func(string) {}
	critic, err := flags.build(ctx, config, db, stop, func(what string) { tell(what) })
	if err != nil {
		return judgedRounds{}, err
	}
	bar, show := critic.progress(stderr)
	tell = bar.tell
	j, err := study.JudgeRounds(ctx, db, critic.Critic, records, c.BothOrders, process.RunOptions{Concurrency: c.Concurrency, Stop: stop, Progress: show})
	bar.end()
	return judgedRounds{RoundJudgement: j, spent: critic.spent()}, errors.Join(err, unscored(j.Report))
}

// printRounds writes what was judged: as JSON one object, or for several critics
// {"critics": […]}; else a table for each.
func (c *judgeCmd) printRounds(out io.Writer, js []judgedRounds) error {
	switch {
	case len(js) == 0:
		return nil
	case c.JSON:
		return printCritics(out, js)
	}
	if _, err := fmt.Fprintf(out, "%s, against the tasks' own solutions\n", strings.TrimSpace(js[0].Env+" "+js[0].Source)); err != nil {
		return err
	}
	for _, j := range js {
		name := j.Critic
		if j.Name != "" {
			name = j.Name + ": " + name
		}
		_, _ = fmt.Fprintf(out, "\n%s: %s\n%v\n", name, j.Verdict, j.spent) // Flush reports
		if j.Unasked > 0 {
			_, _ = fmt.Fprintf(out, "%d rounds have no answer%s\n", j.Unasked, because(j.Report))
		}
		if f := j.Flips; f != nil {
			_, _ = fmt.Fprintf(out, "in the opposite order something else was said of %d of %d proposals (%s)\n", f.Part, f.Of, study.Interval{Low: f.Low, High: f.High})
		}
		_, _ = fmt.Fprintln(out)
		w := tabwriter.NewWriter(out, 2, 4, 2, ' ', tabwriter.AlignRight)
		_, _ = fmt.Fprintln(w, "of\trounds\tinvalid\tproposals\tagreed\tundecided\tagreement\t95 %\ton right\t95 %\ton wrong\t95 %\tmean right\tmean wrong\tverdict\t")
		for i, list := range [][]study.RoundScore{j.Scores, j.Apps, j.Templates} {
			for _, s := range list {
				roundRow(w, []string{"", "app ", "template "}[i]+s.Of, s)
			}
		}
		if err := w.Flush(); err != nil {
			return err
		}
	}
	return nil
}

func roundRow(w io.Writer, name string, s study.RoundScore) {
	verdict := string(s.Verdict)
	if s.Verdict == study.Nothing {
		verdict = "–"
	}
	_, _ = fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t%d\t%s\t%s\t%s\t%.2f\t%.2f\t%s\t\n", name, s.Rounds, s.Invalid, s.Proposals, s.Agreed, s.Undecided, // Flush reports
		shareCells(study.Share{Part: s.Agreed, Of: s.Agreed + s.Differed, Low: s.Low, High: s.High}), shareCells(s.OnRight), shareCells(s.OnWrong), s.MeanRight, s.MeanWrong, verdict)
}

// shareCells are two cells: the share and its interval.
func shareCells(s study.Share) string {
	if s.Of == 0 {
		return "–\t–"
	}
	return fmt.Sprintf("%.1f %%\t%v", 100*float64(s.Part)/float64(s.Of), study.Interval{Low: s.Low, High: s.High})
}
