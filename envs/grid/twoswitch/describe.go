package twoswitch

import (
	"marlpit/envs"
	"marlpit/envs/grid"
)

// names of the targets, as words have them.
var names = [targets]string{"switch A", "switch B", "the twin of switch A", "the twin of switch B", "the exit"}

// AppendWords implements envs.Describer.
//
// Words follow what small models were found to read best: what was before, then
// what is now; numbers as words; events said outright. Guided words name the
// agent's sub-goal; plain words give every distance and leave the judgement open.
func (g *Game) AppendWords(dst, before []byte, agent int, view envs.View) []byte {
	if err := g.past.read(g.world, before); err != nil {
		panic("twoswitch: AppendWords: " + err.Error())
	}
	dst = g.appendTask(dst, agent)
	if view == envs.Guided {
		dst = g.appendGuided(dst, agent)
	} else {
		dst = g.appendPlain(dst, agent)
	}
	return g.appendEvents(dst, agent)
}

// appendTask says who the agent is, the task, and how it depends on its teammates.
func (g *Game) appendTask(dst []byte, agent int) []byte {
	me := g.spec.Agents[agent]
	dst = append(append(dst, me...), " is one of "...)
	dst = grid.AppendCount(dst, g.agents, "agent")
	dst = append(dst, " that walk on a grid; its role is to work switches and to walk to the exit. "+
		"Two rooms are joined by a door. Switch A and switch B are in the left room, the exit is in the right room. "+
		"The goal of the team: all agents stand on the exit together. "...)
	if g.held {
		dst = append(dst, "A switch works only while an agent stands on it or on its twin in the right room, and the door is open only while both switches work. "...)
	} else {
		dst = append(dst, "A switch stays pressed once an agent has stepped on it, and the door opens for good when both switches are pressed. "...)
	}
	dst = append(append(dst, me...), " depends on its teammates: "...)
	if g.held {
		return append(dst, "others have to keep the door open while it walks through, and it has to keep the door open for them.\n"...)
	}
	return append(dst, "any agent may press any switch, one agent for each is quickest, and the team is not done before the last agent is at the exit.\n"...)
}

// appendGuided tells the way to the sub-goal before and now.
func (g *Game) appendGuided(dst []byte, agent int) []byte {
	me := g.spec.Agents[agent]
	was, is := g.goals(&g.past)[agent], g.goals(&g.now)[agent]
	dst = append(append(append(dst, "The next goal of "...), me...), " was "...)
	dst = append(append(dst, names[was]...), ". Before, "...)
	dst = g.appendAway(append(append(dst, me...), " was "...), was, g.past.At[agent])
	dst = append(append(append(dst, ". Now "...), me...), " is "...)
	dst = g.appendAway(dst, was, g.now.At[agent])
	if is != was {
		dst = append(append(append(dst, ". From now on the next goal of "...), me...), " is "...)
		dst = append(append(dst, names[is]...), ", "...)
		dst = g.appendSteps(dst, is, g.now.At[agent])
		dst = append(dst, " away"...)
	}
	return append(dst, ".\n"...)
}

// appendAway says how far a cell is from a target: "four steps away from the exit".
func (g *Game) appendAway(dst []byte, t target, cell int16) []byte {
	return append(append(g.appendSteps(dst, t, cell), " away from "...), names[t]...)
}

func (g *Game) appendSteps(dst []byte, t target, cell int16) []byte {
	return grid.AppendCount(dst, int(g.dist[t][cell]), "step")
}

// appendPlain tells all that is to be seen, before and now.
func (g *Game) appendPlain(dst []byte, agent int) []byte {
	dst = g.appendScene(append(dst, "Before: "...), &g.past, agent)
	return g.appendScene(append(dst, "Now: "...), &g.now, agent)
}

func (g *Game) appendScene(dst []byte, s *State, agent int) []byte {
	for i := range g.agents {
		if i > 0 {
			dst = append(dst, "; "...)
		}
		who := (agent + i) % g.agents // the agent itself first
		dst = append(append(append(dst, g.spec.Agents[who]...), " is in "...), g.room(s.At[who])...)
		for t := range targets {
			if g.dist[t] != nil {
				dst = append(dst, ", "...)
				dst = g.appendAway(dst, t, s.At[who])
			}
		}
	}
	dst = append(dst, "; switch A "...)
	dst = append(dst, g.working(s, 0)...)
	dst = append(dst, ", switch B "...)
	dst = append(dst, g.working(s, 1)...)
	dst = append(dst, ", the door is "...)
	if g.open(s) {
		return append(dst, "open.\n"...)
	}
	return append(dst, "closed.\n"...)
}

func (w *world) room(cell int16) string {
	switch {
	case cell == w.door:
		return "the doorway"
	case w.right[cell]:
		return "the right room"
	}
	return "the left room"
}

func (w *world) working(s *State, k int) string {
	switch on := w.works(s, k); {
	case w.held && on:
		return "is held"
	case w.held:
		return "is not held"
	case on:
		return "is pressed"
	}
	return "is not pressed"
}

// appendEvents says outright what came about or was undone.
func (g *Game) appendEvents(dst []byte, agent int) []byte {
	n := len(dst)
	me := g.spec.Agents[agent]
	say := func(words ...string) {
		if len(dst) == n {
			dst = append(dst, "What happened: "...)
		} else {
			dst = append(dst, "; "...)
		}
		for _, w := range words {
			dst = append(dst, w...)
		}
	}
	for t, c := range g.at {
		was, is := g.past.At[agent] == c, g.now.At[agent] == c
		switch {
		case c < 0 || was == is:
		case is:
			say(me, " stepped on ", names[t])
		default:
			say(me, " left ", names[t])
		}
	}
	for k := range 2 {
		was, is := g.working(&g.past, k), g.working(&g.now, k)
		if was != is {
			say(names[k], " ", is, " now, before it ", is2was(was))
		}
	}
	if was, is := g.open(&g.past), g.open(&g.now); was != is {
		if is {
			say("the door opened")
		} else {
			say("the door closed")
		}
	}
	if was, is := g.past.success, g.now.success; was != is {
		if is {
			say("all agents are at the exit, the team has reached its goal")
		} else {
			say("the team had reached its goal and is no longer all at the exit")
		}
	}
	if len(dst) == n {
		return append(dst, "What happened: nothing but steps.\n"...)
	}
	return append(dst, ".\n"...)
}

// is2was puts "is pressed" into the past.
func is2was(s string) string { return "was" + s[len("is"):] }
