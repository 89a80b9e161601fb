package main

import (
	"bytes"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marlpit/envs/catalog"
)

// maxLines is where a source file is split.
const maxLines = 400

// tracked lists the files under version control, or skips the test where there is none.
func tracked(t *testing.T) []string {
	t.Helper()
	out, err := exec.Command("git", "ls-files", "-z").Output()
	if err != nil {
		t.Skip("not a checkout: ", err)
	}
	files := strings.Split(strings.TrimRight(string(out), "\x00"), "\x00")
	require.Greater(t, len(files), 20)
	return files
}

// contents reads a tracked file; nil where it is being deleted.
func contents(t *testing.T, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(name)
	if !os.IsNotExist(err) {
		require.NoError(t, err)
	}
	return b
}

func TestFilesAreOfReadableLength(t *testing.T) {
	for _, name := range tracked(t) {
		base, ext := path.Base(name), path.Ext(name)
		test := strings.HasSuffix(base, "_test.go") || strings.HasPrefix(base, "test_") || strings.Contains(name, "/tests/")
		if ext != ".go" && ext != ".py" || test || strings.Contains(name, "/testdata/") {
			continue
		}
		b := contents(t, name)
		if first, _, _ := bytes.Cut(b, []byte("\n\n")); bytes.Contains(first, []byte("Code generated")) {
			continue
		}
		assert.LessOrEqual(t, bytes.Count(b, []byte("\n")), maxLines, "lines of %s", name)
	}
}

// The project names no machine and no registry: it has to build anywhere.
func TestFilesNameNoMachine(t *testing.T) {
	hosts := []string{`proxy\.go` + `lang\.org`, `py` + `pi\.org`, `python` + `hosted\.org`, `npm` + `js\.org`, `deb\.` + `debian\.org`, `crates` + `\.io`}
	machine := regexp.MustCompile(`(?m)(^|[\s"'=(:` + "`" + `])/(work|root|home)/|` + strings.Join(hosts, "|"))
	for _, name := range tracked(t) {
		b := contents(t, name)
		if bytes.IndexByte(b, 0) >= 0 {
			continue
		}
		if m := machine.Find(b); m != nil {
			t.Errorf("%s holds %q", name, m)
		}
	}
}

// A world `two-switch-v1` lives in envs/<kit>/twoswitch, with a playthrough that
// no change may alter unnoticed.
func TestEveryWorldHasAGoldenPlaythrough(t *testing.T) {
	require.NotEmpty(t, catalog.All())
	for _, e := range catalog.All() {
		folder := strings.ReplaceAll(e.ID[:strings.LastIndex(e.ID, "-v")], "-", "")
		found, err := filepath.Glob("envs/*/" + folder + "/testdata/golden.txt")
		require.NoError(t, err)
		if assert.Len(t, found, 1, "envs/*/%s/testdata/golden.txt for %s", folder, e.ID) {
			assert.Greater(t, len(contents(t, found[0])), 200, "bytes of %s", found[0])
		}
	}
}

func TestGeneratedPagesAreFresh(t *testing.T) {
	pages, err := generatedPages(catalog.All())
	require.NoError(t, err)
	require.NoError(t, checkPages(".", pages))
}

func TestStalePagesAreNamed(t *testing.T) {
	pages, err := generatedPages(catalog.All())
	require.NoError(t, err)
	root := t.TempDir()
	err = (&DocsCmd{Root: root, Check: true}).Run()
	require.ErrorIs(t, err, errStale)
	for _, p := range pages {
		assert.ErrorContains(t, err, p.Path)
	}

	require.NoError(t, (&DocsCmd{Root: root}).Run())
	require.NoError(t, (&DocsCmd{Root: root, Check: true}).Run())

	file := path.Join(root, pages[0].Path)
	require.NoError(t, os.WriteFile(file, append(pages[0].Content, "by hand\n"...), 0o644))
	err = (&DocsCmd{Root: root, Check: true}).Run()
	require.ErrorIs(t, err, errStale)
	assert.ErrorContains(t, err, pages[0].Path)
	assert.NotContains(t, err.Error(), pages[1].Path)
}
