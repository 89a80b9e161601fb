package ui_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"marlpit/envs/ui"
)

func answers(want, got string) bool {
	var task ui.Task
	task.Answer("x", want)
	return task.Answered(got)
}

func TestNumbersMayBeWrittenInTheirWays(t *testing.T) {
	for want, ways := range map[string][]string{
		"12.50":             {"12.5", "12.500", " 12.50 ", "12.50."},
		"417":               {"417", "417.0", "417.", "417.00"},
		"0.5":               {".5", "0.50"},
		"-0.5":              {"-.5", "-0.50"},
		"0":                 {"0", "0.0", "0.00"},
		"100":               {"100.0"},
		"12345678901234567": {"12345678901234567.0"},
	} {
		for _, way := range ways {
			assert.True(t, answers(want, way), "%q for %q", way, want)
			assert.True(t, answers(way, want), "%q for %q", want, way)
		}
	}
}

// A zero in front makes another code, and so does any digit of a long one.
func TestCodesAreNoNumbers(t *testing.T) {
	for want, others := range map[string][]string{
		"0417":              {"417", "417.0", "00417", "0417.0"},
		"417":               {"0417", "00417", "417.1", "41.7", "4170", "-417", "417-", "4 17"},
		"00":                {"0", "000", "0.0"},
		"-7":                {"7", "-07"},
		"12345678901234567": {"12345678901234568", "12345678901234568.0"},
		"1.2.0":             {"1.2", "1.2.00"},
		"0":                 {"", "-", ".", "-.", "0x"},
		"10":                {"1", "1e1"},
	} {
		assert.True(t, answers(want, want), want)
		for _, other := range others {
			assert.False(t, answers(want, other), "%q for %q", other, want)
			assert.False(t, answers(other, want), "%q for %q", want, other)
		}
	}
	var task ui.Task
	task.Answer("code", "0417")
	task.Answer("day", "Tue 3 Mar")
	assert.True(t, task.Answered(`{"code": "0417", "day": "Tue 3 Mar"}`))
	assert.False(t, task.Answered(`{"code": 417, "day": "Tue 3 Mar"}`))
}

func TestAnsweredAllocatesNothing(t *testing.T) {
	var task ui.Task
	task.Answer("x", "12.50")
	assert.Zero(t, testing.AllocsPerRun(100, func() { task.Answered("12.5"); task.Answered("0417") }))
}
