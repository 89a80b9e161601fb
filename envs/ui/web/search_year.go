package web

import (
	"strings"

	"marlpit/envs/ui"
)

var _ = add[searchPage, searchYear](ui.Template{
	Name: "search-year", Summary: "search, read the right result, and say when something was founded", Apps: []string{"search"},
	Kind: ui.Find, Level: 3, MaxTurns: 16, Easy: true,
})

// searchYear asks for the year that a result's site tells.
type searchYear struct {
	found wantedResult
	Year  string
}

// Setup implements ui.Job.
func (j *searchYear) Setup(s *searchPage, t *ui.Task) {
	s.Read = true
	result := j.found.draw(s, t)
	j.Year = strings.Fields(result.Text)[2]
	t.Answer("year", j.Year)
	t.Offer(j.Year)
	for i := range s.Results { // years of other sites of the query
		if s.Results[i].Query == result.Query {
			offer(t, strings.Fields(s.Results[i].Text)[2])
		}
	}
	t.Say("When was the "+result.Title+" founded? Search for "+result.Query+", read its site, and answer with the year.",
		"Find the site of the "+result.Title+" with a search for "+result.Query+". Answer with the year it was founded in.")
}

// Solve implements ui.Job.
func (j *searchYear) Solve(s *searchPage, x *ui.Pilot) {
	switch {
	case x.Answered() == j.Year:
		x.Complete()
	case s.Open == j.found.Result:
		x.Answer(j.Year)
	}
	j.found.reach(s, x)
}
