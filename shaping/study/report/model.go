package report

import (
	"cmp"
	"context"
	"slices"

	"marlpit/shaping/prefer"
	"marlpit/shaping/study"
	"marlpit/shaping/votes"
)

// modelPart is what the page says of a model.
type modelPart struct {
	Header    *prefer.Header
	Nets      []netPart
	Scores    []study.Score // on the vote file's held-out transitions, against credit: all, then each agent
	Families  []study.Score // likewise; Agent holds the family
	Maps      []heat
	MapsHow   string // what was played to find the states
	Wrong     cardList
	AboutVote cardList
	Annotator string // whose votes AboutVote is about
}

// netPart is one net, with what fitting found out about it where the file says.
type netPart struct {
	prefer.Net
	Name   string
	Report *prefer.NetReport
}

// Truth is how the net does against credit; nil where the file doesn't say.
func (n netPart) Truth() *prefer.Judged {
	if n.Report == nil {
		return nil
	}
	return n.Report.Truth
}

// Hovering is the share of states that score above the ends; nil likewise.
func (n netPart) Hovering() *prefer.Share {
	if n.Report == nil {
		return nil
	}
	return n.Report.Hovering
}

// What says what kind of model it is.
func (m *modelPart) What() string {
	switch m.Header.Kind {
	case prefer.Shared:
		return "one net for the whole team, from votes on the team"
	case prefer.SharedLabels:
		return "a net for each agent, from votes on the team"
	case prefer.Coin:
		return "a net for each agent, from coin-flip votes: a control"
	}
	return "a net for each agent, from votes on each agent's part"
}

// Spread says whether there is anything to tell of ensembles.
func (m *modelPart) Spread() bool {
	return slices.ContainsFunc(m.Nets, func(n netPart) bool { return n.Report != nil && n.Report.Ensemble != nil })
}

// modelled tells of the model.
func (b *builder) modelled(ctx context.Context, p *content) (err error) {
	h := &b.src.model.Header
	m := &modelPart{Header: h}
	p.Model = m
	for i, n := range h.Nets {
		part := netPart{Net: n, Name: cmp.Or(n.Agent, "team")}
		if h.Report != nil {
			part.Report = &h.Report.Nets[i]
		}
		m.Nets = append(m.Nets, part)
	}
	if h.Report == nil {
		b.note("The model file is of an older format, without a report of its fit.")
	}
	if b.scene != nil {
		var why string
		if m.Maps, m.MapsHow, why = b.scene.maps(b.src.model, &b.pictures); why != "" {
			b.note("No maps of σ: %s.", why)
		}
	}
	if b.src.db == nil {
		return nil
	}
	j := b.critic(h.Critic)
	b.score(m)
	if m.Wrong, err = b.worst(ctx, b.wrongModel(b.opinions(j)), false); err != nil || j == nil {
		return err
	}
	m.Annotator = j.name
	m.AboutVote, err = b.worst(ctx, b.wrongAboutVotes(b.asked(j)), false)
	return err
}

// score compares the model with credit on the transitions of the vote file that
// no fit is trained on.
func (b *builder) score(m *modelPart) {
	examples := b.src.examples
	if m.Header.Kind == prefer.Shared {
		examples = b.src.team
	}
	scores := func(c []votes.Counted) []study.Score {
		return study.ScoreModel(b.src.model, c, b.src.world.Agents, true)
	}
	if all := scores(examples); all[0].Questions > 0 {
		m.Scores = all
		m.Families = families(examples, func(c []votes.Counted) study.Score { return scores(c)[0] })
	}
}

// critic is the annotator a model was fitted to, else the first one.
func (b *builder) critic(name string) *judge {
	for i := range b.src.annotators {
		if b.src.annotators[i].name == name {
			return &b.src.annotators[i]
		}
	}
	if len(b.src.annotators) == 0 {
		return nil
	}
	return &b.src.annotators[0]
}

// opinions are all questions a model has an opinion on, with an annotator's
// votes where it gave any.
func (b *builder) opinions(j *judge) []votes.Counted {
	all := b.asked(nil)
	if j == nil {
		return all
	}
	voted := map[[2]int64]votes.Counted{}
	for _, c := range b.asked(j) {
		voted[[2]int64{c.Transition, int64(c.Agent)}] = c
	}
	out := make([]votes.Counted, len(all))
	for i, c := range all {
		out[i] = c
		if v, ok := voted[[2]int64{c.Transition, int64(c.Agent)}]; ok {
			out[i] = v
		}
	}
	return out
}
