package prefer

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"marlpit/shaping"
)

// Report is what fitting found out about the votes and the nets. It stands in
// the file's header. Every interval is one of 95 %, and takes questions in
// equal words as one cluster where their words are known. Numbers are rounded
// to four digits.
type Report struct {
	Members  int          `json:"members"`  // of each ensemble
	Weighing Weighing     `json:"weighing"` // of the pairs
	LeftOut  int          `json:"without"`  // questions without a readable vote; not among the pairs
	Asked    []VoteReport `json:"asked"`    // for each agent asked about; one, of "team", for team questions
	Nets     []NetReport  `json:"nets"`     // in the order of the header's
}

// VoteReport is how the votes on one agent's part look.
type VoteReport struct {
	Agent     string  `json:"agent"`
	Questions int     `json:"questions"`
	Asked     int     `json:"asked"` // votes, all queries together
	Invalid   Share   `json:"invalid"`
	Tie       Share   `json:"tie"`     // of those that could be read
	Flipped   Share   `json:"flipped"` // of those that could be read: the two orders contradicted each other
	Texts     *Texts  `json:"texts,omitempty"`
	Critic    *Judged `json:"critic_truth,omitempty"` // questions, by the majority of their votes, against exact credit
}

// NetReport is what fitting found out about one net. What is said of held-out
// pairs is said of the training pairs where none are held out.
type NetReport struct {
	Identical   int                        `json:"identical"` // pairs whose two sides are equal to the net: they teach it nothing
	Train       Accuracy                   `json:"train"`     // on the pairs it was fitted to
	Loss        float64                    `json:"loss"`      // mean held-out Bradley–Terry loss, ties included
	Tried       map[shaping.Input]Accuracy `json:"tried"`     // members on the pairs they left out, for each input; what the choice rests on
	Epochs      []int                      `json:"epochs"`    // each member was stopped after
	Ensemble    *Ensemble                  `json:"ensemble,omitempty"`
	Truth       *Judged                    `json:"held_out_truth,omitempty"` // held-out questions against exact credit
	Calibration Calibration                `json:"calibration"`
	Hovering    *Share                     `json:"hovering,omitempty"` // non-terminal states whose σ lies above the mean of the terminal ones
}

// Ensemble says how far a net's members, and the net distilled from them, agree
// on held-out pairs.
type Ensemble struct {
	Spread     Estimate `json:"spread"`     // root mean square over pairs of the members' sd of Δσ, relative to that of their mean
	Unanimous  Share    `json:"unanimous"`  // pairs on whose order all members agree
	Mean       Accuracy `json:"mean"`       // of the members' mean; the net's own is the header's
	Distilled  Share    `json:"distilled"`  // pairs on whose order the net agrees with the members' mean
	Distortion float64  `json:"distortion"` // root mean square of the net's Δσ less the mean's, relative to the mean's
}

// Calibration compares sig(Δσ) with held-out votes.
type Calibration struct {
	Error Estimate `json:"error"` // expected: mean over pairs of |mean sig(Δσ) − mean vote| of their bin
	Bins  []Bin    `json:"bins"`  // those of the ten that hold pairs
}

// Bin holds the pairs with Low ≤ sig(Δσ) < Low + 0.1.
type Bin struct {
	Low   float64 `json:"low"`
	N     int     `json:"n"`
	Sigma float64 `json:"sigma"` // mean sig(Δσ)
	Voted float64 `json:"voted"` // mean confidence of the votes that b is better
}

// Estimate is a number with its interval.
type Estimate struct {
	Value float64 `json:"value"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
}

// Share is Count of N, with its interval.
type Share struct {
	Count int     `json:"count"`
	N     int     `json:"n"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
}

// Rate is Count/N, 0 for none of none.
func (s Share) Rate() float64 { return float64(s.Count) / max(float64(s.N), 1) }

// Judged is how opinions do against exact credit. The Accuracy is of those
// where credit isn't zero; its ties are opinions that decide nothing there.
type Judged struct {
	Accuracy
	Even  int `json:"even"`  // credit is zero, and so is the opinion
	False int `json:"false"` // credit is zero, but a side is preferred
}

// check bounds what a file's report may hold; its numbers are for readers only.
func (r *Report) check(h *Header) error {
	switch {
	case r.Members < 1 || r.Members > MaxMembers:
		return fmt.Errorf("report: %d members, want 1 to %d", r.Members, MaxMembers)
	case r.Weighing != "" && !r.Weighing.valid():
		return fmt.Errorf("report: weighing %.40q", r.Weighing)
	case len(r.Asked) > len(h.World.Agents):
		return fmt.Errorf("report: votes on %d agents, want at most %d", len(r.Asked), len(h.World.Agents))
	case len(r.Nets) != len(h.Nets):
		return fmt.Errorf("report: %d nets, want %d", len(r.Nets), len(h.Nets))
	}
	for i, n := range r.Nets {
		if len(n.Calibration.Bins) > bins || len(n.Epochs) > MaxMembers {
			return fmt.Errorf("report: net %d has %d bins of calibration and %d members, want at most %d and %d", i, len(n.Calibration.Bins), len(n.Epochs), bins, MaxMembers)
		}
	}
	return nil
}

// withoutBins is the report without its tables of calibration.
func (r *Report) withoutBins() *Report {
	short := *r
	short.Nets = slices.Clone(r.Nets)
	for i := range short.Nets {
		short.Nets[i].Calibration.Bins = nil
	}
	return &short
}

// round keeps four significant digits, and turns what isn't finite into 0:
// JSON has no word for it.
func round(x float64) float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return 0
	}
	r, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 4, 64), 64) // what it wrote itself
	return r
}
