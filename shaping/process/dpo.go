package process

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// DefaultSystem is what agents are told in exported pairs, where nothing else is
// given.
const DefaultSystem = `You are a member of a team that works on a task in an app. You are shown the goal, what was done so far, and the elements of the screen, as JSON. Answer with the one action to do next: a JSON object such as {"action_type": "click", "index": 3}, and nothing else.`

// message is one turn of a conversation.
type message struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

// trlRow is a pair in TRL's conversational preference format.
type trlRow struct {
	Prompt   []message `json:"prompt"`
	Chosen   []message `json:"chosen"`
	Rejected []message `json:"rejected"`
}

// said is a turn as LLaMA-Factory's sharegpt format has it.
type said struct {
	From  string `json:"from"`
	Value string `json:"value"`
}

type factoryRow struct {
	System        string `json:"system"`
	Conversations []said `json:"conversations"`
	Chosen        said   `json:"chosen"`
	Rejected      said   `json:"rejected"`
}

// TRL is the pair as a line of TRL's conversational preference format.
func (p *Pair) TRL(system string) ([]byte, error) {
	user, chosen, rejected, err := p.texts()
	if err != nil {
		return nil, err
	}
	return line(trlRow{
		Prompt:   []message{{"system", system}, {"user", user}},
		Chosen:   []message{{"assistant", chosen}},
		Rejected: []message{{"assistant", rejected}},
	})
}

// LLaMAFactory is the pair as a line of LLaMA-Factory's sharegpt format for
// preferences; FactoryInfo describes its columns.
func (p *Pair) LLaMAFactory(system string) ([]byte, error) {
	user, chosen, rejected, err := p.texts()
	if err != nil {
		return nil, err
	}
	return line(factoryRow{System: system, Conversations: []said{{"human", user}}, Chosen: said{"gpt", chosen}, Rejected: said{"gpt", rejected}})
}

// FactoryInfo is LLaMA-Factory's dataset_info.json: the files of datasets by name.
func FactoryInfo(files map[string]string) ([]byte, error) {
	info := map[string]any{}
	for name, file := range files {
		info[name] = map[string]any{
			"file_name": file, "formatting": "sharegpt", "ranking": true,
			"columns": map[string]string{"messages": "conversations", "chosen": "chosen", "rejected": "rejected", "system": "system"},
		}
	}
	b, err := json.MarshalIndent(info, "", "  ")
	return append(b, '\n'), err
}

// texts are what a language agent is shown, and the two answers.
func (p *Pair) texts() (user, chosen, rejected string, err error) {
	r := p.Round
	scene := struct {
		Goal     string    `json:"goal"`
		App      string    `json:"app,omitempty"`
		Screen   string    `json:"screen,omitempty"`
		Turn     int       `json:"turn"`
		MaxTurns int       `json:"max_turns,omitempty"`
		History  []string  `json:"history"`
		Elements []Element `json:"elements"`
	}{r.Goal, r.App, r.Screen, r.Turn, r.MaxTurns, r.History, r.Elements}
	b, err := plain(scene)
	if err != nil {
		return "", "", "", err
	}
	// A reason on one side only would teach to give reasons, or not to.
	reasons := p.Chosen.Reason != "" && p.Rejected.Reason != ""
	if chosen, err = p.Chosen.text(reasons); err != nil {
		return "", "", "", err
	}
	rejected, err = p.Rejected.text(reasons)
	return string(b), chosen, rejected, err
}

// text is the action as an agent would answer it.
func (s Side) text(reason bool) (string, error) {
	b, err := without(s.Action, []string{"reason"})
	if err != nil || !reason {
		return string(b), err
	}
	words, err := plain(s.Reason)
	if err != nil {
		return "", err
	}
	comma := ","
	if len(b) == len("{}") {
		comma = ""
	}
	return fmt.Sprintf(`%s%s"reason":%s}`, bytes.TrimSuffix(b, []byte("}")), comma, words), nil
}

// plain is JSON in which <, > and & stand as they are.
func plain(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return bytes.TrimRight(b.Bytes(), "\n"), err
}

func line(v any) ([]byte, error) {
	b, err := plain(v)
	return append(b, '\n'), err
}
