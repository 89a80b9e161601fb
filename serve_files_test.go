package main

import (
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/alecthomas/kong"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marlpit/models"
	"marlpit/shaping/process"
)

func parsedServe(t *testing.T, args ...string) serveCmd {
	t.Helper()
	var c cli
	parser, err := kong.New(&c, kong.DefaultEnvars("MARLPIT"), kong.Writers(io.Discard, io.Discard))
	require.NoError(t, err)
	_, err = parser.Parse(append([]string{"serve"}, args...))
	require.NoError(t, err)
	return c.Serve
}

func TestACommaIsPartOfAPath(t *testing.T) {
	c := parsedServe(t, "--credit", "runs,1/a.credit", "--credit=b.credit", "--process", "x,y.process", "--scores", "s,1.db=a,b", "--allow-host", "a,b")
	assert.Equal(t, files{"runs,1/a.credit", "b.credit"}, c.Credit)
	assert.Equal(t, files{"x,y.process"}, c.Process)
	assert.Equal(t, files{"s,1.db=a,b"}, c.Scores)
	assert.Equal(t, []string{"a", "b"}, c.AllowHost, "no host's name has one")

	for value, want := range map[string]files{"runs,1/a.credit": {"runs,1/a.credit"}, "": nil} {
		t.Setenv("MARLPIT_CREDIT", value)
		assert.Equal(t, want, parsedServe(t).Credit)
	}
}

func TestModelsAreLoadedFromAFolderWithAComma(t *testing.T) {
	shipped := models.All()[0]
	file := filepath.Join(t.TempDir(), "runs,1", "mine.credit")
	require.NoError(t, os.Mkdir(filepath.Dir(file), 0o700))
	require.NoError(t, os.WriteFile(file, shipped.Bytes, 0o600))
	p := start(t, "serve", "--listen", "127.0.0.1:0", "--exit-with-stdin", "--no-shipped", "--credit", file)
	require.NoError(t, p.stdin.Close())
	require.NoError(t, p.ends(t))

	code, _, errs := program("serve", "--listen", "127.0.0.1:0", "--credit", file+"x")
	assert.Equal(t, 2, code)
	assert.Contains(t, errs, "--credit: ")
	assert.Contains(t, errs, "mine.creditx")
}

// TestScoresAreFoundWhereAPathHasAnEqualsSign: as folders of runs have.
func TestScoresAreFoundWhereAPathHasAnEqualsSign(t *testing.T) {
	file := filepath.Join(t.TempDir(), "rate=0.1,seed=2", "s=1.db")
	require.NoError(t, os.Mkdir(filepath.Dir(file), 0o700))
	db, err := process.Create(t.Context(), file)
	require.NoError(t, err)
	require.NoError(t, db.Close())
	for text, want := range map[string][2]string{
		file:                              {file, ""},
		file + "=solution":                {file, "solution"},
		file + "=solution error_rate=0.2": {file, "solution error_rate=0.2"},
		"none.db=solution error_rate=0.2": {"none.db", "solution error_rate=0.2"},
	} {
		path, critic := fileAndCritic(text)
		assert.Equal(t, want, [2]string{path, critic}, text)
	}
	_, err = loadScores([]string{file + "=solution"})
	assert.ErrorContains(t, err, "nobody has scored anything in it")
}
