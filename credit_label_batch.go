package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"marlpit/shaping/llm"
	"marlpit/shaping/votes"
)

// batchFlags label through files of a provider's batch API.
type batchFlags struct {
	ExportBatch string `type:"path" placeholder:"FILE" help:"openai: ask nobody; write the requests that are missing into a new file for a provider's batch API (JSON lines, 50,000 at most; the next call writes the next)."`
	ImportBatch string `type:"path" placeholder:"FILE" help:"openai: store the results of such a batch (its output or error file), and make votes of what is there."`
	Again       bool   `help:"With --export-batch: also what was written into earlier batches and hasn't come back."`
}

func (f batchFlags) used() bool { return f.ExportBatch != "" || f.ImportBatch != "" }

// check says what is wrong with the call, before anything is opened.
func (f batchFlags) check() error {
	if f.Again && f.ExportBatch == "" {
		return badCall(errors.New("--again goes with --export-batch"))
	}
	if f.ExportBatch == "" {
		return nil
	}
	there, err := outPlace(f.ExportBatch)
	if err == nil && there {
		err = badCall(fmt.Errorf("--export-batch %s: there is such a file already, a batch goes into a new one", f.ExportBatch))
	}
	return err
}

// batchExport is what was written into a batch.
type batchExport struct {
	File             string  `json:"file,omitempty"` // "": nothing was to be written
	Requests         int     `json:"requests"`
	PromptTokens     int     `json:"prompt_tokens"` // expected, as is what follows
	CompletionTokens int     `json:"completion_tokens"`
	Cost             float64 `json:"cost"`
	Underway         int     `json:"underway"` // left out: in earlier batches, and not back
	Left             int     `json:"left"`     // beyond the budget, or what one file takes
}

// batched is what is printed.
type batched struct {
	votes.Report
	Imported *votes.Imported `json:"imported,omitempty"`
	Exported *batchExport    `json:"exported,omitempty"`
	Currency string          `json:"currency,omitempty"`
	Notes    []string        `json:"notes,omitempty"`
}

// batch imports, makes votes of the replies that are stored, and exports what is
// still missing.
func (c *labelCmd) batch(ctx context.Context, db *votes.DB, critic *asked, opt votes.LabelOptions, stdout, stderr io.Writer) (err error) {
	model, ok := critic.Critic.(*llm.Critic)
	if !ok {
		return badCall(fmt.Errorf("--export-batch and --import-batch are for critics of the kind openai, not %s", critic.config.Kind))
	}
	out := batched{Currency: critic.config.Currency}
	if c.Batch.ImportBatch != "" {
		if out.Imported, err = importBatch(ctx, db, model, c.Batch.ImportBatch); err != nil {
			return err
		}
	}
	bar := newProgress(stderr)
	opt.Progress = bar.show
	out.Report, err = db.Label(ctx, model, opt)
	bar.end()
	if err != nil {
		return err
	}
	if c.Batch.ExportBatch != "" {
		if out.Exported, err = c.export(ctx, db, critic, model, opt); err != nil {
			return err
		}
	}
	if out.Notes = model.Notes(); len(out.Notes) > 0 {
		if err := db.SetMeta(ctx, "notes: "+out.Annotator, strings.Join(out.Notes, "\n")); err != nil {
			return err
		}
	}
	if c.JSON {
		return printJSON(stdout, out)
	}
	_, err = io.WriteString(stdout, out.text())
	return err
}

func importBatch(ctx context.Context, db *votes.DB, model *llm.Critic, path string) (*votes.Imported, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, badCall(fmt.Errorf("--import-batch: %w", err))
	}
	defer func() { _ = f.Close() }()
	got, err := db.ReadBatch(ctx, f, model.Receive)
	if err != nil {
		return nil, fmt.Errorf("%s: after %d lines, which are stored: %w", path, got.Lines, err)
	}
	return &got, nil
}

