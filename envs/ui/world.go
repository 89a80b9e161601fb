package ui

import (
	_ "embed"
	"fmt"
	"image"
	"slices"
	"strings"

	"marlpit/envs"
)

// card is the part of a world's card that all have in common.
//
//go:embed card.md
var card string

// World is a catalogue's line in the making: templates of tasks, and what they
// are played on.
type World struct {
	ID          string // "phone-v1"
	Summary     string
	Card        string // what the world is; what all have in common follows
	Templates   []Template
	Apps        []string                                         // that open_app knows, as the Launcher's; nil where there are none
	HeldOutApps []string                                         // kept for studies of generalisation
	Width       int                                              // of the screen in pixels
	Height      int                                              // of the screen in pixels
	Paint       func(dst *image.RGBA, d *Device, below []string) // draws the screen, and words in a strip of Caption below it
}

// Params are the parameters of worlds of user interfaces.
type Params struct {
	Template    string  `param:"template" help:"the task template, or all: one is drawn for each episode"`
	Split       string  `param:"split" enum:"all,train,heldout-seeds,heldout-templates,heldout-apps" help:"which tasks are drawn: train and heldout-seeds have the same templates and no start in common"`
	Agents      int     `param:"agents" min:"1" max:"16" help:"number of agents"`
	Rounds      int     `param:"rounds" min:"1" max:"8" help:"rounds of talk before an action is executed; a step is a round"`
	Graph       string  `param:"graph" enum:"full,chain,random,none" help:"who hears whom: all before it, the one before it, a graph drawn for each episode, nobody"`
	EdgeUpdate  float64 `param:"edge_update" min:"0" max:"1" help:"probability that an episode's graph has edges added and dropped at random"`
	MaxTurns    int     `param:"max_turns" min:"0" max:"1000" help:"limit of executed actions, 0 for the template's own"`
	MaxCycles   int     `param:"max_cycles" min:"0" max:"1000000" help:"limit of steps, 0 for none"`
	Elements    int     `param:"elements" min:"8" max:"64" help:"number of a screen's elements that arrays and numbered choices hold; words and JSON actions have all"`
	Words       string  `param:"words" enum:"plain,reworded" help:"goals in one wording, or drawn among several"`
	Distractors bool    `param:"distractors" help:"screens show notices that have nothing to do with the task"`
}

// Defaults are four agents who talk for three rounds about any task.
var Defaults = Params{
	Template: "all", Split: "all", Agents: 4, Rounds: 3, Graph: "full", Elements: 36, Words: "plain",
}

// Entry is the world's line in the catalogue.
func (w World) Entry() envs.Entry {
	w.Templates = slices.Clone(w.Templates)
	slices.SortFunc(w.Templates, func(a, b Template) int { return strings.Compare(a.Name, b.Name) })
	names := []string{"all"}
	for _, t := range w.Templates {
		names = append(names, t.Name)
	}
	var shared envs.Shared[Params, game]
	return envs.Define(w.ID, w.Summary, w.Card+"\n"+card+"\n**History.** v1: first version.\n", Defaults, func(p Params) (envs.Env, error) {
		templates, err := w.choose(p)
		if err != nil {
			return nil, err
		}
		return newGame(shared.Get(p, func() *game { return w.newShared(p, templates) })), nil
	}, envs.Enum{Param: "template", Values: names})
}

// choose lists the templates that the parameters ask for.
func (w World) choose(p Params) ([]*Template, error) {
	var out []*Template
	for i := range w.Templates {
		t := &w.Templates[i]
		if p.Template != "all" && p.Template != t.Name {
			continue
		}
		if belongs := w.Belongs(t); p.Split == "all" || p.Split == belongs || p.Split == "heldout-seeds" && belongs == "train" {
			out = append(out, t)
		} else if p.Template == t.Name {
			return nil, fmt.Errorf("%w: %s: the template %s is not in split %s: it belongs to %s (and to all)", envs.ErrParams, w.ID, t.Name, p.Split, belongs)
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("%w: %s: split %s has no templates", envs.ErrParams, w.ID, p.Split)
	}
	return out, nil
}

// Templates are those that the game draws from: read only.
func (g *game) Templates() []*Template { return g.templates }

// Belongs is where a template belongs: "train" (and, from other seeds,
// "heldout-seeds"), "heldout-templates" or "heldout-apps".
func (w World) Belongs(t *Template) string {
	for _, a := range t.Apps {
		if slices.Contains(w.HeldOutApps, a) {
			return "heldout-apps"
		}
	}
	if t.HeldOut {
		return "heldout-templates"
	}
	return "train"
}
