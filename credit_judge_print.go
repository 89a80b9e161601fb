package main

import (
	"fmt"
	"io"
	"text/tabwriter"

	"marlpit/shaping/study"
)

// print writes what was judged: as JSON one object, or for several critics
// {"critics": […]}; else a table for each, and one of all side by side.
func (c *judgeCmd) print(out io.Writer, js []judged) error {
	switch {
	case len(js) == 0:
		return nil
	case c.JSON:
		return printCritics(out, js)
	}
	if _, err := fmt.Fprintf(out, "%s, judged on %s; credit: %s\n", js[0].Env, js[0].Bench, js[0].Truth); err != nil {
		return err
	}
	for _, j := range js {
		if err := printJudgement(out, j.title(), j.Judgement, nil); err != nil {
			return err
		}
	}
	if len(js) == 1 {
		return nil
	}
	_, _ = fmt.Fprintln(out)
	w := scoreTable(out, "critic")
	for _, j := range js {
		scoreRow(w, j.title(), j.Scores[0])
	}
	return w.Flush()
}

// printCritics writes one object, or for several critics {"critics": […]}.
func printCritics[T any](out io.Writer, js []T) error {
	if len(js) == 1 {
		return printJSON(out, js[0])
	}
	return printJSON(out, map[string]any{"critics": js})
}

// title is what a table calls the critic: its name in the file, too.
func (j judged) title() string {
	if j.Critic == "" {
		return j.Judged
	}
	return j.Critic + ": " + j.Judged
}

// printJudgement writes one critic's scores: all, by agent, by groups, by family.
func printJudgement(out io.Writer, title string, j study.Judgement, groups []study.Score) error {
	known := fmt.Sprintf("all %d questions", j.Pool)
	if j.Asked < j.Pool {
		known = fmt.Sprintf("%d of %d questions, on which the accuracy is %v", j.Asked, j.Pool, j.OnPool)
	}
	_, _ = fmt.Fprintf(out, "\n%s\n%s; %s\n\n", title, known, taken(j)) // Flush reports
	w := scoreTable(out, "of")
	for i, list := range [][]study.Score{j.Scores, groups, j.Families} {
		for _, s := range list {
			name := s.Agent
			if i == 2 {
				name = "family " + name
			}
			scoreRow(w, name, s)
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if j.Unasked > 0 {
		_, err := fmt.Fprintf(out, "\n%d votes were not had; %s%s\n", j.Unasked, j.Stopped, j.LastError)
		return err
	}
	return nil
}

// taken is what asking took.
func taken(j study.Judgement) string {
	s := fmt.Sprintf("%d requests, %d tokens", j.Requests, j.Tokens)
	if j.Currency != "" {
		s += fmt.Sprintf(", %.4g %s", j.Cost, j.Currency)
	}
	return s + fmt.Sprintf(", %.3g s", j.Seconds)
}

func scoreTable(out io.Writer, of string) *tabwriter.Writer {
	w := tabwriter.NewWriter(out, 2, 4, 2, ' ', tabwriter.AlignRight)
	_, _ = fmt.Fprintln(w, of+"\tquestions\ttexts\tright\twrong\tundecided\taccuracy\t95 %\teven at 0\tfalse at 0\tinvalid\tflips\tverdict\t") // Flush reports
	return w
}

func scoreRow(w io.Writer, name string, s study.Score) {
	accuracy, interval, verdict := "–", "–", string(s.Verdict)
	if s.Verdict == study.Nothing {
		verdict = "–"
	}
	if s.Right+s.Wrong > 0 {
		accuracy, interval = fmt.Sprintf("%.1f %%", 100*s.Accuracy), study.Interval{Low: s.Low, High: s.High}.String()
	}
	_, _ = fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t%d\t%s\t%s\t%d\t%d\t%d\t%.0f %%\t%s\t\n", name, s.Questions, s.Texts, s.Right, s.Wrong, // Flush reports
		s.Undecided, accuracy, interval, s.Even, s.False, s.Invalid, 100*s.FlipRate(), verdict)
}
