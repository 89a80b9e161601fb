package ui

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// become makes the game what the state says; after an error it is of no use.
func (g *Game) become(s *state) error {
	k := slices.IndexFunc(g.templates, func(t *Template) bool { return t.Name == s.Template })
	if k < 0 {
		return fmt.Errorf("template: %.60q is none of this game's %d templates", s.Template, len(g.templates))
	}
	if s.Seed>>53 != 0 || g.Split == "train" && s.Seed&1 == 1 || g.Split == "heldout-seeds" && s.Seed&1 == 0 {
		return fmt.Errorf("seed: %d: want one below 2^53, even for training and odd for held-out seeds", s.Seed)
	}
	g.start(g.templates[k], s.Seed)
	for _, step := range []func(*state) error{g.setProgress, g.setDevice, g.setHistory, g.setGraph, g.setSaid, g.setVote} {
		if err := step(s); err != nil {
			return err
		}
	}
	return nil
}

func (g *Game) setProgress(s *state) error {
	d := &g.d
	status := slices.Index([]string{Playing.String(), Completed.String(), Impossible.String(), OutOfTurns.String()}, s.Status)
	limit := d.MaxTurns()
	switch {
	case status < 0:
		return fmt.Errorf("status: %.60q: want playing, complete, infeasible or out of turns", s.Status)
	case s.Turn < 0 || s.Turn > limit:
		return fmt.Errorf("turn: %d: want 0 to %d", s.Turn, limit)
	case s.Round < 0 || s.Round >= g.Rounds:
		return fmt.Errorf("round: %d: want 0 to %d", s.Round, g.Rounds-1)
	}
	d.status = Verdict(status) //nolint:gosec // one of four
	switch {
	case d.status == Playing && s.Turn == limit || d.status == OutOfTurns && s.Turn < limit:
		return fmt.Errorf("status: %s in turn %d of %d", s.Status, s.Turn, limit)
	case d.status != Playing && (s.Turn == 0 || s.Round != 0):
		return fmt.Errorf("status: %s in turn %d, round %d: an episode ends with an executed action", s.Status, s.Turn, s.Round)
	}
	d.turns, g.round = s.Turn, s.Round
	g.cycle = s.Turn*g.Rounds + s.Round
	if g.MaxCycles > 0 && g.cycle > g.MaxCycles {
		return fmt.Errorf("turn: %d with round %d is step %d, beyond the limit of %d", s.Turn, s.Round, g.cycle, g.MaxCycles)
	}
	return nil
}

func (g *Game) setDevice(s *state) error {
	d := &g.d
	if len(s.Sim) > 0 && string(s.Sim) != "null" {
		if err := d.play.unmarshal(s.Sim); err != nil {
			return fmt.Errorf("sim: %w", err)
		}
	}
	if e, ok := d.play.sim().(Ender); ok && e.Ended() && d.status == Playing {
		return fmt.Errorf("status: playing on a page that has ended")
	}
	if len(s.Scrolls) > maxScrolls {
		return fmt.Errorf("scrolls: %d of them, at most %d are kept", len(s.Scrolls), maxScrolls)
	}
	for i, x := range s.Scrolls {
		if x.On == "" || x.Offset < 0 || x.Offset > 1e6 {
			return fmt.Errorf("scrolls: %d: %.60q by %d: want a name and pixels", i, x.On, x.Offset)
		}
		d.scrolls[i] = x
	}
	if s.Focus != nil {
		d.focusOn, d.focusKey = s.Focus.On, s.Focus.Key
	}
	d.answer, d.judged = append(d.answer[:0], s.Answer...), false
	d.show()
	return nil
}

func (g *Game) setHistory(s *state) error {
	if len(s.History) != s.Turn {
		return fmt.Errorf("history: %d actions in turn %d", len(s.History), s.Turn)
	}
	for i, p := range s.History {
		a, err := parseExecuted(p.Action)
		if err != nil {
			return fmt.Errorf("history: %d: %w", i, err)
		}
		g.past.append(step{verb: a.Verb, dir: a.Dir, complete: a.Complete}, p.Name, a.Text)
	}
	return nil
}

// parseExecuted reads an action whose index has passed.
func parseExecuted(data json.RawMessage) (Action, error) {
	for _, v := range []Verb{VerbClick, VerbLongPress, VerbInput} {
		if prefix := `{"action_type":"` + v.String() + `"`; strings.HasPrefix(string(data), prefix) {
			data = append([]byte(prefix+`,"index":0`), data[len(prefix):]...)
		}
	}
	a, _, err := ParseAction(data)
	return a, err
}

func (g *Game) setGraph(s *state) error {
	g.hears = [maxAgents]uint16{}
	for i, e := range s.Graph {
		if min(e[0], e[1]) < 0 || max(e[0], e[1]) >= g.Agents {
			return fmt.Errorf("graph: %d: %v: want pairs of agents from 0 to %d", i, e, g.Agents-1)
		}
		g.hears[e[0]] |= 1 << e[1]
	}
	if !acyclic(&g.hears, g.Agents) {
		return fmt.Errorf("graph: there is a circle of agents who hear each other")
	}
	return nil
}

func (g *Game) setSaid(s *state) error {
	if len(s.Said) != 0 && len(s.Said) != g.Agents || (len(s.Said) > 0) != (s.Round > 0) {
		return fmt.Errorf("said: %d proposals in round %d: want one for each of %d agents after the first round, none before", len(s.Said), s.Round, g.Agents)
	}
	for i, m := range s.Said {
		if m.Action == nil {
			if m.Error == "" {
				return fmt.Errorf("said: %d: neither an action nor an error", i)
			}
			g.said[i] = message{kind: wasted, problem: m.Error}
			continue
		}
		a, _, err := ParseAction(m.Action)
		if err == nil {
			err = g.d.Explain(a)
		}
		if err == nil && (m.Error != "" || len(m.Reason) > maxReason) {
			err = fmt.Errorf("an error beside the action, or a reason of %d bytes", len(m.Reason))
		}
		if err != nil {
			return fmt.Errorf("said: %d: %w", i, err)
		}
		g.said[i] = g.proposed(a, m.Reason)
	}
	return nil
}

func (g *Game) setVote(s *state) error {
	v := s.Vote
	if v.Valid < 0 || v.Valid > g.Agents || v.Most < 0 || v.Most > v.Valid ||
		v.Executed && (s.Turn == 0 || s.Round != 0) || !v.Executed && v.Valid != 0 || v.Most == 0 && v.Valid != 0 {
		return fmt.Errorf("vote: %+v in turn %d, round %d with %d agents", v, s.Turn, s.Round, g.Agents)
	}
	g.vote = vote{v.Executed, v.Most, v.Valid}
	if n := len(s.Errors); n != 0 && n != g.Agents {
		return fmt.Errorf("errors: %d, want none or %d", n, g.Agents)
	}
	copy(g.wasted, s.Errors)
	return nil
}
