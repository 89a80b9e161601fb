package study

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"

	"marlpit/shaping"
	"marlpit/shaping/prefer"
	"marlpit/shaping/votes"
)

// ErrVotes is returned when there are too few votes to fit anything to.
var ErrVotes = errors.New("study: not enough votes")

// MinPairs is the least number of transitions with a readable vote that Fit
// asks for, of each agent.
const MinPairs = 20

// FitOptions say what is fitted. Zero values take the defaults named.
type FitOptions struct {
	Annotator string        // by name or part of it; "": the only one there is
	Shared    bool          // fit one σ to the questions about the team
	Input     shaping.Input // prefer.Auto (default), State or Focus
	Queries   int           // votes of each question to count; 0: all
	Graded    bool          // take the mean of the votes' own confidences in place of counting them
	Seed      uint64
	Name      string // of the model
	CreatedBy string // program and version
}

// FitReport says what a model was fitted to and how well it does.
type FitReport struct {
	Annotator string       `json:"annotator"`
	Kind      prefer.Kind  `json:"kind"`
	Pairs     int          `json:"pairs"`   // with a readable vote; fitted and held out
	LeftOut   int          `json:"without"` // asked, but without a readable vote
	Votes     prefer.Votes `json:"votes"`
	Flipped   int          `json:"flipped"` // valid votes whose two orders contradicted each other
	FlipRate  float64      `json:"flip_rate"`
	Frames    int64        `json:"frames"`
	Nets      []FitNet     `json:"nets"`
}

// FitNet is one net of the model.
type FitNet struct {
	prefer.NetReport
	Truth *Score `json:"held_out_truth,omitempty"` // held-out pairs against exact credit, where known
}

// Flat says whether the votes said nothing to this net.
func (n FitNet) Flat() bool { return n.SD == 0 }

// Fit fits a model to an annotator's votes: c = (second + ½ tie) / valid for
// each transition and agent, one pair in five held out. Invalid votes are left
// out, never counted as ties. It returns errors wrapping ErrVotes,
// votes.ErrAnnotator or prefer.ErrPairs.
func Fit(ctx context.Context, db *votes.DB, opt FitOptions) (*prefer.Model, FitReport, error) {
	world, err := db.World(ctx)
	if err != nil {
		return nil, FitReport{}, err
	}
	name, err := db.Annotator(ctx, opt.Annotator)
	if err != nil {
		return nil, FitReport{}, err
	}
	counts, err := db.Counts(ctx, name, opt.Shared, opt.Queries)
	if err != nil {
		return nil, FitReport{}, err
	}
	report := FitReport{Annotator: name, Kind: kindOf(name, opt.Shared)}
	pairs := report.pairs(counts, opt.Graded)
	if err := enough(pairs, world, opt.Shared, name); err != nil {
		return nil, report, err
	}
	header, err := provenance(ctx, db, name, opt)
	if err != nil {
		return nil, report, err
	}
	header.Pairs, header.Votes, report.Frames = len(pairs), report.Votes, header.Frames
	model, fitted, err := prefer.Fit(ctx, prefer.World(world), pairs, prefer.Options{
		Kind: report.Kind, Input: opt.Input, Seed: opt.Seed, Header: header,
	})
	if err != nil {
		return nil, report, err
	}
	report.addNets(fitted, ScoreModel(model, counts, world.Agents, true), opt.Shared)
	return model, report, nil
}

func kindOf(annotator string, shared bool) prefer.Kind {
	switch {
	case shared:
		return prefer.Shared
	case strings.HasPrefix(annotator, "coin "):
		return prefer.Coin
	}
	return prefer.Agents
}

// pairs turns counted votes into what prefer fits to, and counts them.
func (r *FitReport) pairs(counts []votes.Counted, graded bool) []prefer.Pair {
	var out []prefer.Pair
	for _, c := range counts {
		r.Votes.Asked += c.Valid() + c.Invalid
		r.Votes.Valid += c.Valid()
		r.Votes.Tie += c.Tie
		r.Votes.Invalid += c.Invalid
		r.Flipped += c.Flipped
		confidence := c.Confidence
		if graded {
			confidence = c.Mean
		}
		if math.IsNaN(confidence) {
			r.LeftOut++
			continue
		}
		out = append(out, prefer.Pair{Agent: max(c.Agent, 0), StateA: c.StateA, StateB: c.StateB,
			FocusA: c.FocusA, FocusB: c.FocusB, C: confidence, Held: c.Held})
	}
	r.Pairs, r.FlipRate = len(out), ratio(r.Flipped, r.Votes.Valid)
	return out
}

// enough is an error where an agent has too few pairs.
func enough(pairs []prefer.Pair, world votes.World, shared bool, annotator string) error {
	have := make([]int, len(world.Agents))
	for _, p := range pairs {
		have[p.Agent]++
	}
	names := world.Agents
	if shared {
		have, names = have[:1], []string{"the team"}
	}
	for i, n := range have {
		if n < MinPairs {
			hint := ""
			if shared {
				hint = " --shared"
			}
			return fmt.Errorf("%w: %s has %d transitions with a readable vote by %q, at least %d are needed; `marlpit label%s` asks for more",
				ErrVotes, names[i], n, annotator, MinPairs, hint)
		}
	}
	return nil
}

// provenance is the part of a model's header that says where it comes from.
func provenance(ctx context.Context, db *votes.DB, annotator string, opt FitOptions) (prefer.Header, error) {
	h := prefer.Header{Name: opt.Name, Critic: annotator, CreatedBy: opt.CreatedBy}
	collections, err := db.Collections(ctx)
	if err != nil {
		return h, err
	}
	for _, c := range collections {
		h.Frames += c.Frames
		h.Seeds = append(h.Seeds, c.Seed)
	}
	h.Seeds = append(h.Seeds, opt.Seed)
	prompts, err := db.Prompts(ctx)
	if err != nil {
		return h, err
	}
	_, used, _ := strings.Cut(annotator, " prompts=")
	used, _, _ = strings.Cut(used, " ")
	var hashes []string
	for _, p := range prompts {
		for _, name := range strings.Split(used, ",") {
			if p.Name == name {
				hashes = append(hashes, p.Hash)
			}
		}
	}
	h.Prompt = strings.Join(hashes, ",")
	return h, nil
}

// addNets joins what fitting measured on votes with what exact credit says.
func (r *FitReport) addNets(fitted prefer.Report, truth []Score, shared bool) {
	for _, n := range fitted.Nets {
		net := FitNet{NetReport: n}
		for i := range truth {
			if truth[i].Questions > 0 && (truth[i].Agent == n.Agent || shared && truth[i].Agent == "team") {
				net.Truth = &truth[i]
			}
		}
		r.Nets = append(r.Nets, net)
	}
}
