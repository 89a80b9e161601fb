package shaping_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"marlpit/shaping"
)

func rule(t *testing.T, words string) shaping.Vote {
	t.Helper()
	return ask(t, shaping.NewRule(), shaping.Question{Forward: words}).Vote
}

func TestRuleComparesGuidedWords(t *testing.T) {
	const task = "agent_0 is one of two agents. Any agent may press any switch.\n"
	for _, c := range []struct {
		words string
		want  shaping.Vote
	}{
		{"Before, a_0 was five steps away from switch A. Now a_0 is four steps away from switch A.", shaping.Second},
		{"Before, a_0 was four steps away. Now a_0 is five steps away.", shaping.First},
		{"Before, a_0 was three steps away. Now a_0 is three steps away.\nWhat happened: nothing but steps.", shaping.Tie},
		// The next goal's distance is in a sentence of its own, and is not compared.
		{"Before, a_0 was one step away. Now a_0 is zero steps away. From now on the next goal is the exit, eleven steps away.", shaping.Second},
		{"Before, a_0 was one hundred and one steps away. Now a_0 is ninety-nine steps away.", shaping.Second},
		{"Before, a_0 was nineteen paces away. Now a_0 is twenty-one paces away.", shaping.First},
		{"Before, a_0 was 1000 steps away. Now a_0 is nine hundred and ninety-nine steps away.", shaping.Second},
	} {
		assert.Equal(t, c.want, rule(t, task+c.words), c.words)
	}
}

func TestRuleComparesPlainWords(t *testing.T) {
	for _, c := range []struct {
		why, words string
		want       shaping.Vote
	}{
		{"the nearest of what is undone",
			"Before: a_0 is in the left room, two steps away from A, five steps away from B; a_1 is nine steps away from A; A is not pressed, B is not pressed.\n" +
				"Now: a_0 is in the left room, one step away from A, seven steps away from B; a_1 is one step away from A; A is not pressed, B is not pressed.", shaping.Second},
		{"what is done no longer counts",
			"Before: a_0 is two steps away from A, five steps away from B; A is pressed, B is not pressed, the door is closed.\n" +
				"Now: a_0 is one step away from A, six steps away from B; A is pressed, B is not pressed, the door is closed.", shaping.First},
		{"where all is done, the last thing told",
			"Before: a_0 is two steps away from A, twenty-one steps away from the exit; A is pressed, the door is open.\n" +
				"Now: a_0 is three steps away from A, twenty steps away from the exit; A is pressed, the door is open.", shaping.Second},
		{"numbers of the first clause, where nothing is away from anything",
			"Before: it took four and five; 9.\nNow: it takes six and two; 1.", shaping.Second},
		{"no way to compare",
			"Before, nothing was left for a_0 to do. Now a_0 is five steps away from A.", shaping.Tie},
		{"what is undone goes first",
			"Before: a_0 is one step away from A; A is not pressed, the door is closed.\nNow: a_0 is eight steps away from A; A is pressed, the door is closed.", shaping.Second},
		{"and its reverse",
			"Before: a_0 is eight steps away from A; A is pressed, the door is open.\nNow: a_0 is one step away from A; A is not pressed, the door is closed.", shaping.First},
		{"others alone moved",
			"Before: a_0 is two steps away from A; a_1 is nine steps away from A.\nNow: a_0 is two steps away from A; a_1 is eight steps away from A.", shaping.Tie},
	} {
		assert.Equal(t, c.want, rule(t, c.words), c.why)
	}
}

func TestRuleNeedsABeforeAndANow(t *testing.T) {
	for _, words := range []string{"", "It went from five to four.", "Before, it was four steps away."} {
		a := ask(t, shaping.NewRule(), shaping.Question{Forward: words})
		assert.Equal(t, shaping.Invalid, a.Vote)
		assert.Contains(t, a.Reason, "Before")
	}
}
