package api

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"marlpit/envs"
	"marlpit/shaping/process"
	"marlpit/shaping/study"
	"marlpit/shaping/votes"
	"marlpit/wrappers"
)

// rounds is what sessions with the scheme process share: recorded scores, and
// the file of what critics have answered.
type rounds struct {
	tables map[string]*process.Table // by the name they are loaded under
	models map[string]*process.Model // by the name they are loaded under

	mu        sync.Mutex
	file      *process.DB // nil until a session asks a critic
	temporary string      // its folder, where that goes with the server
}

// asking is the asker of a session and its forks.
type asking struct {
	*process.Asker
	users atomic.Int64
}

// Share notes one more user.
func (a *asking) Share() { a.users.Add(1) }

// Leave ends the asker with its last user. What is under way ends by itself:
// nobody waits for it.
func (a *asking) Leave() {
	if a.users.Add(-1) == 0 {
		go a.Close()
	}
}

// open gives the file of answers, made at the first call.
func (r *rounds) open(dir string) (_ *process.DB, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.file != nil {
		return r.file, nil
	}
	if dir == "" {
		if r.temporary, err = os.MkdirTemp("", "marlpit-rounds"); err != nil {
			return nil, fmt.Errorf("%w: %w", errInternal, err)
		}
		dir = r.temporary
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("%w: %w", errInternal, err)
	}
	if r.file, err = process.Create(context.Background(), filepath.Join(dir, "rounds.db")); err != nil {
		return nil, fmt.Errorf("%w: %w", errInternal, err)
	}
	return r.file, nil
}

func (r *rounds) close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	var err error
	if r.file != nil {
		err = r.file.Close()
	}
	if r.temporary != "" {
		err = errors.Join(err, os.RemoveAll(r.temporary))
	}
	return err
}

// buildProcess makes the wrapper of the scheme process.
func (s *Server) buildProcess(template envs.Env, r wrappers.Reward) (out built, err error) {
	o := r.Process
	if o.Scores != "" {
		table, err := loaded(s.rounds.tables, o.Scores, "scores", "--scores")
		if err != nil {
			return out, err
		}
		out.wrap, out.resolved, err = wrappers.BuildProcess(template, r, wrappers.Judges{Table: table})
		return out, err
	}
	if o.Model != "" {
		model, err := loaded(s.rounds.models, o.Model, "scorer", "--process")
		if err != nil {
			return out, err
		}
		out.wrap, out.resolved, err = wrappers.BuildProcess(template, r, wrappers.Judges{Model: model})
		return out, err
	}
	if !o.Asks() {
		out.wrap, out.resolved, err = wrappers.BuildProcess(template, r, wrappers.Judges{})
		return out, err
	}
	// The world first: a wrong one shall not open files.
	if _, ok := envs.As[envs.Rounder](template); !ok {
		_, _, err := wrappers.BuildProcess(template, r, wrappers.Judges{})
		return out, err
	}
	asker, err := s.newAsker(o)
	if err != nil {
		return out, err
	}
	a := &asking{Asker: asker}
	a.Share()
	if out.wrap, out.resolved, err = wrappers.BuildProcess(template, r, wrappers.Judges{Asker: asker}); err != nil {
		a.Leave()
		return out, err
	}
	out.lease, out.waits = a, o.Concurrency
	return out, nil
}

// loaded is what the server has under a name, or an error that lists the names.
func loaded[T any](all map[string]*T, name, what, flag string) (*T, error) {
	if x, ok := all[name]; ok {
		return x, nil
	}
	names := "none are loaded (serve " + flag + " FILE)"
	if len(all) > 0 {
		names = "there are " + strings.Join(slices.Sorted(maps.Keys(all)), ", ")
	}
	return nil, fmt.Errorf("%w: the server has no %s named %.40q: %s", wrappers.ErrReward, what, name, names)
}

// newAsker makes the asker of a session, with a budget of its own.
func (s *Server) newAsker(o *wrappers.ProcessOptions) (*process.Asker, error) {
	i := slices.IndexFunc(s.cfg.Critics, func(c study.LiveCritic) bool { return c.Name == o.Critic && c.Kind == "openai" && c.BuildRounds != nil })
	if i < 0 {
		names := []string{wrappers.SolutionCritic, wrappers.RandomCritic}
		for _, c := range s.cfg.Critics {
			if c.Kind == "openai" {
				names = append(names, c.Name)
			}
		}
		return nil, fmt.Errorf("%w: the server has no critic of rounds named %.40q: there are %s", wrappers.ErrReward, o.Critic, strings.Join(names, ", "))
	}
	db, err := s.rounds.open(s.cfg.StateDir)
	if err != nil {
		return nil, err
	}
	name := s.cfg.Critics[i].Name
	critic, err := s.cfg.Critics[i].BuildRounds(study.CriticDeps{
		Store: db.Recorder(), Meter: votes.NewBudget(votes.Limits{Requests: o.BudgetRequests}), Stop: s.closing,
	})
	if err != nil {
		s.cfg.Log.Error().Err(err).Str("critic", name).Msg("critic of rounds can't be had")
		return nil, fmt.Errorf("%w: the critic %.40q can't be had; the server's log says more", wrappers.ErrReward, name)
	}
	if err := study.NotePrompts(context.Background(), db, study.RoundPrompts("openai")); err != nil {
		return nil, fmt.Errorf("%w: %w", errInternal, err)
	}
	return process.NewAsker(critic, db, process.AskOptions{
		Deadline: time.Duration(o.Deadline * float64(time.Second)), Concurrency: o.Concurrency, Stop: s.closing, Heard: s.heardRound(name),
	}), nil
}

// heardRound counts what becomes of rounds, and logs when a critic begins to fail.
func (s *Server) heardRound(critic string) func(outcome string, err error) {
	var failing atomic.Bool
	return func(outcome string, err error) {
		s.metrics.models.WithLabelValues(critic, outcome).Inc()
		if err == nil {
			failing.Store(false)
		} else if !failing.Swap(true) {
			s.cfg.Log.Warn().Err(err).Str("critic", critic).Msg("rounds get no scores")
		}
	}
}
