package api

import (
	"math"
)

// readNested reads nested lists (envs, agents, dims). Where an agent has one
// dimension, a number may stand for the list of one.
func (m *actionMemory) readNested(r *reader) error {
	if n, _ := r.array(); n != m.shape[0] {
		return refuse(errInvalid, "/actions", "actions are a list of %d rows, got %d", m.shape[0], n)
	}
	for row := range m.shape[0] {
		n, ok := r.array()
		if !ok {
			return refuse(errInvalid, "/actions", "row %d: a list with one entry for each of %d agents, got %s", row, m.shape[1], r.what())
		}
		if n != m.shape[1] {
			return refuse(errInvalid, "/actions", "row %d: a list with one entry for each of %d agents, got %d", row, m.shape[1], n)
		}
		for agent := range n {
			if err := m.readAgent(r, row, agent); err != nil {
				return err
			}
		}
	}
	return nil
}

// readMap reads a map from agent to choice, of a session with one row.
func (m *actionMemory) readMap(r *reader, ended func(agent int) bool) error {
	if m.shape[0] != 1 {
		return refuse(errInvalid, "/actions", "a map from agent to choice needs num_envs 1, this session has %d", m.shape[0])
	}
	clear(m.choice)
	clear(m.value)
	n, _ := r.object()
	clear(m.seen)
	for range n {
		name, ok := r.text()
		if !ok {
			return refuse(errInvalid, "/actions", "the keys of actions are agents, got %s", r.what())
		}
		agent := m.find(name)
		if agent < 0 {
			return refuse(errInvalid, "/actions", "there is no agent %.40q: there are %v", name, m.spec.Agents)
		}
		if m.seen[agent] {
			return refuse(errInvalid, "/actions", "%s is there twice", m.spec.Agents[agent])
		}
		m.seen[agent] = true
		if err := m.readAgent(r, 0, agent); err != nil {
			return err
		}
	}
	for agent, name := range m.spec.Agents {
		if !m.seen[agent] && !ended(agent) {
			return refuse(errInvalid, "/actions", "%s is missing: every agent that has not ended acts", name)
		}
	}
	return nil
}

func (m *actionMemory) find(name []byte) int {
	for i, a := range m.spec.Agents {
		if string(name) == a {
			return i
		}
	}
	return -1
}

// readAgent reads the action of one agent: a number, or a list with one for
// each of its dimensions (padding at the end may be there and is ignored).
func (m *actionMemory) readAgent(r *reader, row, agent int) error {
	dims, own := m.shape[2], m.spec.Action[agent].Size()
	at := (row*m.shape[1] + agent) * dims
	if m.value != nil {
		clear(m.value[at : at+dims])
	} else {
		clear(m.choice[at : at+dims])
	}
	n, isList := r.array()
	if !isList {
		if own != 1 {
			return refuse(errInvalid, "/actions", "row %d, %s: a list of %d, got %s", row, m.spec.Agents[agent], own, r.what())
		}
		return m.readOne(r, row, agent*dims, at)
	}
	if n != own && n != dims {
		return refuse(errInvalid, "/actions", "row %d, %s: a list of %d, got a list of %d", row, m.spec.Agents[agent], own, n)
	}
	for d := range n {
		if d >= own {
			r.raw()
			continue
		}
		if err := m.readOne(r, row, agent*dims+d, at+d); err != nil {
			return err
		}
	}
	return nil
}

// readOne reads one element: k is its place in the bounds, at in the memory.
func (m *actionMemory) readOne(r *reader, row, k, at int) error {
	if m.value == nil {
		c := *r
		v, big, ok := r.integer()
		if !ok || big != 0 || v < 0 || v >= int64(m.n[k]) {
			return m.outOfRange(row, k, c.what())
		}
		m.choice[at] = int32(v)
		return nil
	}
	c := *r
	v, ok := r.number()
	if !ok || math.IsNaN(v) || v < float64(m.low[k]) || v > float64(m.high[k]) || math.IsInf(v, 0) {
		return m.outOfRange(row, k, c.what())
	}
	m.value[at] = float32(v)
	return nil
}
