package report

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"marlpit/envs"
	"marlpit/shaping/votes"
)

// Options say what a page is about: at least one of the two files.
type Options struct {
	Votes     string        // vote file
	Model     string        // model file
	Annotator string        // tell of this one alone: by name or part of it; "": of all
	Worst     int           // disagreements of each kind that are shown; 0: 8
	Registry  envs.Registry // where the world is looked up, for pictures
	CreatedBy string        // program and version
}

// Summary says what became of a page.
type Summary struct {
	Env        string   `json:"env"`
	Annotators []string `json:"annotators"`
	Model      string   `json:"model,omitempty"` // its name
	Pictures   bool     `json:"pictures"`
	Notes      []string `json:"notes"` // what was left out, and why
}

// maxNoted bounds the notes, and each one's length.
const maxNoted = 300

// Write renders the page. Nothing is written before everything was read and
// rendered. It returns errors wrapping ErrInput for files and names that no
// page can be made of.
func Write(ctx context.Context, w io.Writer, opt Options) (sum Summary, err error) {
	if opt.Worst <= 0 {
		opt.Worst = 8
	}
	if opt.Votes == "" && opt.Model == "" {
		return sum, fmt.Errorf("%w: neither a vote file nor a model is given", ErrInput)
	}
	src, err := load(ctx, opt)
	if err != nil {
		return sum, cmp.Or(ctx.Err(), err)
	}
	defer func() { err = errors.Join(err, src.close()) }()
	b := &builder{src: src, opt: opt, pictures: album{left: pictureBytes}}
	p, err := b.build(ctx)
	if err != nil { // what the file holds can't be read
		return sum, cmp.Or(ctx.Err(), fmt.Errorf("%w: %s: %w", ErrInput, opt.Votes, err))
	}
	var out bytes.Buffer
	if err := page.Execute(&out, p); err != nil {
		return sum, err
	}
	sum = Summary{Env: src.world.Env, Pictures: b.scene != nil && b.scene.draw != nil,
		Annotators: []string{}, Notes: append([]string{}, p.Notes...)}
	for _, j := range src.annotators {
		sum.Annotators = append(sum.Annotators, j.name)
	}
	if src.model != nil {
		sum.Model = src.model.Header.Name
	}
	_, err = w.Write(out.Bytes())
	return sum, err
}

// builder makes the parts of one page.
type builder struct {
	src      *source
	opt      Options
	scene    *scene // nil where this program has no such world
	pictures album
	notes    []string
}

// content is what the template shows.
type content struct {
	Title       string
	CreatedBy   string
	Files       []string
	World       votes.World
	Params      []param
	Collections []votes.Collection
	Transitions int
	Ended       int    // of them the last of an episode
	Held        int    // of them held out of fits
	Frames      int64  // of collection
	Yardstick   string // what credit is measured by
	Exact       bool   // it is exact
	Annotators  []annotatorPart
	Model       *modelPart
	Examples    cardList
	Notes       []string
}

// Recorded says whether credit is what a recording of somebody's own
// environment says it is.
func (p *content) Recorded() bool { return !p.Exact && strings.Contains(p.Yardstick, votes.AsRecorded) }

// Bound says whether credit is measured by an estimate.
func (p *content) Bound() bool { return !p.Exact && strings.Contains(p.Yardstick, "bound: ") }

// HasWorst says whether there are disagreements to show.
func (p *content) HasWorst() bool {
	if p.Model != nil && len(p.Model.Wrong.Cards)+len(p.Model.AboutVote.Cards) > 0 {
		return true
	}
	return slices.ContainsFunc(p.Annotators, func(a annotatorPart) bool { return len(a.Worst.Cards) > 0 })
}

// param is one parameter of the world.
type param struct{ Name, Value string }

