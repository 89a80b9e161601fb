package study

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"marlpit/envs"
	"marlpit/shaping"
	"marlpit/shaping/llm"
	"marlpit/shaping/process"
)

// Policies that propose actions while rounds are sampled.
const (
	RandomProposals   = "random"   // legal choices, drawn evenly
	SolutionProposals = "solution" // what the task's own solution does next
	MixedProposals    = "mixed"    // half right, a quarter random, a quarter known to be wrong
)

// Ways of making wrong actions.
const (
	WrongByRule  = "rule"  // the world's own: legal, and known to be wrong
	WrongByModel = "model" // a language model's, checked by the world
)

// ErrNoRounds is returned for a world whose agents don't talk in rounds.
var ErrNoRounds = errors.New("study: the world has no rounds")

// SampleOptions say which rounds are wanted. Zero values take the defaults named.
type SampleOptions struct {
	Rounds    int    // different ones; 0: 200
	Episode   int    // of one episode at most, drawn over its length; 0: 5
	Seed      uint64 // of episodes and proposals
	Proposals string // policy; "": MixedProposals
	Wrong     string // how a further, wrong action is made for one agent of each round; "": not at all
	Adversary Adversary
}

// Adversary thinks of wrong actions that look right: *llm.Rounds does.
type Adversary interface {
	Wrong(ctx context.Context, r *process.Record, agent string) (a process.Adversarial, requests []shaping.Request, why string, err error)
}

var _ Adversary = (*llm.Rounds)(nil)

// Sampled says what became of a sampling.
type Sampled struct {
	Rounds      int `json:"rounds"`
	Episodes    int `json:"episodes"`
	Steps       int `json:"steps"`
	Proposals   int `json:"proposals"`
	Right       int `json:"right"`        // of them
	Adversarial int `json:"adversarial"`  // wrong actions that can be played
	TurnedRight int `json:"turned_right"` // of them: right after all, and marked so
	Unplayable  int `json:"unplayable"`   // made to be wrong, and refused by the world: left out
	Unreadable  int `json:"unreadable"`   // answers of the model without an action
	None        int `json:"none"`         // rounds for which the world knows no wrong action
}

// keepShare is the share of rounds that are kept as they are met, so that those
// of an episode aren't its first alone.
const keepShare = 0.3

// mostRepeats is how many rounds in a row may be passed over before a world is
// taken to have no others that are new.
const mostRepeats = 20_000

// SampleRounds plays a world and gives each round that it hasn't met before to
// emit, with what is right in it. The error is emit's, the adversary's or ctx's,
// ErrNoRounds, or that of bad options; what was sampled until then is right.
func SampleRounds(ctx context.Context, e envs.Env, opt SampleOptions, emit func(*process.Record) error) (Sampled, error) {
	s := &sampling{env: e, spec: e.Spec(), opt: opt, frame: envs.NewFrame(e.Spec()), act: envs.NewActions(e.Spec()), seen: map[process.Key]bool{}, said: make([][]byte, len(e.Spec().Agents))}
	var ok bool
	if s.rounder, ok = envs.As[envs.Rounder](e); !ok {
		return s.out, fmt.Errorf("%w: %s is played step by step", ErrNoRounds, s.spec.ID)
	}
	if s.proposer, ok = envs.As[envs.Proposer](e); !ok {
		return s.out, fmt.Errorf("%w: %s takes no actions in words", ErrNoRounds, s.spec.ID)
	}
	if s.opt.Rounds == 0 {
		s.opt.Rounds = 200
	}
	if s.opt.Episode == 0 {
		s.opt.Episode = 5
	}
	if s.opt.Proposals == "" {
		s.opt.Proposals = MixedProposals
	}
	switch {
	case !slices.Contains([]string{RandomProposals, SolutionProposals, MixedProposals}, s.opt.Proposals):
		return s.out, fmt.Errorf("study: proposals are random, solution or mixed, got %.40q", s.opt.Proposals)
	case !slices.Contains([]string{"", WrongByRule, WrongByModel}, s.opt.Wrong):
		return s.out, fmt.Errorf("study: wrong actions are made by rule or model, got %.40q", s.opt.Wrong)
	case s.opt.Wrong == WrongByModel && s.opt.Adversary == nil:
		return s.out, errors.New("study: wrong actions by a model need a model")
	}
	if s.guide, ok = envs.As[envs.Guide](e); !ok && s.opt.Proposals != RandomProposals {
		return s.out, fmt.Errorf("study: %s knows no right actions: its proposals can only be random", s.spec.ID)
	}
	s.rng.Seed(opt.Seed)
	return s.out, s.run(ctx, emit)
}

type sampling struct {
	env      envs.Env
	spec     *envs.Spec
	opt      SampleOptions
	rounder  envs.Rounder
	proposer envs.Proposer
	guide    envs.Guide // nil where proposals are random
	frame    *envs.Frame
	act      envs.Actions
	rng      envs.Rand
	seen     map[process.Key]bool
	said     [][]byte // (agents,) proposals in words; nil where a number is proposed
	out      Sampled
}

