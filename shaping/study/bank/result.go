package bank

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"reflect"

	"marlpit/shaping/study"
	"marlpit/shaping/votes"
)

// ErrResult is returned where a result can't take the place of a recorded one.
var ErrResult = errors.New("bank: result of another bank or with other prompts")

// Result is what one critic scored on a bank.
type Result struct {
	Name    string            `json:"name"` // what the table calls it
	Kind    string            `json:"kind"` // openai, rule, human; or simulated
	Bench   string            `json:"bench"`
	Seed    *uint64           `json:"seed,omitempty"` // of a bank that is not the public one
	SHA256  string            `json:"sha256"`         // of the bank
	Prompts map[string]string `json:"prompts"`        // asked with: SHA-256 by name; empty for who is not asked in prompts
	Note    string            `json:"note,omitempty"` // about the critic: quantisation, hash of its weights …
	Program string            `json:"program"`        // version that asked
	Guided  *Part             `json:"guided,omitempty"`
	Plain   *Part             `json:"plain,omitempty"`
}

// Part is the result in one viewpoint.
type Part struct {
	study.Judgement
	Worlds  []study.Score `json:"worlds"`
	Clothes []study.Score `json:"clothes"` // "own": as the world wrote it; else reworded
}

// NewPart sorts a judgement on the bank by what its items are.
func (b *Bank) NewPart(j study.Judgement) *Part {
	group := func(of func(Item) string) []study.Score {
		return study.ScoreGroups(j.Counted, func(c votes.Counted) string { return of(b.Item(c)) })
	}
	j.Scores = j.Scores[:1] // items have one agent each, under one name
	j.Families = group(func(i Item) string { return i.World + " " + i.Family })
	return &Part{Judgement: j,
		Worlds:  group(func(i Item) string { return i.World }),
		Clothes: group(func(i Item) string { return i.Clothes })}
}

// Options are how a critic is judged on the bank in a viewpoint: which items,
// and an order that is spread over what they are.
func (b *Bank) Options(view string) study.JudgeOptions {
	o := study.JudgeOptions{
		Pool: func(c votes.Counted) bool { return b.Item(c).View == view },
		Kind: func(c votes.Counted) string {
			i := b.Item(c)
			return fmt.Sprint(i.World, " ", i.Clothes, " ", i.Family, " ", sign(i.Truth))
		},
	}
	o.View = view
	return o
}

// Save writes a result as JSON. Where the file holds one already, it has to be
// of the same bank and asked with the same prompts, and a viewpoint that is
// missing in the new one is kept; else it returns an error wrapping ErrResult.
func (r Result) Save(path string) error {
	old, err := ReadResult(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return err
	case old.SHA256 != r.SHA256:
		return fmt.Errorf("%w: %s holds a result on the bank %s, this one is on %s", ErrResult, path, old.SHA256, r.SHA256)
	case !reflect.DeepEqual(old.Prompts, r.Prompts):
		return fmt.Errorf("%w: %s holds a result with the prompts %v, this one is with %v", ErrResult, path, old.Prompts, r.Prompts)
	default:
		r.Guided, r.Plain = cmp.Or(r.Guided, old.Guided), cmp.Or(r.Plain, old.Plain)
	}
	text, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(path, append(text, '\n'), 0o644)
}

// ReadResult reads a file of Save.
func ReadResult(path string) (Result, error) {
	var r Result
	text, err := os.ReadFile(path)
	if err != nil {
		return r, err
	}
	if err := json.Unmarshal(text, &r); err != nil {
		return r, fmt.Errorf("%w: %s: %w", ErrResult, path, err)
	}
	return r, nil
}
