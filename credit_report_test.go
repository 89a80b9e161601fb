package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The page of 2,000 transitions with several annotators and a model is there,
// holds every part, and keeps to its size.
func TestReportCommand(t *testing.T) {
	long(t)
	dir := t.TempDir()
	db, model, out := filepath.Join(dir, "votes.db"), filepath.Join(dir, "two-switch.credit"), filepath.Join(dir, "report.html")
	for _, args := range [][]string{
		{"collect", "--env", "two-switch-v1", "--transitions", "2000", "--db", db},
		{"label", "--db", db, "--critic", "oracle", "--error-rate", "0.25"},
		{"label", "--db", db, "--critic", "coin"},
		{"fit", "--db", db, "--annotator", "oracle", "--out", model},
	} {
		code, _, errs := program(args...)
		require.Zero(t, code, errs)
	}
	var r reported
	programJSON(t, &r, "report", db, "--model", model, "--out", out)
	assert.Equal(t, out, r.File)
	assert.False(t, r.Replaced)
	assert.Equal(t, "two-switch-v1", r.Env)
	assert.Len(t, r.Annotators, 2)
	assert.Equal(t, "two-switch", r.Model)
	assert.True(t, r.Pictures)
	page, err := os.ReadFile(out)
	require.NoError(t, err)
	assert.Len(t, page, r.Bytes)
	assert.Less(t, r.Bytes, 5_000_000)
	for _, part := range []string{`id="world"`, `id="annotator-2"`, `id="model"`, "Calibration", `id="questions"`, `id="worst"`, "data:image/png"} {
		assert.Contains(t, string(page), part)
	}

	code, text, _ := program("report", model, "--out", out)
	assert.Zero(t, code)
	assert.Contains(t, text, "replaced "+out+" (")
	alone, err := os.ReadFile(out)
	require.NoError(t, err)
	assert.Contains(t, string(alone), `id="model"`)
	assert.NotContains(t, string(alone), `id="annotators"`)
}

// Wrong calls exit with 2 and write nothing.
func TestWrongCallsOfReport(t *testing.T) {
	db := voteFile(t, 4)
	text := filepath.Join(t.TempDir(), "text")
	require.NoError(t, os.WriteFile(text, []byte("neither votes nor a model"), 0o600))
	dir := t.TempDir()
	out := filepath.Join(dir, "report.html")
	for _, c := range []struct {
		code int
		says string
		args []string
	}{
		{2, "neither a vote file", []string{text}},
		{2, "no such file", []string{text + ".none"}},
		{2, "neither a vote file", []string{db, "--model", text}},
		{2, "is a vote file, a model", []string{db, "--model", db}},
		{2, "nobody has voted", []string{db, "--annotator", "oracle"}},
		{2, "--worst is 1 to 100", []string{db, "--worst", "0"}},
		{2, "there is no folder " + filepath.Join(dir, "none"), []string{db, "--out", filepath.Join(dir, "none", "report.html")}},
		{2, "is a folder: a file is wanted", []string{db, "--out", dir}},
	} {
		code, _, errs := program(append([]string{"report", "--out", out}, c.args...)...)
		assert.Equal(t, c.code, code, errs)
		assert.Contains(t, errs, c.says)
		left, err := os.ReadDir(dir)
		require.NoError(t, err)
		assert.Empty(t, left)
	}
	code, _, errs := program("report", db)
	assert.Equal(t, 2, code)
	assert.Contains(t, errs, "--out")
	code, said, errs := program("report", db, "--out", out)
	assert.Zero(t, code, errs)
	assert.Contains(t, said, "this program has no world")
}
