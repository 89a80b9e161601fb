package ui_test

import (
	"os"
	"strings"
	"testing"
)

// TestPageShowsShippedTasks tests that the files in docs/adding-a-task.md are
// those in the tree, which the kit tests.
func TestPageShowsShippedTasks(t *testing.T) {
	page, err := os.ReadFile("../../docs/adding-a-task.md")
	if err != nil {
		t.Fatal(err)
	}
	parts := strings.Split(string(page), "```go\n")
	if len(parts) < 4 {
		t.Fatalf("%d files on the page", len(parts)-1)
	}
	for i, part := range parts[1:] {
		code, _, ok := strings.Cut(part, "```")
		fields := strings.Split(parts[i], "`")
		if len(fields) < 2 || !ok {
			t.Fatalf("file %d has no name above it, or no end", i)
		}
		name := fields[len(fields)-2]
		file, err := os.ReadFile("../../" + name)
		if err != nil {
			t.Fatal(err)
		}
		if code != string(file) {
			t.Errorf("%s differs from the page", name)
		}
	}
}
