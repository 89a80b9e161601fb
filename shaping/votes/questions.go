package votes

import (
	"context"
	"database/sql"
	"errors"
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
			err = fmt.Errorf("%w: %s has no questions of this kind", ErrFile, db.Path())
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
	w, err := readWorld(ctx, db.file)
	if err != nil && !errors.Is(err, sql.ErrNoRows) { // none: nothing was collected yet
		return nil, db.file.Unreadable(err)
	}
	rows, err := db.file.QueryContext(ctx, `SELECT transition, pair, agent, question, truth, family, coalesce(f.text, ''), coalesce(b.text, '')
		FROM transition_agents JOIN transitions t ON t.id = transition
		LEFT JOIN texts f ON f.id = `+view+`_forward LEFT JOIN texts b ON b.id = `+view+`_backward
		ORDER BY transition, agent`)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	var agents, teams []task // a team's row comes before its agents'
	for rows.Next() {
		var t task
		var key, pair int64
		var truth sql.NullFloat64
		q := &t.question
		if err := rows.Scan(&t.transition, &pair, &t.agent, &key, &truth, &q.Family, &q.Forward, &q.Backward); err != nil {
			return nil, db.file.Unreadable(err)
		}
		if err := w.hasAgent(t.transition, t.agent); err != nil {
			return nil, db.file.Unreadable(err)
		}
		q.Key, q.Pair, q.Truth = uint64(key), uint64(pair), orNaN(truth)
		if t.agent == Team {
			q.Agent = "team"
			teams = append(teams, t)
			continue
		}
		q.Agent = w.Agents[t.agent]
		if team && len(teams) > 0 {
			q := &teams[len(teams)-1].question
			q.Forward, q.Backward = together(q.Forward, t.question.Forward), together(q.Backward, t.question.Backward)
		}
		agents = append(agents, t)
	}
	if team {
		return teams, rows.Err()
	}
	tellTeams(agents)
	return agents, rows.Err()
}

// tellTeams gives each question what all agents of its transition are told.
// The tasks of one transition stand together.
func tellTeams(tasks []task) {
	for first := 0; first < len(tasks); {
		last := first
		var told []shaping.Told
		for ; last < len(tasks) && tasks[last].transition == tasks[first].transition; last++ {
			q := tasks[last].question
			told = append(told, shaping.Told{Agent: q.Agent, Forward: q.Forward, Backward: q.Backward})
		}
		for ; first < last; first++ {
			tasks[first].question.Team = told
		}
	}
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
