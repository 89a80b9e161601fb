package ui

import "marlpit/envs"

// MaxTexts is the greatest number of texts that a task offers.
const MaxTexts = 8

// Task is one task being set up and played: what its template's Setup wrote.
type Task struct {
	Goal       string        // what is wanted, in words
	Texts      []string      // what a learner may type or answer beside the elements' words, at most MaxTexts
	Wanted     []AnswerField // what has to be answered; empty where nothing has
	Infeasible bool          // right is to say so
	Rand       *envs.Rand    // of Setup
	reworded   bool          // goals are drawn among their wordings
}

// AnswerField is one part of an answer.
type AnswerField struct {
	Name string   // "time"
	Want []string // the right answer, and other ways to write it
}

// Say sets the goal: the first wording, or one of all where goals are reworded.
func (t *Task) Say(wordings ...string) {
	k := t.Rand.Intn(len(wordings)) // drawn in any case, so that equal seeds give equal tasks
	if !t.reworded {
		k = 0
	}
	t.Goal = wordings[k]
}

// Offer adds texts that a learner may type. Their order is shuffled after Setup.
func (t *Task) Offer(texts ...string) {
	for _, s := range texts {
		if len(t.Texts) == MaxTexts {
			panic("ui: Task.Offer: more than MaxTexts texts")
		}
		t.Texts = append(t.Texts, s)
	}
}

// Answer adds a part of the answer that is wanted, with other ways to write it.
func (t *Task) Answer(name, want string, others ...string) {
	if len(t.Wanted) == MaxFields {
		panic("ui: Task.Answer: more than MaxFields fields")
	}
	t.Wanted = append(t.Wanted, AnswerField{name, append([]string{want}, others...)})
}

// Pick draws one of a list.
func Pick[T any](r *envs.Rand, from []T) T { return from[r.Intn(len(from))] }

// Draw draws n different ones of a list, in random order.
func Draw[T any](r *envs.Rand, from []T, n int) []T {
	out := append([]T(nil), from...)
	r.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	return out[:n]
}
