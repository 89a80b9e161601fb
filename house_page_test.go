package main

import (
	"go/format"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// printed is a file in a page: its path in code, then its text in a fence.
var printed = regexp.MustCompile("(?ms)^`(envs/[^`]+)`\\n\\n```\\w*\\n(.*?)^```$")

// The world that docs/adding-an-env.md builds works as printed: its files are
// taken out of the page and tested in a copy of envs, with its line in the
// catalogue.
func TestThePageOnAddingAWorldWorks(t *testing.T) {
	page, err := os.ReadFile("docs/adding-an-env.md")
	require.NoError(t, err)
	files := printed.FindAllStringSubmatch(string(page), -1)
	require.Greater(t, len(files), 8)

	root := t.TempDir()
	require.NoError(t, os.CopyFS(filepath.Join(root, "envs"), os.DirFS("envs")))
	for _, name := range []string{"go.mod", "go.sum"} {
		b, err := os.ReadFile(name)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(root, name), b, 0o644))
	}
	for _, f := range files {
		file := filepath.Join(root, filepath.FromSlash(f[1]))
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
		require.NoError(t, os.WriteFile(file, []byte(f[2]), 0o644))
		if strings.HasSuffix(file, ".go") {
			formatted, err := format.Source([]byte(f[2]))
			require.NoError(t, err, f[1])
			assert.Equal(t, string(formatted), f[2], "%s as gofmt prints it", f[1])
		}
	}
	addToCatalogue(t, filepath.Join(root, "envs", "catalog", "catalog.go"), string(page))

	run := func(args ...string) {
		t.Helper()
		c := exec.Command("go", args...)
		c.Dir = root
		c.Env = append(os.Environ(), "GOFLAGS=-trimpath -buildvcs=false -mod=mod", "GOWORK=off")
		out, err := c.CombinedOutput()
		require.NoError(t, err, "go %s\n%s", strings.Join(args, " "), out)
	}
	run("vet", "./envs/grid/rendezvous", "./envs/catalog")
	run("test", "./envs/grid/rendezvous", "-update")
	run("test", "-count=1", "./envs/grid/rendezvous", "./envs/catalog")
	meet, err := os.ReadFile(filepath.Join(root, "envs/grid/rendezvous/testdata/meet.case"))
	require.NoError(t, err)
	assert.Contains(t, string(meet), "| ..10\n| rewards 0 0\n", "those who pass have not met")
	assert.Contains(t, string(meet), "| ..*.\n| rewards 0.975 0.975\n| success walker_0 walker_1\n", "those who meet are paid once")
}

// addToCatalogue makes the two changes the page prints in a diff, each below
// the line printed before it.
func addToCatalogue(t *testing.T, file, page string) {
	t.Helper()
	diff := regexp.MustCompile("(?ms)^```diff\\n(.*?)^```$").FindStringSubmatch(page)
	require.NotNil(t, diff, "the page prints no diff of the catalogue")
	b, err := os.ReadFile(file)
	require.NoError(t, err)
	text, before, added := string(b), "", 0
	for _, line := range strings.Split(strings.TrimSuffix(diff[1], "\n"), "\n") {
		if add, ok := strings.CutPrefix(line, "+"); ok {
			require.Equal(t, 1, strings.Count(text, before+"\n"), "lines of the catalogue that read %q", before)
			text = strings.Replace(text, before+"\n", before+"\n"+add+"\n", 1)
			before = add
			added++
			continue
		}
		before = strings.TrimPrefix(line, " ")
	}
	require.Equal(t, 2, added, "lines to add: the import and the entry")
	require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
}
