package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"

	"marlpit/shaping/process"
)

// exportCmd is `marlpit export`.
type exportCmd struct {
	DPO exportDPOCmd `cmd:"" name:"dpo" help:"Preference pairs for training language agents, in TRL's and in LLaMA-Factory's format."`
}

// exportDPOCmd is `marlpit export dpo`.
type exportDPOCmd struct {
	DB        string  `name:"db" required:"" type:"path" placeholder:"FILE" help:"File of scores, as 'marlpit score' makes it."`
	Critic    string  `placeholder:"NAME" help:"Whose scores: a part of the critic's name, where there are several."`
	Chosen    float64 `help:"Least score of a chosen action." default:"0.8"`
	Rejected  float64 `help:"Greatest score of a rejected action." default:"0.2"`
	PerRound  int     `help:"Pairs of one round at most." default:"4"`
	TestShare float64 `help:"Share of goals whose pairs are kept for testing; no goal is on both sides." default:"0.1"`
	System    string  `type:"path" placeholder:"FILE" help:"Text that agents are told first, in place of the built-in one: that of the agents that will be trained."`
	Out       string  `required:"" type:"path" placeholder:"FOLDER" help:"Where the data set goes; made if there is none. What an export of before left there is replaced."`
	JSON      bool    `name:"json" help:"Print the result as JSON."`
}

// Help says what the command does.
func (exportDPOCmd) Help() string {
	return `Makes preference pairs: the chosen action is the one of a round that scored
highest; a rejected one was made to be wrong (and isn't right by the task's own
solution), or scored low. Where it is known what is right, the result says how
many pairs are the wrong way round.

  marlpit export dpo --db scores.db --out pairs
  python -c 'import datasets; print(datasets.load_dataset("pairs"))'`
}

// exported is what is printed, and what the card is made of.
type exported struct {
	DB  string `json:"db"`
	Out string `json:"out"`
	process.PairReport
	Warning string `json:"warning,omitempty"`
}

// The files of a data set.
const (
	trlTrain     = "trl/train.jsonl"
	trlTest      = "trl/test.jsonl"
	factoryTrain = "llama_factory/marlpit_dpo.jsonl"
	factoryTest  = "llama_factory/marlpit_dpo_test.jsonl"
	factoryInfo  = "llama_factory/dataset_info.json"
)

// Run exports.
func (c *exportDPOCmd) Run(stdout io.Writer) error {
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt)
	defer cancel()
	return c.run(ctx, stdout)
}

func (c *exportDPOCmd) run(ctx context.Context, stdout io.Writer) (err error) {
	system := process.DefaultSystem
	if c.System != "" {
		b, err := os.ReadFile(c.System)
		if err != nil {
			return badCall(err)
		}
		if system = strings.TrimSpace(string(b)); system == "" {
			return badCall(fmt.Errorf("--system %s is empty", c.System))
		}
	}
	db, err := process.Open(ctx, c.DB)
	if err != nil {
		return badCall(err)
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	critic, err := db.TheCritic(ctx, c.Critic)
	if err != nil {
		return badCall(err)
	}
	var files exportFiles
	report, err := process.Pairs(ctx, db, critic, process.PairOptions{Chosen: c.Chosen, Rejected: c.Rejected, PerRound: c.PerRound, TestShare: c.TestShare},
		func(p *process.Pair) error { return files.add(p, system) })
	if err != nil {
		return badCall(err)
	}
	out := exported{c.DB, c.Out, report, ""}
	if report.Test == 0 && c.TestShare > 0 {
		out.Warning = fmt.Sprintf("there are no pairs for testing: the share of goals that is kept is %v, and no goal with pairs fell into it; record rounds of more goals, or ask for a larger --test-share", c.TestShare)
	}
	if report.Pairs == 0 {
		return fmt.Errorf("there are no pairs: of %d rounds, %d have no action that scores %v or more, %d have nothing to reject", report.Rounds, report.NoChosen, c.Chosen, report.NoRejected)
	}
	if err := files.write(c.Out, c.card(out, files.example)); err != nil {
		return err
	}
	return c.print(stdout, out)
}

// exportFiles are the contents of a data set's files.
type exportFiles struct {
	trl, factory [2]bytes.Buffer // training, testing
	example      string
}

func (f *exportFiles) add(p *process.Pair, system string) error {
	side := 0
	if p.Test {
		side = 1
	}
	row, err := p.TRL(system)
	if err != nil {
		return err
	}
	if f.example == "" {
		f.example = string(row)
	}
	f.trl[side].Write(row)
	if row, err = p.LLaMAFactory(system); err != nil {
		return err
	}
	f.factory[side].Write(row)
	return nil
}

// write puts the files into a folder. A side without pairs has no file: readers
// refuse empty ones.
func (f *exportFiles) write(folder, card string) error {
	all := map[string][]byte{"README.md": []byte(card), trlTrain: f.trl[0].Bytes(), trlTest: f.trl[1].Bytes(), factoryTrain: f.factory[0].Bytes(), factoryTest: f.factory[1].Bytes()}
	names := map[string]string{}
	for name, file := range map[string]string{"marlpit_dpo": factoryTrain, "marlpit_dpo_test": factoryTest} {
		if len(all[file]) > 0 {
			names[name] = filepath.Base(file)
		}
	}
	info, err := process.FactoryInfo(names)
	if err != nil {
		return err
	}
	all[factoryInfo] = info
	for name, content := range all {
		path := filepath.Join(folder, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if len(content) == 0 {
			if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
				return err
			}
			continue
		}
		if err := writeWhole(path, func(w io.Writer) error { _, err := w.Write(content); return err }); err != nil {
			return err
		}
	}
	return nil
}

func (c *exportDPOCmd) print(out io.Writer, r exported) error {
	if c.JSON {
		return printJSON(out, r)
	}
	_, err := fmt.Fprintf(out, "%d pairs of %d rounds (%d for testing), scored by %s, in %s\n%d of the rejected actions were made to be wrong; where it is known what is right (%d pairs), %d chosen actions are wrong and %d rejected ones right\n",
		r.Pairs, r.Rounds, r.Test, r.Critic, r.Out, r.Adversarial, r.Checked, r.ChosenWrong, r.RejectedGood)
	if r.Warning != "" && err == nil {
		_, err = fmt.Fprintln(out, "warning:", r.Warning)
	}
	return err
}
