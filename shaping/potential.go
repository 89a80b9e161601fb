// Package shaping says what a situation is worth: critics, which are slow and
// may fail, and potentials, which are fast and cannot. It knows nothing of
// environments; the package study below it is where the two meet.
package shaping

// Input names the features a potential reads for one agent.
type Input string

// The inputs of potentials.
const (
	State Input = "state" // the whole world: envs.Frame.State
	Focus Input = "focus" // the agent's own: envs.Focuser
)

// Potential is σ of the papers: for each agent, how good a situation is for its
// part in the team's goal. It is called on the step path by many environments
// at once: it is immutable, cannot fail and allocates nothing.
type Potential interface {
	// Input says what agent reads.
	Input(agent int) Input

	// Value is σ_agent(x), x (features,) of that input. A wrong length panics.
	Value(agent int, x []float32) float32
}
