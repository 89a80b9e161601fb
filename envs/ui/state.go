package ui

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"marlpit/envs"
)

// state is a game as structured data. What follows from template and seed
// (goal, texts, answer, what success is) isn't in it.
type state struct {
	Template string          `json:"template"`
	Seed     uint64          `json:"seed"`
	Turn     int             `json:"turn"`
	Round    int             `json:"round"`
	Status   string          `json:"status"`
	Answer   string          `json:"answer"`
	Focus    *focus          `json:"focus,omitempty"`
	Scrolls  []scroll        `json:"scrolls"`
	History  []pastState     `json:"history"`
	Graph    [][2]int        `json:"graph"` // pairs hearer, speaker
	Said     []saidState     `json:"said"`  // (agents,), or none at the start of a turn
	Vote     voteState       `json:"vote"`
	Errors   []string        `json:"errors"` // (agents,) of the last step, or none
	Sim      json.RawMessage `json:"sim"`
}

type focus struct {
	On  string `json:"on"`
	Key int    `json:"key"`
}

type pastState struct {
	Action json.RawMessage `json:"action"` // without the index, which has passed
	Name   string          `json:"name"`
}

type saidState struct {
	Action json.RawMessage `json:"action,omitempty"`
	Reason string          `json:"reason,omitempty"`
	Error  string          `json:"error,omitempty"`
}

type voteState struct {
	Executed bool `json:"executed"`
	Most     int  `json:"most"`
	Valid    int  `json:"valid"`
}

// AppendState implements envs.Structured.
func (g *Game) AppendState(dst []byte) []byte {
	d := &g.d
	sim, err := d.play.marshal()
	if err != nil {
		panic(err) // plain data always can be
	}
	s := state{
		Template: d.template.Name, Seed: d.seed, Turn: d.turns, Round: g.round, Status: d.status.String(), Answer: string(d.answer),
		Scrolls: []scroll{}, History: []pastState{}, Graph: [][2]int{}, Said: []saidState{}, Errors: []string{},
		Vote: voteState{g.vote.executed, g.vote.most, g.vote.valid}, Sim: sim,
	}
	if d.Typing() {
		s.Focus = &focus{d.focusOn, d.focusKey}
	}
	for _, x := range d.scrolls {
		if x.On != "" {
			s.Scrolls = append(s.Scrolls, x)
		}
	}
	for i := range g.past.steps {
		p := &g.past.steps[i]
		a := Action{Verb: p.verb, Index: -1, Dir: p.dir, Complete: p.complete, Text: string(g.past.of(p.typed))}
		s.History = append(s.History, pastState{a.AppendJSON(nil), string(g.past.of(p.name))})
	}
	for i := range g.Agents {
		for k := range g.Agents {
			if g.hears[i]>>k&1 == 1 {
				s.Graph = append(s.Graph, [2]int{i, k})
			}
		}
	}
	for i := range g.said {
		switch m := &g.said[i]; m.kind {
		case playable:
			s.Said = append(s.Said, saidState{Action: m.action.AppendJSON(nil), Reason: m.reason})
		case wasted:
			s.Said = append(s.Said, saidState{Error: m.problem})
		}
	}
	if slices.ContainsFunc(g.wasted, func(e string) bool { return e != "" }) {
		s.Errors = g.wasted
	}
	b, err := json.Marshal(s)
	if err != nil {
		panic(err) // plain data always can be
	}
	return append(dst, b...)
}

// SetState implements envs.Structured. Only the template has to be there: the
// seed is 0 else, and what is left out is as at the start, in sim too.
func (g *Game) SetState(data []byte, out *envs.Frame) error {
	n, err := g.read(data)
	if err != nil {
		return fmt.Errorf("%w: %w", envs.ErrSnapshot, err)
	}
	n.CloneInto(g)
	g.free(n)
	g.write(out, 0)
	return nil
}

// spare takes a game to try something on; free gives it back.
func (g *game) spare() *Game {
	if n, ok := g.spares.Get().(*Game); ok {
		return n
	}
	return newGame(g)
}

func (g *game) free(n *Game) { g.spares.Put(n) }

// read is a game in the state that the JSON object says.
func (g *Game) read(data []byte) (*Game, error) {
	s := state{Status: Playing.String()}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&s); err != nil {
		return nil, fmt.Errorf("the state: %w", err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("the state: something follows the object")
	}
	n := g.spare()
	if err := n.become(&s); err != nil {
		g.free(n)
		return nil, err
	}
	return n, nil
}
