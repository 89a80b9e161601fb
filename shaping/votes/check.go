package votes

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
)

// inJSONColumn reads a column of JSON text.
func inJSONColumn(table, column, want, text string, into any) error {
	if err := json.Unmarshal([]byte(text), into); err != nil {
		return fmt.Errorf("table %s: %s: want %s in JSON, got %.40q", table, column, want, text)
	}
	return nil
}

type querier interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// readWorld reads what the file is about; sql.ErrNoRows where nothing was
// collected yet.
func readWorld(ctx context.Context, q querier) (World, error) {
	var w World
	var params, agents, focus string
	err := q.QueryRowContext(ctx, `SELECT env, params, obs_version, agents, state_size, focus_sizes FROM worlds`).
		Scan(&w.Env, &params, &w.ObsVersion, &agents, &w.StateSize, &focus)
	if err != nil {
		return w, err
	}
	err = errors.Join(inJSONColumn("worlds", "params", "an object", params, &w.Params),
		inJSONColumn("worlds", "agents", "a list of names", agents, &w.Agents),
		inJSONColumn("worlds", "focus_sizes", "a list of numbers", focus, &w.FocusSizes))
	switch n := len(w.Agents); {
	case err != nil:
		return w, err
	case n < 1 || n > maxAgents:
		return w, fmt.Errorf("table worlds: agents: %d of them, want 1 to %d", n, maxAgents)
	case len(w.FocusSizes) != 0 && len(w.FocusSizes) != n:
		return w, fmt.Errorf("table worlds: focus_sizes: %d for %d agents", len(w.FocusSizes), n)
	}
	return w, nil
}

// side is who of a transition, in words of errors.
func side(transition int64, agent int) string {
	if agent == Team {
		return fmt.Sprintf("transition %d, the team", transition)
	}
	return fmt.Sprintf("transition %d, agent %d", transition, agent)
}

// hasAgent refuses the number of an agent that there isn't.
func (w *World) hasAgent(transition int64, agent int) error {
	if agent != Team && (agent < 0 || agent >= len(w.Agents)) {
		return fmt.Errorf("%s: want an agent from 0 to %d, or %d for the team", side(transition, agent), len(w.Agents)-1, Team)
	}
	return nil
}

// fits says what of a row can't be of the world.
func (c *Counted) fits(w World) error {
	if err := w.hasAgent(c.Transition, c.Agent); err != nil {
		return err
	}
	focus := 0
	if c.Agent != Team && len(w.FocusSizes) > 0 {
		focus = w.FocusSizes[c.Agent]
	}
	err := bothOf(c.StateA, c.StateB, "state_", w.StateSize)
	if err == nil {
		err = bothOf(c.FocusA, c.FocusB, "focus_", focus)
	}
	if err == nil && (c.Mean < 0 || c.Mean > 1) {
		err = fmt.Errorf("votes: confidence: want numbers from 0 to 1, got a mean of %v", c.Mean)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", side(c.Transition, c.Agent), err)
	}
	return nil
}
