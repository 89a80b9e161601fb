package victimrubble

import (
	"fmt"

	"marlpit/envs"
)

// Params are the parameters of victim-rubble-v1. Width, Height, Rubble and
// Victims of 0 are what suits the layout.
type Params struct {
	Engineers int    `param:"engineers" min:"1" max:"15" help:"agents that clear rubble"`
	Medics    int    `param:"medics" min:"1" max:"15" help:"agents that heal victims"`
	Scout     bool   `param:"scout" help:"whether there is an agent that sees far, and tells the others, where view is radius"`
	Keybearer bool   `param:"keybearer" help:"whether there is a locked door and an agent that opens it; in layout rooms"`
	Layout    string `param:"layout" enum:"room,rooms,sites" help:"one room, four rooms, or one room with a site for each pair of engineer and medic"`
	Width     int    `param:"width" min:"0" max:"12" help:"columns of a room, from 2; 0 for the layout's own: 4, 3 or 9"`
	Height    int    `param:"height" min:"0" max:"12" help:"rows of a room, from 2; 0 for the layout's own: 5, 3 or 7"`
	Rubble    int    `param:"rubble" min:"0" max:"16" help:"heaps of rubble; 0 for the layout's own: 2, 3 or one a pair"`
	Victims   int    `param:"victims" min:"0" max:"16" help:"victims; 0 for the layout's own: 2, 2 or one a pair"`
	Places    string `param:"places" enum:"fixed,random" help:"whether rubble, victims, door, traps and starts are where they always are, or drawn for each episode"`
	View      string `param:"view" enum:"full,radius" help:"how far agents see"`
	Radius    int    `param:"radius" min:"1" max:"12" help:"columns and rows an agent sees around it, where view is radius; a scout sees three times as far"`
	Ending    string `param:"ending" enum:"together,leave,death" help:"all end together; or agents leave when their own job is done; or there are traps that kill"`
	MaxCycles int    `param:"max_cycles" min:"0" max:"1000000" help:"limit of steps, 0 for none"`
}

// Defaults are one engineer and one medic in one room with two victims.
var Defaults = Params{
	Engineers: 1, Medics: 1, Layout: "room", Places: "fixed", View: "full", Radius: 2, Ending: "together", MaxCycles: 100,
}

// maxAgents and maxThings are the most agents, and the most heaps and victims, of a game.
const (
	maxAgents = 16
	maxThings = 16
	maxTraps  = 4
	maxCells  = 640 // four rooms of 12 × 12 and their doorways are 579
)

func (p Params) agents() int {
	n := p.Engineers + p.Medics
	if p.Scout {
		n++
	}
	if p.Keybearer {
		n++
	}
	return n
}

func refuse(format string, a ...any) error {
	return fmt.Errorf("%w: victim-rubble-v1: "+format, append([]any{envs.ErrParams}, a...)...)
}

// resolved puts the layout's own numbers in place of zeros, and refuses
// combinations that make no world.
func (p Params) resolved() (Params, error) {
	if n := p.agents(); n > maxAgents {
		return p, refuse("%d agents (engineers, medics, scout and keybearer), the most are %d", n, maxAgents)
	}
	own := map[string]Params{
		"room":  {Width: 4, Height: 5, Rubble: 2, Victims: 2},
		"rooms": {Width: 3, Height: 3, Rubble: 3, Victims: 2},
		"sites": {Width: 9, Height: 7, Rubble: p.Engineers, Victims: p.Engineers},
	}[p.Layout]
	for _, f := range [...]struct {
		to   *int
		take int
	}{{&p.Width, own.Width}, {&p.Height, own.Height}, {&p.Rubble, own.Rubble}, {&p.Victims, own.Victims}} {
		if *f.to == 0 {
			*f.to = f.take
		}
	}
	if p.Width < 2 || p.Height < 2 {
		return p, refuse("width %d and height %d of a room, want at least 2 each", p.Width, p.Height)
	}
	if p.Keybearer && p.Layout != "rooms" {
		return p, refuse("a keybearer needs layout rooms, which has a locked door; got layout %s", p.Layout)
	}
	if p.Layout == "rooms" {
		return p, p.checkRooms()
	}
	if most := len(alcoves(p)); p.Rubble > most {
		return p, refuse("%d heaps of rubble in the walls of a room of %d × %d, the most are %d", p.Rubble, p.Width, p.Height, most)
	}
	if p.Layout == "sites" {
		return p, p.checkSites()
	}
	if most := p.Rubble + p.Width*p.Height - 2; p.Victims > most {
		return p, refuse("%d victims with %d heaps of rubble in a room of %d × %d, the most are %d", p.Victims, p.Rubble, p.Width, p.Height, most)
	}
	return p, nil
}

func (p Params) checkRooms() error {
	blocked := 3
	if p.Keybearer {
		blocked = 2
	}
	if p.Rubble > blocked+p.Victims {
		return refuse("%d heaps of rubble, the most are %d: one in each of %d doorways and on each of %d victims", p.Rubble, blocked+p.Victims, blocked, p.Victims)
	}
	if most := 4*p.Width*p.Height - 5; p.Victims > most {
		return refuse("%d victims in four rooms of %d × %d, the most are %d", p.Victims, p.Width, p.Height, most)
	}
	return nil
}

func (p Params) checkSites() error {
	switch {
	case p.Scout:
		return refuse("layout sites has pairs of engineer and medic only, no scout")
	case p.Engineers != p.Medics:
		return refuse("layout sites needs as many medics as engineers, got %d and %d", p.Medics, p.Engineers)
	case p.Rubble != p.Engineers || p.Victims != p.Engineers:
		return refuse("layout sites has one heap of rubble and one victim for each of %d pairs, got %d and %d; leave rubble and victims out", p.Engineers, p.Rubble, p.Victims)
	}
	return nil
}
