package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"marlpit/envs"
	"marlpit/envs/catalog"
)

// DocsCmd writes the pages whose facts come from the worlds' specs, and the
// client's lists of worlds.
type DocsCmd struct {
	Root  string `default:"." type:"existingdir" help:"Top folder of the source tree."`
	Check bool   `help:"Write nothing; fail when a page is stale."`
}

// errStale is returned by DocsCmd.Run with Check when a page is not what the
// worlds' specs say.
var errStale = errors.New("generated pages are stale: run `make docs`")

// Run writes or checks all pages.
func (c *DocsCmd) Run() error {
	pages, err := generatedPages(catalog.All())
	if err != nil {
		return err
	}
	if c.Check {
		return checkPages(c.Root, pages)
	}
	for _, p := range pages {
		file := filepath.Join(c.Root, filepath.FromSlash(p.Path))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(file, p.Content, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// page is one generated file.
type page struct {
	Path    string // from the top of the tree, with slashes
	Content []byte
}

// generatedPages renders every generated file of the tree.
func generatedPages(worlds envs.Registry) ([]page, error) {
	md, err := envsPage(worlds)
	if err != nil {
		return nil, err
	}
	bench, err := benchPage()
	if err != nil {
		return nil, err
	}
	py, err := worldsModule(worlds)
	if err != nil {
		return nil, err
	}
	pages := []page{
		{Path: "docs/envs.md", Content: md},
		{Path: "docs/critic-bench.md", Content: bench},
		{Path: "clients/python/src/marlpit/_worlds.py", Content: py},
	}
	return append(pages, benchmarlConfigs(worlds)...), nil
}

// checkPages returns an error wrapping errStale that names the pages whose
// files are missing or differ.
func checkPages(root string, pages []page) error {
	var stale []string
	for _, p := range pages {
		have, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(p.Path)))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		if !bytes.Equal(bytes.ReplaceAll(have, []byte("\r\n"), []byte("\n")), p.Content) {
			stale = append(stale, p.Path)
		}
	}
	if len(stale) == 0 {
		return nil
	}
	slices.Sort(stale)
	return fmt.Errorf("%w (%s)", errStale, strings.Join(stale, ", "))
}
