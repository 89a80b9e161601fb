package ui

import "sync"

// Unreachable is Remaining where the solution doesn't succeed.
const Unreachable = 1 << 20

// mostActions bounds the solutions that are played to the end.
const mostActions = 200

// scratch are devices to try things out on.
var scratch = sync.Pool{New: func() any { return new(Device) }}

// try plays what f does on a copy without limit of turns, then the solution to
// its end, and returns the number of its actions, and of the waits among them:
// Unreachable where it takes most or more.
func (d *Device) try(f func(*Device), most int) (actions, waits int) {
	s := scratch.Get().(*Device)
	defer scratch.Put(s)
	s.CopyFrom(d)
	s.Options.MaxTurns = 1 << 30
	if f != nil {
		f(s)
	}
	return s.finish(most)
}

// finish plays the solution to the end.
func (d *Device) finish(most int) (actions, waits int) {
	for n := range most {
		if d.status != Playing {
			if d.Success() {
				return n, waits
			}
			break
		}
		a := d.Solution()
		if a.Verb == VerbWait {
			waits++
		}
		d.Apply(a)
	}
	return Unreachable, 0
}

// Remaining is the number of actions after which the task's own solution
// succeeds from here, limits aside: Unreachable where it doesn't.
func (d *Device) Remaining() int {
	n, _ := d.try(nil, mostActions)
	return n
}

// Right says whether an action is right here: legal, and with fewer actions
// remaining after it than the given number, which is Remaining's.
func (d *Device) Right(a Action, remaining int) bool {
	if remaining == Unreachable || d.status != Playing || !d.Legal(a) {
		return false
	}
	n, _ := d.try(func(s *Device) { s.Apply(a) }, remaining)
	return n < remaining
}