func (s *sampling) run(ctx context.Context, emit func(*process.Record) error) error {
	fresh, repeats, kept := true, 0, 0
	for s.out.Rounds < s.opt.Rounds {
		if err := ctx.Err(); err != nil {
			return err
		}
		if fresh {
			s.env.Reset(envs.EpisodeSeed(s.opt.Seed, 0, s.out.Episodes), s.frame)
			s.out.Episodes++
			kept = 0
		}
		s.propose()
		r, err := s.record(s.act)
		if err != nil {
			return err
		}
		if wanted := s.rng.Float64() < keepShare; !s.seen[r.Key()] && wanted {
			repeats = 0
			kept++
			s.seen[r.Key()] = true
			if err := s.keep(ctx, r, emit); err != nil {
				return err
			}
		} else if repeats++; repeats == mostRepeats {
			return fmt.Errorf("study: %d rounds of %s were found, and then none that are new in %d: ask for fewer", s.out.Rounds, s.spec.ID, repeats)
		}
		s.env.Step(s.act, s.frame)
		s.out.Steps++
		fresh = s.frame.Ended() || kept == s.opt.Episode
	}
	return nil
}

// record is the coming step as critics see it, with what is right in it.
func (s *sampling) record(act envs.Actions) (*process.Record, error) {
	r, err := process.ParseRecord(s.rounder.AppendRound(nil, act))
	if err != nil {
		return nil, fmt.Errorf("study: %s: %w", s.spec.ID, err)
	}
	r.Right = s.rounder.AppendRight(nil, act)
	return r, nil
}

// keep gives a round away, with a wrong action where one is wanted.
func (s *sampling) keep(ctx context.Context, r *process.Record, emit func(*process.Record) error) error {
	wrong, err := s.wrong(ctx, r)
	if err != nil {
		return err
	}
	s.out.Rounds++
	for _, right := range r.Right {
		s.out.Proposals++
		if right {
			s.out.Right++
		}
	}
	if wrong != nil {
		r.Adversarial = []process.Adversarial{*wrong}
		s.out.Adversarial++
		if *wrong.Right {
			s.out.TurnedRight++
		}
	}
	return emit(r)
}

// propose draws what each agent proposes.
func (s *sampling) propose() {
	envs.DrawLegal(s.spec, s.frame.Mask, &s.rng, s.act)
	if s.opt.Proposals == RandomProposals {
		return
	}
	for agent := range s.spec.Agents {
		s.said[agent] = nil
		draw := s.rng.Float64()
		switch {
		case s.opt.Proposals == SolutionProposals || draw < 0.5:
			s.say(agent, s.guide.AppendSolution(nil))
		case draw < 0.75:
			s.say(agent, s.rounder.AppendWrong(nil, agent, &s.rng))
		}
	}
}

// say makes an agent propose an action in words, if it can be played.
func (s *sampling) say(agent int, action []byte) {
	if len(action) > 0 && s.proposer.Propose(agent, action) == nil {
		s.act.Choice[agent], s.said[agent] = s.proposer.ProposalChoice(), action
	}
}

// wrong makes a wrong action for one agent of a round, and has the world check
// it; nil where there is none. What the agents propose stays as it was.
func (s *sampling) wrong(ctx context.Context, r *process.Record) (*process.Adversarial, error) {
	if s.opt.Wrong == "" {
		return nil, nil
	}
	agent := s.out.Rounds % len(s.spec.Agents)
	a := process.Adversarial{Agent: s.spec.Agents[agent], By: WrongByRule}
	if s.opt.Wrong == WrongByRule {
		if a.Action = s.rounder.AppendWrong(nil, agent, &s.rng); len(a.Action) == 0 {
			s.out.None++
			return nil, nil
		}
	} else {
		made, _, why, err := s.opt.Adversary.Wrong(ctx, r, a.Agent)
		if err != nil {
			return nil, err
		}
		if why != "" {
			s.out.Unreadable++
			return nil, nil
		}
		a = made
	}
	checked := s.check(agent, a)
	if said := s.said[agent]; said != nil {
		_ = s.proposer.Propose(agent, said) // it could be played before
	}
	if checked == nil {
		s.out.Unplayable++
	}
	return checked, nil
}

// check fills in what the world says of an action: its words, and whether it is
// right after all; nil where it can't be played.
func (s *sampling) check(agent int, a process.Adversarial) *process.Adversarial {
	if s.proposer.Propose(agent, a.Action) != nil {
		return nil
	}
	try := slices.Clone(s.spec.Noop)
	try[agent] = s.proposer.ProposalChoice()
	r, err := s.record(envs.Actions{Choice: try})
	if err != nil || r.Proposals[agent].Wasted() {
		return nil
	}
	a.Action, a.Words = r.Proposals[agent].Action, r.Proposals[agent].Words
	right := r.Right[agent]
	a.Right = &right
	return &a
}
