package votes

import (
	"context"
	"database/sql"
	"fmt"
	"strings"

	"marlpit/shaping"
)

// FirstQuestion returns one question, to be looked at: the first of its kind.
func (db *DB) FirstQuestion(ctx context.Context, view string, team bool) (shaping.Question, error) {
	all, err := db.questions(ctx, view, team)
	if err == nil && len(all) == 0 {
		_, err = db.World(ctx)
		if err == nil {
			err = fmt.Errorf("%w: %s has no questions of this kind", ErrFile, db.path)
		}
	}
	if err != nil {
		return shaping.Question{}, err
	}
	return all[0].question, nil
}

// questions returns the first query of every question, in order: of each
// agent, or of the team as a whole. Words that a world doesn't have are empty.
func (db *DB) questions(ctx context.Context, view string, team bool) ([]task, error) {
	if view != "guided" && view != "plain" {
		return nil, fmt.Errorf("votes: the viewpoint is guided or plain, got %q", view)
	}
	rows, err := db.sql.QueryContext(ctx, `SELECT transition, agent, question, truth, coalesce(f.text, ''), coalesce(b.text, '')
		FROM transition_agents LEFT JOIN texts f ON f.id = `+view+`_forward LEFT JOIN texts b ON b.id = `+view+`_backward
		ORDER BY transition, agent`)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	var agents, teams []task // a team's row comes before its agents'
	for rows.Next() {
		var t task
		var key int64
		var truth sql.NullFloat64
		if err := rows.Scan(&t.transition, &t.agent, &key, &truth, &t.question.Forward, &t.question.Backward); err != nil {
			return nil, err
		}
		t.question.Key, t.question.Truth = uint64(key), orNaN(truth)
		switch {
		case t.agent == Team:
			teams = append(teams, t)
			continue
		case team && len(teams) > 0:
			q := &teams[len(teams)-1].question
			q.Forward, q.Backward = together(q.Forward, t.question.Forward), together(q.Backward, t.question.Backward)
			continue
		}
		agents = append(agents, t)
	}
	if team {
		return teams, rows.Err()
	}
	return agents, rows.Err()
}

// together adds what one more agent is told to the words about the team.
func together(team, agent string) string {
	if agent == "" {
		return team
	}
	if team == "" {
		team = "A team is judged as a whole. What follows is told of each of its members; weigh them together."
	}
	return team + "\n\n" + strings.TrimSpace(agent)
}