// export writes what the open questions need and the file hasn't.
func (c *labelCmd) export(ctx context.Context, db *votes.DB, critic *asked, model *llm.Critic, opt votes.LabelOptions) (*batchExport, error) {
	annotator := votes.Name(model, c.Critic.Viewpoint)
	refused, err := db.Refused(ctx, annotator)
	if err != nil {
		return nil, err
	}
	for _, r := range refused {
		model.Learn(r)
	}
	open, err := db.OpenQuestions(ctx, annotator, opt)
	if err != nil {
		return nil, err
	}
	out := &batchExport{}
	seen := map[string]bool{}
	var requests []votes.Batched
	for _, q := range open {
		unsent, err := model.Unsent(ctx, q)
		if err != nil {
			return nil, err
		}
		for _, u := range unsent {
			if seen[u.Key] {
				continue
			}
			seen[u.Key] = true
			if !c.Batch.Again {
				if waits, err := db.Waits(ctx, u.Key); err != nil {
					return nil, err
				} else if waits {
					out.Underway++
					continue
				}
			}
			if len(requests) == votes.MostBatched || critic.budget.Allow(u.Usage) != nil {
				out.Left++
				continue
			}
			requests = append(requests, votes.Batched{Key: u.Key, Question: q, Prompt: u.Prompt, Body: u.Body})
			out.PromptTokens += u.Usage.PromptTokens
			out.CompletionTokens += u.Usage.CompletionTokens
			out.Cost += u.Usage.Cost
		}
	}
	if len(requests) == 0 {
		return out, nil
	}
	out.File = c.Batch.ExportBatch
	out.Requests, err = db.WriteBatch(ctx, annotator, out.File, requests)
	out.Left += len(requests) - out.Requests
	return out, err
}

func (o batched) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "annotator  %s\n", o.Annotator)
	if m := o.Imported; m != nil {
		fmt.Fprintf(&b, "imported   %d lines: %d replies stored%s; %d there before, %d further replies, %d errors, %d unknown, %d unreadable\n", m.Lines, m.Kept,
			took(m.PromptTokens, m.CompletionTokens, m.Cost, o.Currency), m.Before, m.Twice, m.Failed, m.Unknown, m.Unreadable)
		for _, what := range m.Told {
			fmt.Fprintf(&b, "           %s\n", what)
		}
	}
	fmt.Fprintf(&b, "votes      %d wanted, %d there before, %d made of stored replies (%d valid, %d invalid), %d remain\n",
		o.Wanted, o.Before, o.Asked, o.Valid, o.Invalid, o.Unasked)
	for _, note := range o.Notes {
		fmt.Fprintf(&b, "note       %s\n", note)
	}
	switch x := o.Exported; {
	case x == nil && o.Unasked > 0:
		b.WriteString("the rest   --export-batch FILE writes the requests that are missing\n")
	case x == nil:
	case x.File == "":
		fmt.Fprintf(&b, "exported   nothing: no request is missing but %d that are in earlier batches (--again writes them once more) and %d beyond the budget\n", x.Underway, x.Left)
	default:
		fmt.Fprintf(&b, "exported   %d requests to %s, expected to take %d tokens in and %d out", x.Requests, x.File, x.PromptTokens, x.CompletionTokens)
		if x.Cost > 0 {
			fmt.Fprintf(&b, ", %.4g %s", x.Cost, orMoney(o.Currency))
		}
		fmt.Fprintf(&b, "; left out: %d in earlier batches, %d beyond the budget or the size of a file\n", x.Underway, x.Left)
	}
	return b.String()
}

// warnOfBatches says that replies are under way which would be paid for twice.
func (c *labelCmd) warnOfBatches(ctx context.Context, db *votes.DB, critic *asked, stderr io.Writer) error {
	n, err := db.Underway(ctx, votes.Name(critic.Critic, c.Critic.Viewpoint))
	if err != nil || n == 0 || c.Critic.Offline {
		return err
	}
	_, err = fmt.Fprintf(stderr, "warning: %d requests are in batches and haven't come back; what is asked now is paid for twice\n", n)
	return err
}
