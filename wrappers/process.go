package wrappers

import (
	"errors"
	"fmt"

	"marlpit/envs"
	"marlpit/shaping/process"
	"marlpit/shaping/votes"
)

// Judges are what a server has for the scheme process: each is nil where the
// options name none.
type Judges struct {
	Asker *process.Asker // puts rounds to the critic
	Table *process.Table // recorded scores
	Model *process.Model // fitted scorer
}

// BuildProcess makes the wrapper of the scheme process, as Build does. It
// returns an error wrapping ErrReward for a world without rounds, and one
// wrapping process.ErrModel, too, for a scorer of another world.
func BuildProcess(template envs.Env, r Reward, j Judges) (envs.Wrapper, map[string]any, error) {
	o := r.Process
	if o == nil {
		return nil, nil, fmt.Errorf("%w: %s is not the scheme process", ErrReward, r.Scheme)
	}
	if _, ok := envs.As[envs.Rounder](template); !ok {
		return nil, nil, fmt.Errorf("%w: process scores the proposals of agents that talk in rounds, and %s has no rounds: its steps are played as they come", ErrReward, template.Spec().ID)
	}
	switch {
	case o.Asks() && j.Asker == nil:
		return nil, nil, fmt.Errorf("%w: the critic %.40q is one of a server's (GET /v1/critics); without one there are %s and %s", ErrReward, o.Critic, SolutionCritic, RandomCritic)
	case o.Scores != "" && j.Table == nil:
		return nil, nil, fmt.Errorf("%w: the scores %.40q are those of a server that has loaded them", ErrReward, o.Scores)
	case o.Model != "" && j.Model == nil:
		return nil, nil, fmt.Errorf("%w: the model %.40q is one of a server that has loaded it", ErrReward, o.Model)
	case o.Model != "":
		if err := j.Model.CheckWorld(template.Spec().ID, template.Spec().ObsVersion); err != nil {
			return nil, nil, fmt.Errorf("%w: %w", ErrReward, err)
		}
	}
	wrap := func(e envs.Env) envs.Env {
		rounder, _ := envs.As[envs.Rounder](e)
		n := len(e.Spec().Agents)
		var scorer *process.Scorer
		if o.Model != "" {
			scorer = j.Model.Scorer()
		}
		return Stats(able(&processed{
			shaped: newShaped(e, r, 0, "process_valid", "process_score"), options: o, asker: j.Asker, table: j.Table, model: j.Model, scorer: scorer, rounder: rounder,
			playable: e.Spec().InfoColumn("valid"), right: make([]bool, 0, n), scores: make([]float32, n), valid: make([]float32, n), reasons: make([]string, n),
		}))
	}
	return wrap, r.Options(), nil
}

// processed pays each agent the score of its proposal: the scheme process.
type processed struct {
	shaped
	options  *ProcessOptions
	asker    *process.Asker
	table    *process.Table
	model    *process.Model
	scorer   *process.Scorer // of model
	rounder  envs.Rounder    // of the game inside
	playable int             // inner column valid, or -1

	text    []byte    // of the round
	scored  []float64 // by scorer
	right   []bool    // (agents,)
	scores  []float32 // (agents,) the column process_score
	valid   []float32 // (agents,) the column process_valid
	reasons []string  // (agents,) of the critic
	why     string    // there are no scores; "" where there are
}

// Reset implements envs.Env.
func (p *processed) Reset(seed uint64, out *envs.Frame) {
	p.reset(seed, out)
	p.forget()
	p.quiet(out)
	for i := range p.scores {
		p.noteScore(out, i)
	}
}

func (p *processed) forget() {
	clear(p.scores)
	clear(p.valid)
	clear(p.reasons)
	p.why = ""
}

// Step implements envs.Env. What is proposed is judged before it is played.
func (p *processed) Step(a envs.Actions, out *envs.Frame) {
	p.forget()
	if p.playing() {
		p.judge(a)
	}
	p.step(a, out)
	for i := range p.scores {
		p.settle(out, i)
	}
	p.remember(out)
}

// playing says whether anybody proposes anything.
func (p *processed) playing() bool {
	for _, dead := range p.dead {
		if !dead {
			return true
		}
	}
	return false
}

// settle pays an agent. A proposal that couldn't be played scores 0, whatever
// was said of it.
func (p *processed) settle(out *envs.Frame, i int) {
	wasted := p.playable >= 0 && p.info[i*p.width+p.playable] == 0
	if p.dead[i] || wasted {
		p.scores[i], p.reasons[i] = 0, ""
	}
	if p.dead[i] || p.why != "" {
		p.valid[i] = 0
	}
	shaping := float32(0)
	if p.valid[i] == 1 {
		shaping = p.scores[i] - float32(p.options.Baseline)
	}
	p.replace(out, i, shaping)
	p.noteScore(out, i)
}

