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
	Annotator    string          // by name or part of it; "": the only one there is
	Shared       bool            // fit one σ to the questions about the team
	SharedLabels bool            // fit a σ of its own view for each agent to the questions about the team: their Δσ add up
	Input        shaping.Input   // prefer.Auto (default), State or Focus
	Queries      int             // votes of each question to count; 0: all
	Graded       bool            // take the mean of the votes' own confidences in place of counting them
	Weighing     prefer.Weighing // of the pairs; "": prefer.Equal
	Members      int             // of each ensemble; 0: prefer's default
	Seed         uint64
	Name         string // of the model
	CreatedBy    string // program and version
}

// team says whether the votes are on the team.
func (o FitOptions) team() bool { return o.Shared || o.SharedLabels }

// labelFlag is what label needs to ask about the same.
func (o FitOptions) labelFlag() string {
	if o.team() {
		return " --shared"
	}
	return ""
}

// FitReport says what a model was fitted to and how well it does.
type FitReport struct {
	Annotator string              `json:"annotator"`
	Kind      prefer.Kind         `json:"kind"`
	Pairs     int                 `json:"pairs"`             // with a readable vote; fitted and held out
	LeftOut   int                 `json:"without"`           // asked, but without a readable vote
	Questions int                 `json:"questions"`         // there are in the file, asked or not
	Warning   string              `json:"warning,omitempty"` // where fewer than half of them have votes
	Votes     prefer.Votes        `json:"votes"`
	Flipped   int                 `json:"flipped"` // valid votes whose two orders contradicted each other
	FlipRate  float64             `json:"flip_rate"`
	Frames    int64               `json:"frames"`
	Members   int                 `json:"members"` // of each ensemble
	Weighing  prefer.Weighing     `json:"weighing"`
	Asked     []prefer.VoteReport `json:"asked"`
	Nets      []FitNet            `json:"nets"`
}

// FitNet is one net of the model.
type FitNet struct {
	prefer.Net
	prefer.NetReport
}

// Flat says whether the votes said nothing to this net.
func (n FitNet) Flat() bool { return n.SD == 0 }

// Fit fits a model to an annotator's votes: c = (second + ½ tie) / valid for
// each transition and agent, one pair in five held out. Invalid votes are left
// out, never counted as ties. What it reports stands in the model's header,
// too. It returns errors wrapping ErrVotes, votes.ErrAnnotator or
// prefer.ErrPairs.
func Fit(ctx context.Context, db *votes.DB, opt FitOptions) (*prefer.Model, FitReport, error) {
	if opt.Shared && opt.SharedLabels {
		return nil, FitReport{}, fmt.Errorf("%w: shared and shared labels are two kinds of models", prefer.ErrPairs)
	}
	world, err := db.World(ctx)
	if err != nil {
		return nil, FitReport{}, err
	}
	name, err := db.Annotator(ctx, opt.Annotator)
	if err != nil {
		return nil, FitReport{}, err
	}
	counts, err := db.Counts(ctx, name, opt.team(), opt.Queries)
	if err != nil {
		return nil, FitReport{}, err
	}
	report := FitReport{Annotator: name, Kind: kindOf(name, opt)}
	pairs := report.pairs(counts, opt)
	if err := enough(pairs, world, opt, name); err != nil {
		return nil, report, err
	}
	if report.Questions, err = db.Questions(ctx, opt.team()); err != nil {
		return nil, report, err
	}
	if 2*len(counts) < report.Questions {
		report.Warning = fmt.Sprintf("%d of %d questions have votes; `marlpit label%s` asks the rest", len(counts), report.Questions, opt.labelFlag())
	}
	examples := counts
	if opt.SharedLabels {
		if examples, err = db.Examples(ctx, false); err != nil {
			return nil, report, err
		}
		if err := addViews(pairs, counts, examples, world); err != nil {
			return nil, report, err
		}
	}
	header, err := provenance(ctx, db, name, opt)
	if err != nil {
		return nil, report, err
	}
	header.Pairs, header.Votes, report.Frames = len(pairs), report.Votes, header.Frames
	model, fitted, err := prefer.Fit(ctx, prefer.World(world), pairs, prefer.Options{
		Kind: report.Kind, Input: opt.Input, Members: opt.Members, Weighing: opt.Weighing, Seed: opt.Seed, Header: header,
	})
	if err != nil {
		return nil, report, err
	}
	fitted.LeftOut, fitted.Asked = report.LeftOut, voteReports(counts, world.Agents)
	addTruth(fitted, model, examples)
	report.read(model)
	return model, report, nil
}

