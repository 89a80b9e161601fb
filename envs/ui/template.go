package ui

import (
	"encoding/json"
	"reflect"

	"marlpit/envs"
)

// Kind is what a task mainly asks for.
type Kind string

// The kinds of tasks.
const (
	Create     Kind = "create"
	Edit       Kind = "edit"
	Delete     Kind = "delete"
	Find       Kind = "find"     // look something up and answer
	Navigate   Kind = "navigate" // get somewhere, or set the display
	Transfer   Kind = "transfer" // carry something from one app or page to another
	Several    Kind = "several"  // more than one item
	Setting    Kind = "setting"
	Infeasible Kind = "infeasible" // can't be done; right is to say so
	Operate    Kind = "operate"    // work one kind of widget
)

// Template is a kind of task: made by Define.
type Template struct {
	Name     string   // "contacts-add": lower-case words with hyphens, the app or page first
	Summary  string   // what is asked for, in a phrase without parameters
	Apps     []string // the apps or pages that are needed
	Kind     Kind
	Level    int  // of difficulty: 1, 2 or 3
	MaxTurns int  // limit of executed actions
	Easy     bool // random play succeeds in more than a few per cent of episodes
	HeldOut  bool // belongs to the held-out templates of generalisation studies

	open func(old any) play
}

// Job is one kind of task on a Sim of type S. Its fields are the task's
// parameters, written by Setup alone.
type Job[S any] interface {
	// Setup changes a state filled from a seed into the task's start, and sets
	// the goal, the texts offered and the answer wanted. Randomness is t.Rand's.
	Setup(s *S, t *Task)

	// Solve says what is right to do next, in any state that the start leads to.
	Solve(s *S, p *Pilot)
}

// Wanter is a Job that changes data: success is a state that equals the start
// with this change, and differs in nothing else.
type Wanter[S any] interface {
	Want(s *S)
}

// Checker is a Job with a test of its own: success is "", else it says what is
// wrong or missing. With a Wanter beside it, both have to hold.
type Checker[S any] interface {
	Check(s *S) string
}

// A Job with neither is one that looks something up: the data have to stay as they were.

// Define completes a template: J is its job, on states of type S that fill
// fills from a seed.
func Define[S, J any, PS interface {
	*S
	Sim
}, PJ interface {
	*J
	Job[S]
}](t Template, fill func(s *S, r *envs.Rand)) Template {
	copierOf(reflect.TypeFor[S]()) // panics where a state isn't plain data
	t.open = func(old any) play {
		s, ok := old.(*states[S])
		if !ok {
			s = new(states[S])
		}
		return &played[S, J, PS, PJ]{states: s, fill: fill}
	}
	return t
}

// play is a task being played, whatever the type of its state.
type play interface {
	sim() Sim
	memory() any // to be given to the next template's open
	setup(t *Task)
	check() string // of the state alone: "" where it is as wanted
	done() bool    // check() == "", without words
	solve(p *Pilot)
	wanted() any         // a *S, the data that are wanted
	copyFrom(other play) // of the same template
	marshal() (json.RawMessage, error)
	unmarshal(data []byte) error // what data leaves out stays as it is
}

// states is the memory of states of one type, used by one template after the other.
type states[S any] struct {
	now  S
	want S // what the data have to be
}

// played is a play of a template.
type played[S, J any, PS interface {
	*S
	Sim
}, PJ interface {
	*J
	Job[S]
}] struct {
	*states[S]
	job  J
	fill func(s *S, r *envs.Rand)
}

func (p *played[S, J, PS, PJ]) sim() Sim    { return PS(&p.now) }
func (p *played[S, J, PS, PJ]) memory() any { return p.states }
func (p *played[S, J, PS, PJ]) wanted() any { return &p.want }

func (p *played[S, J, PS, PJ]) setup(t *Task) {
	var job J
	var start, want S // theirs alone: what fill, Setup and Want write may share memory with tables and the job
	p.job = job
	p.fill(&start, t.Rand)
	PJ(&p.job).Setup(&start, t)
	Copy(&want, &start)
	if w, ok := any(PJ(&p.job)).(Wanter[S]); ok {
		w.Want(&want)
	}
	Copy(&p.now, &start)
	Copy(&p.want, &want)
}

// tests are what success rests on: the job's own check, nil where it has none,
// and whether the data are compared with those wanted.
func (p *played[S, J, PS, PJ]) tests() (own Checker[S], data bool) {
	own, checks := any(PJ(&p.job)).(Checker[S])
	_, changes := any(PJ(&p.job)).(Wanter[S])
	return own, changes || !checks
}

func (p *played[S, J, PS, PJ]) done() bool {
	own, data := p.tests()
	return (own == nil || own.Check(&p.now) == "") && (!data || Equal(&p.want, &p.now))
}

func (p *played[S, J, PS, PJ]) check() string {
	own, data := p.tests()
	if own != nil {
		if wrong := own.Check(&p.now); wrong != "" {
			return wrong
		}
	}
	if !data {
		return ""
	}
	return Diff(&p.want, &p.now)
}

func (p *played[S, J, PS, PJ]) solve(pilot *Pilot) { PJ(&p.job).Solve(&p.now, pilot) }

func (p *played[S, J, PS, PJ]) copyFrom(other play) {
	o := other.(*played[S, J, PS, PJ])
	p.job = o.job
	Copy(&p.now, &o.now)
	Copy(&p.want, &o.want)
}

func (p *played[S, J, PS, PJ]) marshal() (json.RawMessage, error) { return json.Marshal(&p.now) }

func (p *played[S, J, PS, PJ]) unmarshal(data []byte) error {
	var s S
	Copy(&s, &p.now)
	if err := decodeState(data, reflect.ValueOf(&s).Elem()); err != nil {
		return err
	}
	Copy(&p.now, &s)
	return nil
}
