package main

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"marlpit/shaping/prefer"
	"marlpit/shaping/study"
)

// printFit prints what a fit reports, one table of votes and one of models, and
// where it was written.
func printFit(out io.Writer, written string, r study.FitReport) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n%d pairs of %d votes (%d ties, %d invalid, %d pairs without a readable vote), %.0f %% of the votes contradict themselves\n%d frames of collection\n\n",
		r.Annotator, r.Pairs, r.Votes.Asked, r.Votes.Tie, r.Votes.Invalid, r.LeftOut, 100*r.FlipRate, r.Frames)
	if r.Warning != "" {
		fmt.Fprintf(&b, "warning: %s\n\n", r.Warning)
	}
	printVotes(&b, r.Asked)
	b.WriteByte('\n')
	printNets(&b, r.Nets)
	_, err := fmt.Fprintf(out, "%s\nshares in %% with 95 %% intervals, which take questions in equal words as one cluster\n\n%s\n", b.String(), written)
	return err
}

// printVotes is the table of what the votes look like.
func printVotes(out io.Writer, asked []prefer.VoteReport) {
	w := tabwriter.NewWriter(out, 2, 4, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "votes on\tasked\tinvalid\tties\tflipped\ttexts\tcorrelation\tworth\tcritic right\t")
	for _, v := range asked {
		texts, correlation, worth := "-", "-", "-"
		if t := v.Texts; t != nil {
			texts, worth = fmt.Sprintf("%d (%.0f)", t.Distinct, t.Effective), fmt.Sprintf("%.0f", t.Votes)
			if t.Correlation != nil {
				correlation = interval(t.Correlation.Value, t.Correlation.Low, t.Correlation.High, "%.2f")
			}
		}
		fmt.Fprintf(w, "%s\t%d\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t\n", v.Agent, v.Asked,
			share(v.Invalid), share(v.Tie), share(v.Flipped), texts, correlation, worth, truth(v.Critic))
	}
	_ = w.Flush() // into memory
}

// printNets is the table of how the models do, with notes.
func printNets(out io.Writer, nets []study.FitNet) {
	w := tabwriter.NewWriter(out, 2, 4, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "model of\treads\tagrees with held-out votes\twith exact credit\tcalibration error\thovering\tspread\tdistilled\tsd of Δσ\t")
	flat := false
	for _, n := range nets {
		hovering, spread, distilled := "-", "-", "-"
		if n.Hovering != nil {
			hovering = share(*n.Hovering)
		}
		if e := n.Ensemble; e != nil {
			spread = interval(e.Spread.Value, e.Spread.Low, e.Spread.High, "%.2f")
			distilled = fmt.Sprintf("%.1f", 100*e.Distilled.Rate())
		}
		c := n.Calibration.Error
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%.3g\t\n", nameOf(n.Agent), n.Input, accuracy(n.HeldOut), truth(n.Truth),
			interval(c.Value, c.Low, c.High, "%.2f"), hovering, spread, distilled, n.SD)
		flat = flat || n.Flat()
	}
	_ = w.Flush() // into memory
	for _, n := range nets {
		if n.Identical > 0 {
			fmt.Fprintf(out, "\n%d pairs look the same from both sides to the model of %s, and teach it nothing", n.Identical, nameOf(n.Agent))
		}
	}
	if flat {
		fmt.Fprint(out, "\na model is flat: the votes say nothing, and it will reward nothing")
	}
	fmt.Fprintln(out)
}

func nameOf(agent string) string {
	if agent == "" {
		return "the team"
	}
	return agent
}

// interval prints a number with its interval in brackets.
func interval(value, low, high float64, verb string) string {
	return strings.ReplaceAll(fmt.Sprintf(verb+" ["+verb+", "+verb+"]", value, low, high), "-0.00", "0.00")
}

func share(s prefer.Share) string {
	if s.N == 0 {
		return "-"
	}
	return interval(100*s.Rate(), 100*s.Low, 100*s.High, "%.0f")
}

func accuracy(a prefer.Accuracy) string {
	return share(prefer.Share{Count: a.Right, N: a.N, Low: a.Low, High: a.High})
}

// truth is the accuracy against exact credit, where that is known.
func truth(j *prefer.Judged) string {
	if j == nil {
		return "-"
	}
	return accuracy(j.Accuracy)
}