func kindOf(annotator string, opt FitOptions) prefer.Kind {
	switch {
	case opt.Shared:
		return prefer.Shared
	case opt.SharedLabels:
		return prefer.SharedLabels
	case strings.HasPrefix(annotator, "coin "):
		return prefer.Coin
	}
	return prefer.Agents
}

// pairs turns counted votes into what prefer fits to, and counts them.
func (r *FitReport) pairs(counts []votes.Counted, opt FitOptions) []prefer.Pair {
	var out []prefer.Pair
	for _, c := range counts {
		r.Votes.Asked += c.Valid() + c.Invalid
		r.Votes.Valid += c.Valid()
		r.Votes.Tie += c.Tie
		r.Votes.Invalid += c.Invalid
		r.Flipped += c.Flipped
		confidence := c.Confidence
		if opt.Graded {
			confidence = c.Mean
		}
		if math.IsNaN(confidence) {
			r.LeftOut++
			continue
		}
		out = append(out, prefer.Pair{Agent: max(c.Agent, 0), StateA: c.StateA, StateB: c.StateB,
			FocusA: c.FocusA, FocusB: c.FocusB, C: confidence, Weight: opt.Weighing.Weight(confidence, c.Valid()),
			Text: c.Text, Held: c.Held})
	}
	r.Pairs, r.FlipRate = len(out), ratio(r.Flipped, r.Votes.Valid)
	return out
}

// addViews gives pairs of team votes the agents' own features.
func addViews(pairs []prefer.Pair, counts, examples []votes.Counted, world votes.World) error {
	if len(world.FocusSizes) == 0 {
		return fmt.Errorf("%w: %s has no focus features, which shared labels are fitted to", prefer.ErrPairs, world.Env)
	}
	type sides struct{ a, b [][]float32 }
	views := map[int64]sides{}
	for _, e := range examples {
		v, ok := views[e.Transition]
		if !ok { // an agent that had ended before has no view: its σ doesn't change
			for _, n := range world.FocusSizes {
				v.a, v.b = append(v.a, make([]float32, n)), append(v.b, make([]float32, n))
			}
			views[e.Transition] = v
		}
		v.a[e.Agent], v.b[e.Agent] = e.FocusA, e.FocusB
	}
	k := 0
	for _, c := range counts {
		if c.Valid() > 0 {
			pairs[k].ViewsA, pairs[k].ViewsB = views[c.Transition].a, views[c.Transition].b
			k++
		}
	}
	return nil
}

// enough is an error where an agent has too few pairs.
func enough(pairs []prefer.Pair, world votes.World, opt FitOptions, annotator string) error {
	have, names := make([]int, len(world.Agents)), world.Agents
	for _, p := range pairs {
		have[p.Agent]++
	}
	if opt.team() {
		have, names = have[:1], []string{"the team"}
	}
	for i, n := range have {
		if n < MinPairs {
			return fmt.Errorf("%w: %s has %d transitions with a readable vote by %q, at least %d are needed; `marlpit label%s` asks for more",
				ErrVotes, names[i], n, annotator, MinPairs, opt.labelFlag())
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

// read takes over what stands in the model's header.
func (r *FitReport) read(m *prefer.Model) {
	from := m.Header.Report
	r.Members, r.Weighing, r.Asked = from.Members, from.Weighing, from.Asked
	for i, n := range m.Header.Nets {
		r.Nets = append(r.Nets, FitNet{n, from.Nets[i]})
	}
}
