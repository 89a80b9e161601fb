package web

import "marlpit/envs/ui"

var _ = add[searchPage, searchRank](ui.Template{
	Name: "search-rank", Summary: "search, and open the result at a given place", Apps: []string{"search"},
	Kind: ui.Navigate, Level: 2, MaxTurns: 12, Easy: true,
})

// searchRank asks for a result by its place.
type searchRank struct{ wantedResult }

// Setup implements ui.Job.
func (j *searchRank) Setup(s *searchPage, t *ui.Task) {
	query := j.draw(s, t).Query
	place := [...]string{"first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"}[j.rank(s)]
	t.Say("Search for "+query+" and open the "+place+" result.",
		"Open the "+place+" of the results that a search for "+query+" gives.",
		"Enter the query "+query+", search, and follow the "+place+" result; there are four on a page.")
}
