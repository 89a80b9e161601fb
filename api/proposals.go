package api

import (
	"bytes"
	"encoding/json"
	"math"
	"slices"
	"strconv"

	"marlpit/envs"
)

// maxProposal is the most bytes of one agent's proposal, as JSON.
const maxProposal = 16 << 10

// proposed is one agent's proposal in the coming step.
type proposed struct {
	row, agent int
	action     []byte // JSON, or what was sent in its place: the world says what is wrong with it
}

// propose reads the proposals of a step, hands them to the worlds, and makes the
// joint action that plays them. An agent without one waits. A proposal that the
// world can't read or play is wasted, which the world tells its agent; what is
// refused is a call of the wrong form, and then no world has heard anything.
func (s *session) propose(r *reader) (err error) {
	defer recovered(&err)
	if _, ok := envs.As[envs.Proposer](s.pool.Env(0)); !ok {
		return refuse(errNoAbility, "/proposals", "%s takes no proposals: send actions", s.env)
	}
	list, err := readProposals(r, s.spec.Agents, s.pool.Len(), s.spoken[:0])
	if err != nil {
		return err
	}
	s.spoken = list
	noop := s.spec.Noop
	for at := 0; at < len(s.actions.choice); at += len(noop) {
		copy(s.actions.choice[at:], noop)
	}
	dims := s.spec.ActionDims()
	for _, p := range list {
		if _, _, _, _, ended := s.pool.Episode(p.row); ended {
			continue // its action is ignored, and so is this
		}
		world, _ := envs.As[envs.Proposer](s.pool.Env(p.row))
		_ = world.Propose(p.agent, p.action) // a wasted proposal: the world keeps why
		s.actions.choice[p.row*len(noop)+p.agent*dims] = world.ProposalChoice()
	}
	return nil
}

// readProposals reads a map from agent to action, or a list over rows of such maps.
func readProposals(r *reader, agents []string, rows int, dst []proposed) ([]proposed, error) {
	ahead := *r
	if _, ok := ahead.object(); ok {
		if rows != 1 {
			return nil, refuse(errInvalid, "/proposals", "a map from agent to action needs num_envs 1, this session has %d: send a list of %d maps", rows, rows)
		}
		return readRow(r, "/proposals", agents, 0, dst)
	}
	n, ok := r.array()
	if !ok {
		return nil, refuse(errInvalid, "/proposals", "proposals are a map from agent to action, or a list with one such map for each of %d copies, got %s", rows, r.what())
	}
	if n != rows {
		return nil, refuse(errInvalid, "/proposals", "proposals are a list with one map for each of %d copies, got %d", rows, n)
	}
	for row := range rows {
		var err error
		if dst, err = readRow(r, "/proposals/"+strconv.Itoa(row), agents, row, dst); err != nil {
			return nil, err
		}
	}
	return dst, nil
}

func readRow(r *reader, at string, agents []string, row int, dst []proposed) ([]proposed, error) {
	n, ok := r.object()
	if !ok {
		return nil, refuse(errInvalid, at, "a map from agent to action, got %s", r.what())
	}
	first := len(dst)
	for range n {
		name, ok := r.text()
		if !ok {
			return nil, refuse(errInvalid, at, "the keys of proposals are agents, got %s", r.what())
		}
		agent := slices.Index(agents, string(name))
		if agent < 0 {
			return nil, refuse(errInvalid, at, "there is no agent %.40q: there are %v", name, agents)
		}
		at := at + pointer(agents[agent])
		if slices.ContainsFunc(dst[first:], func(p proposed) bool { return p.agent == agent }) {
			return nil, refuse(errInvalid, at, "%s is there twice", agents[agent])
		}
		action, err := readAction(r, at)
		if err != nil {
			return nil, err
		}
		if len(action) > maxProposal {
			return nil, refuse(errTooLarge, at, "a proposal is at most %d bytes of JSON, got %d", maxProposal, len(action))
		}
		dst = append(dst, proposed{row, agent, action})
	}
	return dst, nil
}

// readAction reads one action: a text is JSON already, anything else is written
// as JSON. The bytes are the caller's.
func readAction(r *reader, at string) ([]byte, error) {
	if t, ok := r.text(); ok {
		return bytes.Clone(t), nil
	}
	return appendValueJSON(nil, r, at)
}

// appendValueJSON appends any value as JSON, keys in the order they came in. A
// float that JSON has no number for is written as what it is, which no reader of
// JSON accepts.
func appendValueJSON(dst []byte, r *reader, at string) ([]byte, error) {
	if t, ok := r.text(); ok {
		return appendTextJSON(dst, t), nil
	}
	if v, ok := r.boolean(); ok {
		return strconv.AppendBool(dst, v), nil
	}
	if r.null() {
		return append(dst, "null"...), nil
	}
	if v, big, ok := r.integer(); ok {
		if big != 0 {
			return strconv.AppendUint(dst, big, 10), nil
		}
		return strconv.AppendInt(dst, v, 10), nil
	}
	if v, ok := r.number(); ok {
		if a := math.Abs(v); a < 1e15 && a == math.Trunc(a) {
			return append(strconv.AppendFloat(dst, v, 'f', -1, 64), ".0"...), nil // stays a float
		}
		return strconv.AppendFloat(dst, v, 'g', -1, 64), nil
	}
	if n, ok := r.object(); ok {
		return appendItemsJSON(append(dst, '{'), r, n, '}', at)
	}
	if n, ok := r.array(); ok {
		return appendItemsJSON(append(dst, '['), r, n, ']', at)
	}
	return nil, refuse(errInvalid, at, "this is made of what JSON has, got %s", r.what())
}

// appendItemsJSON appends the n items of a list, or pairs of a map, and the end.
func appendItemsJSON(dst []byte, r *reader, n int, end byte, at string) (_ []byte, err error) {
	for k := range n {
		if k > 0 {
			dst = append(dst, ',')
		}
		if end == '}' {
			key, ok := r.text()
			if !ok {
				return nil, refuse(errInvalid, at, "keys are texts, got %s", r.what())
			}
			dst = append(appendTextJSON(dst, key), ':')
		}
		if dst, err = appendValueJSON(dst, r, at); err != nil {
			return nil, err
		}
	}
	return append(dst, end), nil
}

func appendTextJSON(dst, text []byte) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(string(text)); err != nil {
		panic(err) // texts always encode
	}
	return append(dst, bytes.TrimSuffix(b.Bytes(), []byte("\n"))...)
}
