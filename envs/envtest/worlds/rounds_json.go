package worlds

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"

	"marlpit/envs"
)

// roundsAction is the JSON action of test-rounds-v0.
type roundsAction struct {
	Type   string  `json:"action_type"`
	Index  *int    `json:"index"`
	Status *string `json:"goal_status"`
	Reason string  `json:"reason"`
}

// Propose implements envs.Proposer.
func (r *rounds) Propose(agent int, action []byte) error {
	c, reason, err := readRoundsAction(action)
	r.stored[agent], r.reasons[agent], r.errors[agent] = c, reason, ""
	if err != nil {
		r.stored[agent], r.errors[agent] = roundsWasted, err.Error()
	}
	return err
}

func readRoundsAction(action []byte) (choice int32, reason string, err error) {
	var a roundsAction
	d := json.NewDecoder(bytes.NewReader(action))
	d.DisallowUnknownFields()
	if err := d.Decode(&a); err != nil {
		return 0, "", fmt.Errorf("an action is a JSON object: %w", err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return 0, "", errors.New("something follows the action")
	}
	switch {
	case a.Type == "wait":
		return roundsWait, a.Reason, nil
	case a.Type == "click" && a.Index != nil && *a.Index >= 0 && *a.Index < len(roundsButtons):
		return int32(roundsPress + *a.Index), a.Reason, nil
	case a.Type == "click":
		return 0, "", fmt.Errorf("click needs an index from 0 to %d", len(roundsButtons)-1)
	case a.Type == "status" && a.Status != nil && *a.Status == "complete":
		return roundsStatus, a.Reason, nil
	}
	return 0, "", fmt.Errorf("action_type is wait, click or status, got %.40q", a.Type)
}

// ProposalChoice implements envs.Proposer.
func (r *rounds) ProposalChoice() int32 { return roundsProposal }

// AppendAction implements envs.Proposer.
func (r *rounds) AppendAction(dst []byte, agent int, choice int32) []byte {
	return appendRoundsAction(dst, r.meant(agent, choice))
}

func appendRoundsAction(dst []byte, choice int32) []byte {
	switch choice {
	case roundsStatus:
		dst = append(dst, `{"action_type":"status","goal_status":"complete"`...)
	case roundsWait, roundsWasted:
		dst = append(dst, `{"action_type":"wait"`...)
	default:
		dst = strconv.AppendInt(append(dst, `{"action_type":"click","index":`...), int64(choice-roundsPress), 10)
	}
	return append(dst, '}')
}

// appendText quotes a text as JSON; without allocating where it is plain.
func appendText(dst []byte, s string) []byte {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			b, err := json.Marshal(s)
			if err != nil {
				panic(err) // strings always marshal
			}
			return append(dst, b...)
		}
	}
	return append(append(append(dst, '"'), s...), '"')
}

func (r *rounds) appendWords(dst []byte, choice int32) []byte {
	return appendText(dst, r.spec.ActionName[0][max(choice, 0)])
}

// appendScene appends what observations and rounds share, without the closing brace.
func (r *rounds) appendScene(dst []byte) []byte {
	dst = append(dst, `"goal":"Press`...)
	for i := range r.p.Length {
		if i > 0 {
			dst = append(dst, ", then"...)
		}
		dst = append(append(dst, ' '), roundsButtons[r.goal[i]]...)
	}
	dst = append(dst, `.","app":"panel","screen":"Panel","turn":`...)
	for _, x := range [...]struct {
		name  string
		value int
	}{{`,"max_turns":`, r.turn}, {`,"round":`, r.p.MaxTurns}, {`,"rounds":`, r.round}, {`,"history":[`, r.p.Rounds}} {
		dst = append(strconv.AppendInt(dst, int64(x.value), 10), x.name...)
	}
	for i, c := range r.history {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = r.appendWords(dst, c)
	}
	return append(dst, `],"elements":[{"index":0,"role":"button","text":"red","enabled":true,"clickable":true,"bounds":[0,0,9,9]},`+
		`{"index":1,"role":"button","text":"green","enabled":true,"clickable":true,"bounds":[10,0,9,9]},`+
		`{"index":2,"role":"button","text":"blue","enabled":true,"clickable":true,"bounds":[20,0,9,9]}]`...)
}

// AppendObservation implements envs.Speaker. Everybody hears the agents before it.
func (r *rounds) AppendObservation(dst []byte, agent int) []byte {
	dst = r.appendScene(append(dst, '{'))
	dst = append(dst, `,"messages":[`...)
	comma := false
	for i, c := range r.messages[:agent] {
		if c < 0 {
			continue
		}
		if comma {
			dst = append(dst, ',')
		}
		comma = true
		dst = r.appendProposal(dst, i, c, r.said[i])
	}
	dst = append(dst, `],"texts":[]`...)
	if e := r.wasted[agent]; e != "" {
		dst = appendText(append(dst, `,"error":`...), e)
	}
	return append(dst, '}')
}

