package api

import (
	"bytes"
	"encoding/json"
	"slices"

	"marlpit/envs"
)

// wantsRounds reads whether a step's reply is to hold the step as critics see it.
func (s *session) wantsRounds(r *reader, raw []byte) (bool, error) {
	if raw == nil {
		return false, nil
	}
	rr := r.sub(raw)
	wanted, ok := rr.boolean()
	if !ok {
		return false, wrongType("/rounds", "true or false", &rr)
	}
	if _, able := envs.As[envs.Rounder](s.pool.Env(0)); wanted && !able {
		return false, refuse(errNoAbility, "/rounds", "%s has no rounds to show", s.env)
	}
	return wanted, nil
}

// tellRounds keeps the coming step of each row as critics see it, as lines of a
// recording of rounds: the world's own text, and which proposals are right.
func (s *session) tellRounds() (err error) {
	defer recovered(&err)
	n := len(s.spec.Noop)
	var right []bool
	for i := range s.pool.Len() {
		if _, _, _, _, ended := s.pool.Episode(i); ended {
			s.rounds = append(s.rounds, nil)
			continue
		}
		e, _ := envs.As[envs.Rounder](s.pool.Env(i))
		a := envs.Actions{Choice: s.actions.choice[i*n : (i+1)*n]}
		right = e.AppendRight(right[:0], a)
		line := bytes.TrimSuffix(e.AppendRound(nil, a), []byte("}"))
		known, err := json.Marshal(right)
		if err != nil {
			return err
		}
		s.rounds = append(s.rounds, append(append(append(line, `,"right":`...), known...), '}'))
	}
	return nil
}

// appendRounds appends the rounds to a reply: one JSON text a row, or null. They
// travel as texts, so that their bytes stay what the world wrote.
func (s *session) appendRounds(dst []byte, asJSON bool) []byte {
	list := make([]*string, len(s.rounds))
	for i, b := range s.rounds {
		if len(b) > 0 {
			text := string(b)
			list[i] = &text
		}
	}
	b, err := encode(list, asJSON)
	if err != nil {
		panic(err) // texts always encode
	}
	if asJSON {
		return append(appendKeyJSON(dst, "rounds"), b...)
	}
	return append(appendText(dst, "rounds"), b...)
}

// proposal is what an agent of a row said in the last step, or nil.
func (s *session) proposal(row, agent int) []byte {
	i := slices.IndexFunc(s.spoken, func(p proposed) bool { return p.row == row && p.agent == agent })
	if i < 0 {
		return nil
	}
	return s.spoken[i].action
}
