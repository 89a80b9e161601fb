package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marlpit/shaping/prefer"
	"marlpit/shaping/shapingtest"
	"marlpit/shaping/study"
)

// blocks are the parts of a page that are fenced as a language.
func blocks(t *testing.T, page, language string) []string {
	t.Helper()
	b, err := os.ReadFile(page)
	require.NoError(t, err)
	var out []string
	for _, m := range regexp.MustCompile("(?s)```"+language+"\n(.*?)```").FindAllStringSubmatch(string(b), -1) {
		out = append(out, m[1])
	}
	require.NotEmpty(t, out)
	return out
}

func TestDocumentedQueriesAndCriticsWork(t *testing.T) {
	path := voteFile(t, 6)
	s := shapingtest.NewServer(t, sayYes)
	var l labelled
	programJSON(t, &l, "label", "--db", path, "--base-url", s.URL, "--model", "m")
	programJSON(t, &l, "label", "--db", path, "--critic", "oracle", "--error-rate", "1")
	for _, statement := range strings.Split(blocks(t, "docs/votes.md", "sql")[0], ";") {
		if strings.Contains(statement, "SELECT") {
			assert.NotEmpty(t, query(t, path, statement), statement)
		}
	}
	file := filepath.Join(t.TempDir(), "critics.toml")
	require.NoError(t, os.WriteFile(file, []byte(blocks(t, "docs/votes.md", "toml")[0]), 0o600))
	critics, err := study.LoadCritics(file)
	require.NoError(t, err)
	require.Len(t, critics, 3)
	assert.Equal(t, 0.60, critics[0].PriceOut)

	// Every table and view of a file is on the page.
	b, err := os.ReadFile("docs/votes.md")
	require.NoError(t, err)
	for _, name := range query(t, path, `SELECT name FROM sqlite_master WHERE type IN ('table', 'view')`) {
		assert.Contains(t, string(b), "`"+name+"`")
	}
}

// Every verdict that judge prints is explained where judging is, with the number
// that it takes.
func TestVerdictsAreExplained(t *testing.T) {
	require.Equal(t, 5, study.MinDecidable, "the pages and the help say five, and why")
	for n, want := range map[int]float64{4: 0.51, 5: 0.57} {
		low, _ := prefer.Wilson(n, n)
		assert.InDelta(t, want, low, 0.005, "the pages give the interval of %d of %d", n, n)
	}
	for _, page := range []string{"docs/process.md", "docs/votes.md"} {
		b, err := os.ReadFile(page)
		require.NoError(t, err)
		for _, v := range []study.Verdict{study.Usable, study.Blind, study.Reversed, study.TooFew, "–"} {
			assert.Regexp(t, "(`|\\*\\*)"+string(v)+"(`|\\*\\*)", string(b), page)
		}
		assert.Contains(t, string(b), "`"+string(study.Nothing)+"`", page)
	}
	assert.Contains(t, judgeCmd{}.Help(), `right or five wrong proposals`)
}
