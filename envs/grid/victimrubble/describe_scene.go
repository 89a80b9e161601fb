package victimrubble

// guided tells the way to the sub-goal before and now.
func (t *teller) guided() {
	was, is := t.aims(&t.past, &t.now)[t.agent], t.goals(&t.now)[t.agent]
	switch {
	case was != none:
		do, _ := t.deed(int(was))
		t.say("The next goal of ", t.me, " was to ", do, " ", t.thing(int(was)), ". Before, ", t.me, " was ")
		t.away(&t.past, int(was))
		t.say(". Now ", t.me, " is ")
		t.away(&t.now, int(was))
		t.say(".")
	case is != none && t.dead(&t.past, t.agent):
		t.say("Before, ", t.me, " was not alive. Now ", t.me, " is ")
		t.away(&t.now, int(is))
		t.say(".")
	case is != none:
		t.say("Before, nothing was left for ", t.me, " to do. Now ", t.me, " is ")
		t.away(&t.now, int(is))
		t.say(".")
	default:
		t.say("Before, nothing was left for ", t.me, " to do. Now nothing is left for ", t.me, " to do.")
	}
	switch {
	case is == was || was == none:
	case is == none && t.dead(&t.now, t.agent):
	case is == none:
		t.say(" From now on nothing is left for ", t.me, " to do.")
	default:
		do, _ := t.deed(int(is))
		t.say(" From now on the next goal of ", t.me, " is to ", do, " ", t.thing(int(is)), ", ")
		t.count(t.left(&t.now, t.agent, int(is)), "step")
		t.say(" away.")
	}
	t.say("\n")
}

// away says how far the agent is from a goal: "four steps away from having
// healed victim A", the healing counted.
func (t *teller) away(s *State, job int) {
	if t.dead(s, t.agent) {
		t.say("not alive")
		return
	}
	_, done := t.deed(job)
	t.count(t.left(s, t.agent, job), "step")
	t.say(" away from having ", done, " ", t.thing(job))
}

// dead says whether an agent has stepped on a trap.
func (t *teller) dead(s *State, agent int) bool { return t.traps > 0 && s.out(agent) }

// plain tells all that is to be seen, before and now.
func (t *teller) plain() {
	t.say("Before: ")
	if t.past.places() != t.now.places() { // of another episode
		t.layout(&t.past)
	}
	t.scene(&t.past)
	t.say("Now: ")
	t.scene(&t.now)
}

func (t *teller) scene(s *State) {
	for n, i := range t.company() {
		if n > 0 {
			t.say("; ")
		}
		t.say(t.names[i])
		switch {
		case s.out(i) && t.leave:
			t.say(" has left")
			continue
		case s.out(i):
			t.say(" is not alive")
			continue
		}
		t.say(" is in ", t.where(s.At[i]))
		for _, j := range t.jobsTold() {
			t.say(", ")
			if n := t.walk(s, i, j); n < lost {
				t.count(n, "step")
				t.say(" away from ", t.thing(j))
			} else { // a teammate can get there, or it needn't be done
				t.say("cut off by a trap from ", t.thing(j))
			}
		}
		for _, c := range s.Trap[:t.traps] {
			if c >= 0 && t.beside(s.At[i], c) {
				t.say(", beside a trap")
			}
		}
	}
	for n, j := range t.jobsTold() {
		t.say([...]string{"; ", ", "}[min(n, 1)], t.thing(j), " ", t.state(s, j))
	}
	t.say(".\n")
}

func (t *teller) state(s *State, job int) string {
	_, done := t.deed(job)
	switch {
	case job == t.rubble+t.victims && s.Open:
		return "is open"
	case job == t.rubble+t.victims:
		return "is locked"
	case s.isDone(t.world, job):
		return "is " + done
	}
	return "is not " + done
}

// events says outright what came about or was undone.
func (t *teller) events() {
	for _, j := range t.jobsTold() {
		if was, is := t.state(&t.past, j), t.state(&t.now, j); was != is {
			t.event(t.thing(j), " ", is, " now, before it was", was[len("is"):])
			if by := t.author(j); by != "" {
				t.say(" (by ", by, ")")
			}
		}
	}
	fate := [...]string{"stepped on a trap and died", "is alive again"}
	if t.leave {
		fate = [...]string{"has left, its own job is done", "is back, its own job is not done"}
	}
	for _, i := range t.company() {
		if was, is := t.past.out(i), t.now.out(i); was != is {
			t.event(t.names[i], " ", fate[int(bit(was))])
		}
	}
	if was, is := t.past.success, t.now.success; was != is {
		if is {
			t.event("every victim is healed, the team has reached its goal")
		} else {
			t.event("the team had reached its goal and has no longer")
		}
	}
	if was, is := t.past.failed, t.now.failed; was != is {
		if is {
			t.event("those who are left can't save every victim, the team has failed")
		} else {
			t.event("the team had failed and can succeed again")
		}
	}
	if !t.said {
		t.say("What happened: nothing but steps")
	}
	t.say(".\n")
}

func (t *teller) event(words ...string) {
	if t.said {
		t.say("; ")
	} else {
		t.say("What happened: ")
	}
	t.said = true
	t.say(words...)
}

// author names the one agent that can have done or undone a job, "" where that
// can't be told.
func (t *teller) author(job int) string {
	name := ""
	for i := range t.agents {
		from, end := t.kin(i)
		if job >= from && job < end && t.past.At[i] == t.now.At[i] && t.now.works(t.world, job, t.now.At[i]) {
			if name != "" {
				return ""
			}
			name = t.names[i]
		}
	}
	return name
}
