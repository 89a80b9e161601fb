package api

import (
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

// tellRounds keeps the coming step of each row as critics see it.
func (s *session) tellRounds() (err error) {
	defer recovered(&err)
	n := len(s.spec.Noop)
	for i := range s.pool.Len() {
		if _, _, _, _, ended := s.pool.Episode(i); ended {
			s.rounds = append(s.rounds, nil)
			continue
		}
		e, _ := envs.As[envs.Rounder](s.pool.Env(i))
		s.rounds = append(s.rounds, e.AppendRound(nil, envs.Actions{Choice: s.actions.choice[i*n : (i+1)*n]}))
	}
	return nil
}

// appendRounds appends the rounds to a reply: one JSON object a row, or null.
func (s *session) appendRounds(dst []byte, asJSON bool) []byte {
	list := []byte{'['}
	for i, b := range s.rounds {
		if i > 0 {
			list = append(list, ',')
		}
		if len(b) == 0 {
			b = []byte("null")
		}
		list = append(list, b...)
	}
	list = append(list, ']')
	if asJSON {
		return append(appendKeyJSON(dst, "rounds"), list...)
	}
	packed, err := fromJSON(list)
	if err != nil {
		panic(err) // the worlds write JSON
	}
	return append(appendText(dst, "rounds"), packed...)
}

// proposal is what an agent of a row said in the last step, or nil.
func (s *session) proposal(row, agent int) []byte {
	i := slices.IndexFunc(s.spoken, func(p proposed) bool { return p.row == row && p.agent == agent })
	if i < 0 {
		return nil
	}
	return s.spoken[i].action
}
