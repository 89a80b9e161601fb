package bank

import (
	"context"
	"errors"
	"fmt"

	"marlpit/shaping/votes"
)

const benchEnv = "critic-bench"

// world is what a vote file that holds a bank is about: each item is a
// transition of one agent, whose state is the item's number.
func (b *Bank) world() votes.World {
	params := map[string]any{"version": Version, "sha256": b.SHA256}
	if b.Seed != nil {
		params["seed"] = fmt.Sprint(*b.Seed)
	}
	return votes.World{Env: benchEnv, Params: params, Agents: []string{"agent"}, ObsVersion: 1, StateSize: 1}
}

// Fill puts the bank into a vote file, if it isn't there, so that labelling
// keeps replies and votes in it. It returns an error wrapping votes.ErrWorld
// where the file is about something else, another bank included.
func (b *Bank) Fill(ctx context.Context, db *votes.DB) error {
	have, err := db.World(ctx)
	switch {
	case errors.Is(err, votes.ErrFile): // nothing in it yet
	case err != nil:
		return err
	case have.Env != benchEnv || have.Params["sha256"] != b.SHA256:
		return fmt.Errorf("%w: %s is about %s %v; the bank %s needs a file of its own", votes.ErrWorld, db.Path(), have.Env, have.Params, b.Name())
	default:
		return nil
	}
	ts := make([]votes.Transition, len(b.Items))
	for i, item := range b.Items {
		a := votes.Agent{Truth: item.Truth, Family: item.Family}
		words := &a.Guided
		if item.View == "plain" {
			words = &a.Plain
		}
		*words = [2]string{item.Forward, item.Backward}
		ts[i] = votes.Transition{StateA: []float32{float32(i)}, StateB: []float32{float32(i) + 0.5}, Agents: []votes.Agent{a}}
	}
	_, err = db.Add(ctx, b.world(), votes.Collection{Policy: "bank " + b.Name(), Kept: len(ts), Solver: "exact"}, ts)
	return err
}

// Item is the one that a row of a filled file is about.
func (b *Bank) Item(c votes.Counted) Item { return b.Items[int(c.StateA[0])] }
