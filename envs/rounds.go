package envs

// The interfaces of this file are abilities of worlds whose steps are rounds
// of talk: every agent proposes an action, and the last round's majority is
// what happens. As finds them through wrappers. Only Rounder is called on the
// step path, and only where a critic of rounds was asked for.

// Proposer takes and gives actions in words: JSON objects of the world's own
// set of actions, beside the numbered choices that learners use.
type Proposer interface {
	// Propose stores what an agent proposes in the coming step; it is played if
	// the agent's choice is ProposalChoice, and forgotten after the step. An
	// action that can't be read or played is stored as a wasted proposal: the
	// error tells the agent what is wrong, and nothing fails.
	Propose(agent int, action []byte) error

	// ProposalChoice is the choice that stands for the stored proposal: the
	// last one of the action space. Its mask is 1 while a proposal is stored.
	ProposalChoice() int32

	// AppendAction appends the JSON action that an agent's choice stands for in
	// the present state.
	AppendAction(dst []byte, agent int, choice int32) []byte
}

// Speaker shows the present state to a language agent.
type Speaker interface {
	// AppendObservation appends one JSON object: all that the agent knows. Its
	// fields stand in the world's card.
	AppendObservation(dst []byte, agent int) []byte
}

// Rounder shows the coming step to a critic of rounds.
type Rounder interface {
	// AppendRound appends the coming step as one JSON object: goal, history,
	// elements, round, and the proposals that a holds, one an agent. Its fields
	// stand in the world's card. It depends on nothing an agent can't know.
	AppendRound(dst []byte, a Actions) []byte

	// AppendRight appends, for each agent, whether what it proposes in a is a
	// right next action by the task's own solution.
	AppendRight(dst []bool, a Actions) []bool

	// AppendWrong appends a legal action, as JSON, that is known to be wrong in
	// the present state: drawn by r among those that could be mistaken for a
	// right one. Where there is none it appends nothing.
	AppendWrong(dst []byte, agent int, r *Rand) []byte
}

// Note is a sentence about the last step for one agent.
type Note struct {
	Agent int    // index in Spec.Agents
	Kind  string // "error": its proposal was wasted; "reason": why it was scored as it was; "result": how the episode ended
	Text  string
}

// Explainer says what happened in the last step in words. Wrappers that have
// notes of their own append them to those of the game inside.
type Explainer interface {
	AppendNotes(dst []Note) []Note
}

// Structured is a game whose whole state is structured data: to be set up,
// compared and forked.
type Structured interface {
	// AppendState appends the state as one JSON object.
	AppendState(dst []byte) []byte

	// SetState makes the game what the JSON object says and writes the frame,
	// as Snapshotter's Restore does; errors wrap ErrSnapshot and name the field,
	// and change nothing.
	SetState(state []byte, out *Frame) error
}

// Guide knows what is right to do: for measuring, never for agents that are measured.
type Guide interface {
	// AppendSolution appends a right next action by the task's own solution, as
	// JSON, the same in every round of a turn. Where there is none it appends
	// nothing.
	AppendSolution(dst []byte) []byte
}
