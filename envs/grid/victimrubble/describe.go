package victimrubble

import (
	"marlpit/envs"
	"marlpit/envs/grid"
)

// AppendWords implements envs.Describer.
//
// Words follow what small models were found to read best: what was before, then
// what is now; numbers as words; events said outright. Guided words name the
// agent's sub-goal; plain words give every distance and leave the judgement
// open. With sites an agent is told of its own pair only.
func (g *Game) AppendWords(dst, before []byte, agent int, view envs.View) []byte {
	if err := g.past.read(g.world, before); err != nil {
		panic("victimrubble: AppendWords: " + err.Error())
	}
	t := teller{Game: g, dst: dst, agent: agent, me: g.names[agent]}
	t.task()
	if view == envs.Guided {
		t.guided()
	} else {
		t.plain()
	}
	t.events()
	return t.dst
}

// teller writes for one agent.
type teller struct {
	*Game
	dst   []byte
	agent int
	me    string
	said  bool // an event has been told
}

func (t *teller) say(words ...string) {
	for _, w := range words {
		t.dst = append(t.dst, w...)
	}
}

func (t *teller) count(n int, noun string) { t.dst = grid.AppendCount(t.dst, n, noun) }

// letters name heaps and victims.
const letters = "ABCDEFGHIJKLMNOP"

// thing names a job's object: "rubble A", "victim B", "the door".
func (w *world) thing(job int) string {
	switch {
	case job < w.rubble:
		return "rubble " + letters[job:job+1]
	case job < w.rubble+w.victims:
		k := job - w.rubble
		return "victim " + letters[k:k+1]
	}
	return "the door"
}

// deed is what is done to a job's object: "clear", "cleared" and so on.
func (w *world) deed(job int) (do, done string) {
	switch {
	case job < w.rubble:
		return "clear", "cleared"
	case job < w.rubble+w.victims:
		return "heal", "healed"
	}
	return "open", "opened"
}

var abilities = [...]string{
	engineer:  "an engineer, who clears rubble beside it",
	medic:     "a medic, who heals a victim when it stands on it",
	scout:     "a scout, who sees far and tells the others",
	keybearer: "the key-bearer, who opens the locked door from beside it",
}

// task says who the agent is, the task, and how it depends on its teammates.
func (t *teller) task() {
	t.say(t.me, " is one of ")
	t.count(t.agents, "agent")
	t.say(" that walk on a grid; it is ", abilities[t.roles[t.agent]], ". ")
	t.say("The goal of the team: every victim is healed. ")
	for _, i := range t.company() {
		if i != t.agent {
			t.say(t.names[i], " is ", abilities[t.roles[i]], ". ")
		}
	}
	if t.sites {
		t.say("Each pair of an engineer and a medic has rubble and a victim of its own, and nobody else can help with them. ")
	}
	t.say("Nobody can walk through rubble")
	if t.door {
		t.say(" or the locked door")
	}
	t.say(". ")
	if t.traps > 0 {
		t.say("Whoever steps on a trap dies. ")
	}
	if t.leave {
		t.say("An agent leaves when its own job is done. ")
	}
	t.layout(&t.now)
	t.say("Steps are counted as if all ways were free. ")
	t.say(t.me, " depends on its teammates: ", [...]string{
		engineer:  "it can't heal, and the medics can't get to victims before the way is clear.\n",
		medic:     "it can't clear rubble, and can't get to victims before the way is clear.\n",
		scout:     "it can neither clear rubble nor heal, and it can tell the others what they don't see.\n",
		keybearer: "it can neither clear rubble nor heal, and what is behind the door can't be reached before it is open.\n",
	}[t.roles[t.agent]])
}

// company are the agents that are spoken of: all, or with sites the pair.
func (t *teller) company() []int {
	out := []int{t.agent} // the agent itself first
	for k := range t.agents - 1 {
		i := (t.agent + 1 + k) % t.agents
		if !t.sites || t.pair(i) == t.pair(t.agent) {
			out = append(out, i)
		}
	}
	return out
}

// jobsTold are the jobs that are spoken of.
func (t *teller) jobsTold() []int {
	var out []int
	for j := range t.jobsAll() {
		if !t.sites || j%t.rubble == t.pair(t.agent) {
			out = append(out, j)
		}
	}
	return out
}

// layout says where things are.
func (t *teller) layout(s *State) {
	for _, j := range t.jobsTold() {
		name := t.thing(j)
		switch {
		case j == t.rubble+t.victims:
			t.say("The locked door is ", t.where(s.Door), ". ")
		case j < t.rubble && len(t.gaps) > 0:
		case j < t.rubble:
			t.say("R", name[1:], " lies ")
			if v := t.buried(s, s.Rubble[j]); v >= 0 {
				t.say("on ", t.thing(t.rubble+v), ". ")
			} else {
				t.say("in ", t.where(s.Rubble[j]), ". ")
			}
		case len(t.gaps) > 0 && j-t.rubble < t.rubble:
			t.say("V", name[1:], " lies behind ", t.thing(j-t.rubble), ". ")
		default:
			t.say("V", name[1:], " lies in ", t.where(s.Victim[j-t.rubble]), ". ")
		}
	}
}

// buried is the victim in a cell, -1 for none.
func (w *world) buried(s *State, cell int16) int {
	for k, c := range s.Victim[:w.victims] {
		if c == cell {
			return k
		}
	}
	return -1
}

var ordinals = [...]string{"the first room", "the second room", "the third room", "the fourth room"}

// where names the place of a cell.
func (w *world) where(cell int16) string {
	for r, room := range w.floor {
		for _, c := range room {
			if c == cell && len(w.floor) == 1 {
				return "the room"
			}
			if c == cell {
				return ordinals[r]
			}
		}
	}
	if len(w.gaps) == 0 {
		for k, c := range w.doorways {
			if c == cell {
				return [...]string{"the doorway between the first and the second room", "the doorway between the first and the third room", "the doorway between the second and the fourth room"}[k]
			}
		}
	}
	return "an alcove"
}
