package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marlpit/shaping/process"
)

func TestAScorerIsFittedAndLoaded(t *testing.T) {
	dir := t.TempDir()
	db, file := filepath.Join(dir, "s.db"), filepath.Join(dir, "panel.process")
	var scored scoredRounds
	programJSON(t, &scored, "score", "--rounds", recordRounds(t, 60), "--db", db, "--critic", "solution")
	var out bytes.Buffer
	c := fitProcessCmd{DB: db, Out: file, JSON: true}
	require.NoError(t, c.run(t.Context(), testWorlds, &out))
	var got fittedProcess
	require.NoError(t, json.Unmarshal(out.Bytes(), &got))
	assert.Equal(t, "panel", got.Name)
	assert.Equal(t, "test-rounds-v0", got.World)
	assert.Equal(t, 60, got.Rounds)
	assert.False(t, got.Replaced)
	out.Reset()
	c.JSON = false
	require.NoError(t, c.run(t.Context(), testWorlds, &out))
	assert.Contains(t, out.String(), "180 proposals of 60 rounds of test-rounds-v0")
	assert.Contains(t, out.String(), "replaced "+file)

	scorers, err := loadScorers([]string{file})
	require.NoError(t, err)
	assert.Equal(t, 60, scorers["panel"].Header.Rounds)
	_, err = loadScorers([]string{file, file})
	require.ErrorIs(t, err, errUsage)
	require.ErrorContains(t, err, "two scorers are named")
	require.NoError(t, os.WriteFile(file, []byte("nothing"), 0o600))
	_, err = loadScorers([]string{file})
	require.ErrorContains(t, err, "it doesn't begin as one")

	code, _, errs := program("fit-process", "--db", db, "--out", file)
	assert.Equal(t, 2, code, "the world is none of those that are shipped")
	assert.Contains(t, errs, "test-rounds-v0")
	code, _, errs = program("fit-process", "--db", db, "--out", db)
	assert.Equal(t, 2, code)
	assert.Contains(t, errs, "it would be lost")
	require.NoError(t, os.Symlink(db, filepath.Join(dir, "link")))
	code, _, errs = program("fit", "--db", db, "--out", filepath.Join(dir, "link"))
	assert.Equal(t, 2, code)
	assert.Contains(t, errs, "it would be lost")
	code, _, errs = program("fit-process", "--db", filepath.Join(dir, "none.db"), "--out", file)
	assert.Equal(t, 2, code)
	assert.Contains(t, errs, "none.db")
}

func TestAShareOfNothingIsNoNumber(t *testing.T) {
	var out bytes.Buffer
	require.NoError(t, printProcess(&out, "", &process.Header{HeldOut: []process.HeldOut{{By: "goal", Known: &process.Known{Proposals: 4, Wrong: process.Share{Part: 3, Of: 4, Low: 0.3, High: 0.95}}}}}))
	assert.NotContains(t, out.String(), "NaN")
	assert.Contains(t, out.String(), "75 [30, 95]")
}
