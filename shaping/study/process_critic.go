package study

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"marlpit/shaping/ledger"
	"marlpit/shaping/llm"
	"marlpit/shaping/process"
)

// BuildRounds makes the critic as one of rounds. It returns an error wrapping
// ErrCritic for a kind that judges none, ErrCritic or llm.ErrConfig for bad
// settings.
func (c CriticConfig) BuildRounds(deps CriticDeps) (process.Critic, error) {
	if err := c.Check(); err != nil {
		return nil, err
	}
	switch c.Kind {
	case "solution":
		return process.NewSolution(c.ErrorRate, c.NoiseSeed)
	case "random":
		return process.Random{Seed: c.NoiseSeed}, nil
	case "openai":
		return c.rounds(deps)
	}
	return nil, fmt.Errorf("%w %q: kind: %s judges no rounds; %s do", ErrCritic, c.Name, c.Kind, strings.Join(RoundCriticKinds(), ", "))
}

// BuildAdversary makes the model that thinks of wrong actions. It returns an
// error wrapping ErrCritic for another kind than openai.
func (c CriticConfig) BuildAdversary(deps CriticDeps) (*llm.Rounds, error) {
	if c.Kind != "openai" {
		return nil, fmt.Errorf("%w %q: kind: %s can't think of actions; a language model (openai) can", ErrCritic, c.Name, c.Kind)
	}
	if err := c.Check(); err != nil {
		return nil, err
	}
	return c.rounds(deps)
}

func (c CriticConfig) rounds(deps CriticDeps) (*llm.Rounds, error) {
	cfg, err := c.endpoint(deps)
	if err != nil {
		return nil, err
	}
	made, err := llm.NewRounds(cfg)
	if err != nil {
		return nil, fmt.Errorf("critic %q: %w", c.Name, err)
	}
	return made, nil
}

// RoundPrompts are the templates that a critic of a kind asks rounds with.
func RoundPrompts(kind string) []llm.Prompt {
	if kind != "openai" {
		return nil
	}
	return slices.Clone(llm.RoundPrompts())
}

// PromptStore is a file that templates are noted in: of votes, or of scores.
type PromptStore interface {
	AddPrompts(ctx context.Context, prompts ...ledger.Prompt) error
}

// NotePrompts notes the templates that a language model is asked with.
func NotePrompts(ctx context.Context, file PromptStore, prompts []llm.Prompt) error {
	notes := make([]ledger.Prompt, len(prompts))
	for i, p := range prompts {
		notes[i] = ledger.Prompt{Hash: p.Hash, Name: p.Name, Text: p.Text}
	}
	return file.AddPrompts(ctx, notes...)
}
