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
		accepts := p.Accepts()
		if len(p.Enum) > envs.Many {
			accepts = fmt.Sprintf("one of the %d below", len(p.Enum))
		}
		fmt.Fprintf(w, "  %s\t%v\t%s\t%s\n", p.Name, p.Default, accepts, p.Help)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	for _, p := range entry.Params {
		if len(p.Enum) > envs.Many {
			fmt.Fprintf(out, "\nThe %d values of %s:\n", len(p.Enum), p.Name)
			writeNames(out, p.Enum)
		}
	}
	return nil
}

// writeNames writes names in lines of a terminal's width.
func writeNames(out io.Writer, names []string) {
	line := " "
	for i, name := range names {
		if i < len(names)-1 {
			name += ","
		}
		if len(line)+1+len(name) > 80 {
			fmt.Fprintln(out, line)
			line = " "
		}
		line += " " + name
	}
	fmt.Fprintln(out, line)
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
