package report

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"marlpit/shaping"
	"marlpit/shaping/prefer"
	"marlpit/shaping/votes"
)

// ErrInput is returned for files that no page can be made of: neither votes nor
// a model, damaged, or of different worlds; and for an unknown annotator.
var ErrInput = errors.New("report: unusable input")

// Sniff says what a file is by its first bytes: "votes" or "model". It returns
// an error wrapping ErrInput for anything else.
func Sniff(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", fmt.Errorf("%w: %w", ErrInput, err)
	}
	start := make([]byte, 16)
	n, err := io.ReadFull(f, start)
	if err = errors.Join(err, f.Close()); err != nil && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) {
		return "", fmt.Errorf("%w: %w", ErrInput, err)
	}
	switch text := string(start[:n]); {
	case text == "SQLite format 3\x00":
		return "votes", nil
	case len(text) >= 8 && text[:7] == "marlpit":
		return "model", nil
	}
	return "", fmt.Errorf("%w: %s is neither a vote file (`marlpit collect` makes one) nor a model (`marlpit fit` makes one)", ErrInput, path)
}

// source is what a page is made of. Without a vote file db is nil, without a
// model model is.
type source struct {
	world       votes.World
	db          *votes.DB
	collections []votes.Collection
	examples    []votes.Counted           // every transition and agent, without votes
	team        []votes.Counted           // those of the team
	members     map[int64][]votes.Counted // the examples, by transition
	annotators  []judge
	spent       []votes.Spending
	model       *prefer.Model
}

// judge is one annotator with its votes.
type judge struct {
	name        string
	votes, team []votes.Counted // about agents, about the team
}

// load reads everything a page needs, and checks it.
func load(ctx context.Context, opt Options) (s *source, err error) {
	s = &source{}
	if opt.Model != "" {
		if err := s.loadModel(opt.Model); err != nil {
			return nil, err
		}
	}
	if opt.Votes == "" {
		if opt.Annotator != "" {
			return nil, fmt.Errorf("%w: an annotator is asked for, but no vote file is given", ErrInput)
		}
		return s, nil
	}
	if err := s.loadVotes(ctx, opt); err != nil {
		return nil, errors.Join(err, s.close())
	}
	return s, nil
}

func (s *source) close() error {
	if s.db == nil {
		return nil
	}
	return s.db.Close()
}

func (s *source) loadModel(path string) error {
	if kind, err := Sniff(path); err != nil {
		return err
	} else if kind != "model" {
		return fmt.Errorf("%w: %s is a vote file, a model is wanted here", ErrInput, path)
	}
	f, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrInput, err)
	}
	s.model, err = prefer.Load(f)
	if err = errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("%w: %s: %w", ErrInput, path, err)
	}
	s.world = votes.World(s.model.Header.World)
	return nil
}

func (s *source) loadVotes(ctx context.Context, opt Options) (err error) {
	if kind, err := Sniff(opt.Votes); err != nil {
		return err
	} else if kind != "votes" {
		return fmt.Errorf("%w: %s is a model, a vote file is wanted here", ErrInput, opt.Votes)
	}
	if s.db, err = votes.Open(ctx, opt.Votes); err != nil {
		return fmt.Errorf("%w: %w", ErrInput, err)
	}
	if s.world, err = s.db.World(ctx); err != nil {
		return fmt.Errorf("%w: %w", ErrInput, err)
	}
	if s.model != nil {
		if err := s.model.CheckSpec(prefer.World(s.world)); err != nil {
			return fmt.Errorf("%w: %s and %s: %w", ErrInput, opt.Model, opt.Votes, err)
		}
	}
	if err := s.readVotes(ctx, opt.Annotator); err != nil {
		return fmt.Errorf("%w: %s: %w", ErrInput, opt.Votes, err)
	}
	return nil
}

func (s *source) readVotes(ctx context.Context, annotator string) error {
	names, err := s.db.Annotators(ctx)
	if err != nil {
		return err
	}
	if annotator != "" {
		name, err := s.db.Annotator(ctx, annotator)
		if err != nil {
			return err
		}
		names = []string{name}
	}
	var errs [4]error
	s.collections, errs[0] = s.db.Collections(ctx)
	s.examples, errs[1] = s.db.Examples(ctx, false)
	s.team, errs[2] = s.db.Examples(ctx, true)
	s.spent, errs[3] = s.db.Spendings(ctx)
	if err := errors.Join(errs[:]...); err != nil {
		return err
	}
	s.members = map[int64][]votes.Counted{}
	for _, c := range s.examples {
		s.members[c.Transition] = append(s.members[c.Transition], c)
	}
	for _, name := range names {
		j := judge{name: name}
		j.votes, errs[0] = s.db.Counts(ctx, name, false, 0)
		j.team, errs[1] = s.db.Counts(ctx, name, true, 0)
		if err := errors.Join(errs[:2]...); err != nil {
			return err
		}
		s.annotators = append(s.annotators, j)
	}
	return nil
}

// delta is the model's σ(b) − σ(a) on a question. The team's, where each agent
// has a net of its own, is their sum.
func (s *source) delta(c votes.Counted) float64 {
	if c.Agent != votes.Team || s.model.Header.Kind == prefer.Shared {
		return s.deltaOf(max(c.Agent, 0), c)
	}
	sum := 0.0
	for _, member := range s.members[c.Transition] {
		sum += s.deltaOf(member.Agent, member)
	}
	return sum
}

func (s *source) deltaOf(agent int, c votes.Counted) float64 {
	a, b := c.StateA, c.StateB
	if s.model.Input(agent) == shaping.Focus {
		a, b = c.FocusA, c.FocusB
	}
	return float64(s.model.Value(agent, b)) - float64(s.model.Value(agent, a))
}

// agent is the name of an agent of the world; "team" for the team.
func (s *source) agent(i int) string {
	if i == votes.Team {
		return "team"
	}
	return s.world.Agents[i]
}
