// Package envs says what a game is: the interface every world implements, the
// memory it writes into, the spaces it declares, the abilities it may have
// beside them, and the registry that builds it from parameters.
//
// The package and everything below it use the standard library only, but for
// the font in the pictures of user interfaces. Worlds
// know nothing of servers, rewards made by models, or each other.
package envs

// Env is one running game. It is not safe for concurrent use.
//
// The caller owns every Frame and Actions it passes; an Env keeps no reference
// to them after the call returns. Reset and Step allocate nothing once warm,
// but for the Reset of a world whose Spec says so.
type Env interface {
	// Spec describes the game. It never changes and is shared: read only.
	Spec() *Spec

	// Reset starts an episode and writes every element of out. Equal seeds give
	// equal episodes. Rewards and Team are zero, Terminated and Truncated false.
	Reset(seed uint64, out *Frame)

	// Step plays one joint action and writes every element of out. It cannot
	// fail: a choice that is illegal or out of range is a no-op, and so is every
	// choice of an agent that has ended. Slices of a wrong length are a bug of
	// the caller and panic.
	Step(a Actions, out *Frame)
}

// Actions is one joint action. Exactly one of the two slices is used, as
// Spec.Continuous says; the other is nil.
type Actions struct {
	Choice []int32   // (agents, dims) discrete choices; an agent with fewer dims ignores the rest
	Value  []float32 // (agents, dims) box actions, finite
}

// Wrapper changes what a caller of a game sees. A wrapper with state of its own
// implements Snapshotter and Cloner itself.
type Wrapper func(Env) Env

// Unwrapper is implemented by every wrapper.
type Unwrapper interface {
	Unwrap() Env // the next environment inwards
}

// As finds an ability of e: it returns e, or the first environment met while
// unwrapping it, that implements T. It is to environments what errors.As is to
// errors.
func As[T any](e Env) (T, bool) {
	for e != nil {
		if t, ok := e.(T); ok {
			return t, true
		}
		u, ok := e.(Unwrapper)
		if !ok {
			break
		}
		e = u.Unwrap()
	}
	var zero T
	return zero, false
}