func (p *processed) noteScore(out *envs.Frame, agent int) {
	k := p.column(agent, 2)
	out.Info[k], out.Info[k+1] = p.valid[agent], p.scores[agent]
}

// judge fills in scores, valid and reasons, or why.
func (p *processed) judge(a envs.Actions) {
	o := p.options
	var k process.Key
	if o.Critic != SolutionCritic || o.ErrorRate > 0 {
		p.text = p.rounder.AppendRound(p.text[:0], a)
		k = process.KeyOf(p.text)
	}
	switch {
	case o.Critic == SolutionCritic:
		p.right = p.rounder.AppendRight(p.right[:0], a)
		s := process.Solution{ErrorRate: o.ErrorRate, Seed: o.CriticSeed}
		for i, right := range p.right {
			x := s.One(k, i, right)
			p.take(i, x, process.Because(x))
		}
	case o.Critic == RandomCritic:
		for i := range p.scores {
			p.take(i, process.Random{Seed: o.CriticSeed}.One(k, i), "")
		}
	case p.table != nil:
		scores, reasons, known := p.table.Find(k)
		switch {
		case !known:
			p.why = "no score: the round is none of those that were scored"
		case len(scores) == 0:
			p.why = "no score: what the critic said of this round can't be used"
		default:
			p.takeAll(scores, reasons)
		}
	case p.scorer != nil:
		p.scored = p.scorer.Append(p.scored[:0], p.text)
		for i, x := range p.scored[:min(len(p.scored), len(p.scores))] {
			p.take(i, x, "")
		}
	default:
		p.ask()
	}
}

func (p *processed) ask() {
	got, err := p.asker.Ask(p.text)
	switch {
	case errors.Is(err, process.ErrDeadline):
		p.why = "no score: " + err.Error()
	case errors.Is(err, votes.ErrBudget):
		p.why = "no score: the budget of requests is used up"
	case err != nil: // it may tell of addresses and paths of the server
		p.why = "no score: the critic could not be had"
	case !got.Valid():
		p.why = "no score: the critic's answer can't be used: " + got.Invalid
	default:
		p.takeAll(got.Scores, got.Reasons)
	}
}

func (p *processed) takeAll(scores []float64, reasons []string) {
	if len(scores) != len(p.scores) {
		p.why = "no score: it is of a round with another number of proposals"
		return
	}
	for i, x := range scores {
		p.take(i, x, reasons[i])
	}
}

func (p *processed) take(agent int, score float64, reason string) {
	p.scores[agent], p.valid[agent], p.reasons[agent] = float32(score), 1, reason
}

// AppendNotes implements envs.Explainer: the critic's reasons, after what the
// game says.
func (p *processed) AppendNotes(dst []envs.Note) []envs.Note {
	if inner, ok := envs.As[envs.Explainer](p.env); ok {
		dst = inner.AppendNotes(dst)
	}
	for i, reason := range p.reasons {
		if p.why != "" {
			reason = p.why
		}
		if reason != "" {
			dst = append(dst, envs.Note{Agent: i, Kind: "reason", Text: reason})
		}
	}
	return dst
}

const processedTag = 'p'

// AppendSnapshot implements envs.Snapshotter.
func (p *processed) AppendSnapshot(dst []byte) []byte {
	inner, _ := envs.As[envs.Snapshotter](p.env)
	return inner.AppendSnapshot(appendFloats(appendFloats(p.appendState(dst, processedTag), p.scores), p.valid))
}

// Restore implements envs.Snapshotter.
func (p *processed) Restore(snapshot []byte, out *envs.Frame) error {
	own, err := p.checkState(snapshot, processedTag)
	if err != nil {
		return err
	}
	rest, err := checkFloats(own, 2*len(p.scores), 1)
	if err != nil {
		return err
	}
	if err := p.restore(rest, out); err != nil {
		return err
	}
	p.setState(snapshot, out)
	p.forget()
	for i := range p.scores {
		p.scores[i], p.valid[i] = floatOf(own, i), floatOf(own, len(p.scores)+i)
		p.noteScore(out, i)
	}
	return nil
}

// Clone implements envs.Cloner.
func (p *processed) Clone() envs.Env {
	d := *p
	d.shaped = p.shaped.cloned()
	d.rounder, _ = envs.As[envs.Rounder](d.env)
	d.text, d.scored, d.right = nil, nil, make([]bool, 0, len(p.scores))
	d.scores, d.valid = append([]float32(nil), p.scores...), append([]float32(nil), p.valid...)
	d.reasons = append([]string(nil), p.reasons...)
	if d.model != nil {
		d.scorer = d.model.Scorer()
	}
	return &d
}

// CloneInto implements envs.Cloner.
func (p *processed) CloneInto(dst envs.Env) {
	d := dst.(*processed)
	p.shaped.cloneInto(&d.shaped)
	copy(d.scores, p.scores)
	copy(d.valid, p.valid)
	copy(d.reasons, p.reasons)
	d.why = p.why
}