func (r *rounds) appendProposal(dst []byte, agent int, c int32, reason string) []byte {
	dst = appendText(append(dst, `{"agent":`...), r.spec.Agents[agent])
	dst = appendRoundsAction(append(dst, `,"action":`...), c)
	dst = r.appendWords(append(dst, `,"words":`...), c)
	if reason != "" {
		dst = appendText(append(dst, `,"reason":`...), reason)
	}
	return append(dst, '}')
}

// AppendRound implements envs.Rounder.
func (r *rounds) AppendRound(dst []byte, a envs.Actions) []byte {
	dst = append(dst, `{"world":"test-rounds-v0","template":"press-`...)
	dst = append(strconv.AppendInt(dst, int64(r.p.Length), 10), `","apps":["panel"],`...)
	dst = append(r.appendScene(dst), `,"proposals":[`...)
	for i, c := range a.Choice {
		if i > 0 {
			dst = append(dst, ',')
		}
		reason, played := "", r.meant(i, c)
		if c == roundsProposal {
			reason = r.reasons[i]
		}
		if played != roundsWasted {
			dst = r.appendProposal(dst, i, played, reason)
			continue
		}
		dst = appendText(append(dst, `{"agent":`...), r.spec.Agents[i])
		dst = append(appendText(append(dst, `,"error":`...), r.errors[i]), '}')
	}
	return append(dst, `]}`...)
}

// AppendRight implements envs.Rounder.
func (r *rounds) AppendRight(dst []bool, a envs.Actions) []bool {
	for i, c := range a.Choice {
		dst = append(dst, !r.over() && r.meant(i, c) == r.right())
	}
	return dst
}

// AppendSolution implements envs.Guide.
func (r *rounds) AppendSolution(dst []byte) []byte {
	if r.over() {
		return dst
	}
	return appendRoundsAction(dst, r.right())
}

// AppendWrong implements envs.Rounder.
func (r *rounds) AppendWrong(dst []byte, _ int, rng *envs.Rand) []byte {
	if r.over() {
		return dst
	}
	c := int32(roundsPress + rng.Intn(len(roundsButtons)))
	if c == r.right() {
		c = roundsStatus
	}
	return appendRoundsAction(dst, c)
}

// AppendNotes implements envs.Explainer.
func (r *rounds) AppendNotes(dst []envs.Note) []envs.Note {
	for i, e := range r.wasted {
		if e != "" {
			dst = append(dst, envs.Note{Agent: i, Kind: "error", Text: e})
		}
	}
	if r.over() {
		text := "out of turns"
		if r.won() {
			text = "all buttons are pressed"
		} else if r.gaveUp {
			text = "said to be done too early"
		}
		for i := range r.p.Agents {
			dst = append(dst, envs.Note{Agent: i, Kind: "result", Text: text})
		}
	}
	return dst
}

// AppendState implements envs.Structured.
func (r *rounds) AppendState(dst []byte) []byte {
	b, err := json.Marshal(roundsState{r.goal[:r.p.Length], r.progress, r.turn, r.round, r.gaveUp})
	if err != nil {
		panic(err) // numbers always marshal
	}
	return append(dst, b...)
}

type roundsState struct {
	Goal     []int `json:"goal"`
	Progress int   `json:"progress"`
	Turn     int   `json:"turn"`
	Round    int   `json:"round"`
	GaveUp   bool  `json:"gave_up"`
}

// SetState implements envs.Structured.
func (r *rounds) SetState(state []byte, out *envs.Frame) error {
	var s roundsState
	d := json.NewDecoder(bytes.NewReader(state))
	d.DisallowUnknownFields()
	if err := d.Decode(&s); err != nil {
		return fmt.Errorf("%w: %w", envs.ErrSnapshot, err)
	}
	if len(s.Goal) != r.p.Length {
		return fmt.Errorf("%w: goal has %d buttons, want %d", envs.ErrSnapshot, len(s.Goal), r.p.Length)
	}
	code := 0
	for _, b := range s.Goal {
		if b < 0 || b >= len(roundsButtons) {
			return fmt.Errorf("%w: goal: button %d, want 0 to %d", envs.ErrSnapshot, b, len(roundsButtons)-1)
		}
		code = code*len(roundsButtons) + b
	}
	v := r.ints()
	copy(v[4:], []int{code, s.Progress, s.Turn, s.Round, int(one(s.GaveUp))})
	for i := range v[9:] {
		v[9+i] = 0
	}
	for i := range r.p.Agents {
		v[12+2*i] = roundsNothing
	}
	return r.become(v, out)
}
