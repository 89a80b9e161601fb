package web

import (
	"strconv"

	"marlpit/envs/ui"
)

var _ = add[recordsPage, recordsCount](ui.Template{
	Name: "records-count", Summary: "count the members from a town", Apps: []string{"records"},
	Kind: ui.Find, Level: 2, MaxTurns: 12, Easy: true,
})

// recordsCount asks for the number of rows with a town.
type recordsCount struct{ Town, Count string }

// Setup implements ui.Job.
func (j *recordsCount) Setup(s *recordsPage, t *ui.Task) {
	j.Town = ui.Pick(t.Rand, s.Rows).Town
	n := 0
	for _, row := range s.Rows {
		if row.Town == j.Town {
			n++
		}
	}
	j.Count = strconv.Itoa(n)
	t.Answer("count", j.Count)
	first := max(1, n-1-t.Rand.Intn(3))
	for k := range 5 {
		t.Offer(strconv.Itoa(first + k))
	}
	t.Offer(j.Town)
	t.Offer(drawOther(t.Rand, cities, []string{j.Town}, 2)...)
	t.Say("How many members come from "+j.Town+"? Answer with the number.",
		"Count the rows of the table whose town is "+j.Town+", and answer.")
}

// Solve implements ui.Job.
func (j *recordsCount) Solve(s *recordsPage, x *ui.Pilot) {
	switch last := pagesOf(s.shown(), recordsPerPage) - 1; {
	case x.Answered() == j.Count:
		x.Complete()
	case s.Open != "":
		x.Tap("cancel", 0)
	case s.Filter != j.Town:
		x.Type("filter", 0, j.Town)
	case s.Page < last:
		x.Tap("next", 0)
	default:
		x.Answer(j.Count)
	}
}
