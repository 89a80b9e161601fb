package envs

import "errors"

// Errors that callers tell apart with errors.Is.
var (
	// ErrUnknownEnv is returned when no environment has the id asked for.
	ErrUnknownEnv = errors.New("envs: unknown environment")

	// ErrParams is returned when parameters are unknown, of a wrong type or out
	// of range; the message lists what exists.
	ErrParams = errors.New("envs: bad parameters")

	// ErrSnapshot is returned by Snapshotter.Restore for a snapshot that is not
	// of this world.
	ErrSnapshot = errors.New("envs: bad snapshot")

	// ErrTooLarge is returned by Solver.Prepare when the joint states are too
	// many to tabulate.
	ErrTooLarge = errors.New("envs: too large to solve exactly")
)
