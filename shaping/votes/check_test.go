package votes_test

import (
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marlpit/shaping"
	"marlpit/shaping/shapingtest"
	"marlpit/shaping/votes"
)

// What others have written into a file is refused by file and place, and never
// counted.
func TestWhatCannotBeOfTheWorldIsRefused(t *testing.T) {
	for i, c := range []struct{ statement, says string }{
		{`UPDATE worlds SET params = '{garbage'`, `table worlds: params: want an object in JSON, got "{garbage"`},
		{`UPDATE worlds SET params = '[1]'`, `table worlds: params: want an object in JSON, got "[1]"`},
		{`UPDATE worlds SET agents = 'x'`, `table worlds: agents: want a list of names in JSON, got "x"`},
		{`UPDATE worlds SET agents = '[]'`, "table worlds: agents: 0 of them, want 1 to 256"},
		{`UPDATE worlds SET focus_sizes = '[3]'`, "table worlds: focus_sizes: 1 for 2 agents"},
		{`UPDATE worlds SET state_size = 3`, "transition 1, agent 0: state_a: 2 numbers, want 3"},
		{`UPDATE worlds SET state_size = 'many'`, "state_size"},
		{`UPDATE transitions SET state_b = x'0000c07f' || substr(state_b, 5) WHERE id = 4`, "transition 4, agent 0: state_b: want numbers from -1e+06 to 1e+06"},
		{`UPDATE transitions SET state_a = x'00'`, "1 bytes are no float32s"},
		{`UPDATE transition_agents SET focus_a = NULL WHERE agent = 1`, "transition 1, agent 1: focus_a: 0 numbers, want 1"},
		{`UPDATE transition_agents SET agent = 1000 WHERE agent = 1; UPDATE votes SET agent = 1000 WHERE agent = 1`, "transition 1, agent 1000: want an agent from 0 to 1, or -1 for the team"},
		{`UPDATE transition_agents SET agent = -7 WHERE agent = 1; UPDATE votes SET agent = -7 WHERE agent = 1`, "transition 1, agent -7: want an agent"},
		{`UPDATE transition_agents SET truth = 'x'`, "truth"},
		{`UPDATE votes SET confidence = 99`, "transition 1, agent 0: votes: confidence: want numbers from 0 to 1, got a mean of 99"},
	} {
		path := filepath.Join(t.TempDir(), fmt.Sprintf("%d.db", i))
		db, err := votes.Create(ctx, path)
		require.NoError(t, err)
		_, err = db.Add(ctx, testWorld, votes.Collection{}, transitions(6))
		require.NoError(t, err)
		r, err := db.Label(ctx, &shapingtest.Scripted{Say: func(shaping.Question) (shaping.Answer, error) {
			return shaping.Answer{Vote: shaping.Second, Confidence: 0.9}, nil
		}}, votes.LabelOptions{})
		require.NoError(t, err)
		require.NoError(t, db.Close())
		raw, err := sql.Open("sqlite", path)
		require.NoError(t, err)
		_, err = raw.Exec(c.statement)
		require.NoError(t, err, c.statement)
		require.NoError(t, raw.Close())

		db, err = votes.Open(ctx, path)
		require.NoError(t, err)
		_, err = db.Counts(ctx, r.Annotator, false, 0)
		require.ErrorIs(t, err, votes.ErrFile, c.statement)
		require.ErrorContains(t, err, path)
		require.ErrorContains(t, err, c.says)
		require.NoError(t, db.Close())
	}
}

// SQLite takes the log of another file for this one's, and mixes both.
func TestLogOfAnotherFileIsRefused(t *testing.T) {
	dir := t.TempDir()
	make := func(name string, n int) (*votes.DB, string) {
		path := filepath.Join(dir, name)
		db, err := votes.Create(ctx, path)
		require.NoError(t, err)
		_, err = db.Add(ctx, testWorld, votes.Collection{}, transitions(n))
		require.NoError(t, err)
		return db, path
	}
	copied := func(from, to string) {
		b, err := os.ReadFile(from)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(to, b, 0o600))
	}
	db, path := make("big.db", 400)
	require.NoError(t, db.Close())
	db, err := votes.Open(ctx, path) // from here on the log holds changes alone
	require.NoError(t, err)
	_, err = db.Label(ctx, &shapingtest.Scripted{}, votes.LabelOptions{})
	require.NoError(t, err)
	small, other := make("small.db", 40)
	require.NoError(t, small.Close())
	both := filepath.Join(dir, "both.db") // as a kill leaves it
	copied(path, both)
	copied(path+"-wal", both+"-wal")
	copied(path+"-wal", other+"-wal")
	require.NoError(t, db.Close())

	before, err := os.ReadFile(other)
	require.NoError(t, err)
	_, err = votes.Open(ctx, other)
	require.ErrorIs(t, err, votes.ErrFile)
	require.ErrorContains(t, err, other+" and the log beside it, "+other+"-wal, don't go together")
	after, err := os.ReadFile(other)
	require.NoError(t, err)
	assert.Equal(t, before, after)
	if link := filepath.Join(t.TempDir(), "link.db"); os.Symlink(other, link) == nil { // where the system has such
		_, err = votes.Open(ctx, link)
		require.ErrorIs(t, err, votes.ErrFile, "the log is beside the file")
	}
	require.NoError(t, os.Remove(other+"-wal"))
	small, err = votes.Open(ctx, other)
	require.NoError(t, err)
	n, err := small.Count(ctx)
	require.NoError(t, err)
	assert.Equal(t, 40, n)
	require.NoError(t, small.Close())

	db, err = votes.Open(ctx, both)
	require.NoError(t, err)
	open, err := db.Plan(ctx, "scripted viewpoint=guided", votes.LabelOptions{})
	require.NoError(t, err)
	assert.Equal(t, 800, open.Before)
	require.NoError(t, db.Close())
}

func TestPlacesWithoutAFileAreNamed(t *testing.T) {
	dir := t.TempDir()
	_, err := votes.Create(ctx, dir)
	require.ErrorIs(t, err, votes.ErrFile)
	require.ErrorContains(t, err, dir+": it is a folder")
	_, err = votes.Create(ctx, filepath.Join(dir, "none", "votes.db"))
	require.ErrorIs(t, err, votes.ErrFile)
	require.ErrorContains(t, err, "there is no folder "+filepath.Join(dir, "none"))
}
