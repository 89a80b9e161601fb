package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"marlpit/api"
	"marlpit/envs"
	"marlpit/envs/catalog"
)

// envsCmd lists the worlds, or shows one.
type envsCmd struct {
	ID   string `arg:"" optional:"" help:"Id of a world; without it, all are listed."`
	JSON bool   `name:"json" help:"Print JSON."`
}

// Run prints the list or the card.
func (c *envsCmd) Run(out io.Writer) error {
	if c.ID == "" {
		return c.list(out)
	}
	entry, err := catalog.All().Find(c.ID)
	if err != nil {
		return fmt.Errorf("%w: %w", errUsage, err)
	}
	if c.JSON {
		return printJSON(out, map[string]any{
			"id": entry.ID, "summary": entry.Summary, "card": entry.Card, "params": envs.Schema(entry.Params),
		})
	}
	fmt.Fprintf(out, "%s — %s\n\n%s\n\nParameters:\n", entry.ID, entry.Summary, strings.TrimSpace(entry.Card))
	w := tabwriter.NewWriter(out, 2, 4, 2, ' ', 0)
	for _, p := range entry.Params {
		fmt.Fprintf(w, "  %s\t%v\t%s\t%s\n", p.Name, p.Default, p.Accepts(), p.Help)
	}
	return w.Flush()
}

func (c *envsCmd) list(out io.Writer) error {
	if c.JSON {
		list := []map[string]string{}
		for _, e := range catalog.All() {
			list = append(list, map[string]string{"id": e.ID, "summary": e.Summary})
		}
		return printJSON(out, map[string]any{"envs": list})
	}
	w := tabwriter.NewWriter(out, 2, 4, 2, ' ', 0)
	for _, e := range catalog.All() {
		fmt.Fprintf(w, "%s\t%s\n", e.ID, e.Summary)
	}
	return w.Flush()
}

// versionCmd prints the version.
type versionCmd struct {
	JSON bool `name:"json" help:"Print JSON."`
}

// Run prints the program's version and the number of its wire protocol.
func (c *versionCmd) Run(out io.Writer) error {
	if c.JSON {
		return printJSON(out, map[string]any{"version": version, "wire": api.Wire})
	}
	_, err := fmt.Fprintf(out, "marlpit %s (wire %d)\n", version, api.Wire)
	return err
}

// printJSON prints a result for programs.
func printJSON(out io.Writer, v any) error {
	enc := json.NewEncoder(out)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}