func (b *builder) build(ctx context.Context) (*content, error) {
	p := &content{Title: b.src.world.Env, CreatedBy: b.opt.CreatedBy, World: b.src.world, Collections: b.src.collections}
	for _, path := range []string{b.opt.Votes, b.opt.Model} {
		if path != "" {
			p.Files = append(p.Files, filepath.Base(path))
		}
	}
	for _, name := range sortedKeys(b.src.world.Params) {
		p.Params = append(p.Params, param{name, cut(fmt.Sprint(b.src.world.Params[name]), 60)})
	}
	played := b.src.world.Params
	if len(b.src.collections) > 0 {
		played = b.src.collections[0].Params
	}
	var why string
	if b.scene, why = openScene(b.opt.Registry, b.src.world, played); b.scene == nil {
		b.note("No pictures and no maps: %s.", why)
	} else if b.scene.draw == nil {
		b.note("No pictures: the world draws none.")
	}
	b.collected(p)
	if err := b.judged(ctx, p); err != nil {
		return nil, err
	}
	if b.src.model != nil {
		if err := b.modelled(ctx, p); err != nil {
			return nil, err
		}
	}
	if b.pictures.refused > 0 {
		b.note("%d pictures are left out: the page has its fill.", b.pictures.refused)
	}
	p.Notes = b.notes
	return p, nil
}

func (b *builder) note(format string, a ...any) {
	b.notes = append(b.notes, cut(fmt.Sprintf(format, a...), maxNoted))
}

// collected tells of the transitions.
func (b *builder) collected(p *content) {
	seen := map[int64]bool{}
	for _, c := range b.src.team {
		p.Transitions++
		seen[c.Transition] = true
		if c.Held {
			p.Held++
		}
	}
	p.Exact = len(p.Collections) > 0
	var solvers []string
	for _, c := range p.Collections {
		p.Frames += c.Frames
		p.Exact = p.Exact && c.Solver == "exact"
		if !slices.Contains(solvers, c.Solver) {
			solvers = append(solvers, c.Solver)
		}
	}
	p.Yardstick = strings.Join(solvers, "; ")
	if b.src.db == nil {
		p.Frames = b.src.model.Header.Frames
	}
}

// judged tells of the annotators, and shows a few questions.
func (b *builder) judged(ctx context.Context, p *content) error {
	if b.src.db == nil {
		return nil
	}
	for i, j := range b.src.annotators {
		a, err := b.annotator(ctx, i)
		if err != nil {
			return err
		}
		if i < maxDetailed {
			a.Detailed = true
			if a.Worst, err = b.worst(ctx, wrongVotes(slices.Concat(j.votes, j.team)), true); err != nil {
				return err
			}
		}
		p.Annotators = append(p.Annotators, a)
	}
	if n := len(p.Annotators) - maxDetailed; n > 0 {
		b.note("%d annotators stand in the table only; --annotator tells of one.", n)
	}
	return b.examples(ctx, p)
}

// examples shows one question of each family, whatever came of it: one with
// credit that isn't zero, where there is one.
func (b *builder) examples(ctx context.Context, p *content) error {
	counts := b.src.examples
	if len(b.src.annotators) > 0 && len(b.src.annotators[0].votes) > 0 {
		counts = b.src.annotators[0].votes
	}
	picked := map[string]votes.Counted{}
	for _, c := range counts {
		if have, ok := picked[c.Family]; !ok || have.Truth == 0 && c.Truth != 0 && c.Truth == c.Truth {
			picked[c.Family] = c
		}
	}
	for _, family := range sortedKeys(picked) {
		if len(p.Examples.Cards) == maxExamples {
			break
		}
		c, err := b.card(ctx, picked[family])
		if err != nil {
			return err
		}
		p.Examples.Cards = append(p.Examples.Cards, c)
	}
	p.Examples.Of = len(picked)
	return nil
}

// maxExamples bounds the questions shown whatever came of them.
const maxExamples = 6

func sortedKeys[V any](m map[string]V) []string {
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
