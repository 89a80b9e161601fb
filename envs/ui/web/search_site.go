package web

import "marlpit/envs/ui"

var _ = add[searchPage, searchSite](ui.Template{
	Name: "search-site", Summary: "search, and open the result of a given site", Apps: []string{"search"},
	Kind: ui.Navigate, Level: 2, MaxTurns: 12, Easy: true, HeldOut: true,
})

// searchSite asks for a result by its site.
type searchSite struct{ wantedResult }

// Setup implements ui.Job.
func (j *searchSite) Setup(s *searchPage, t *ui.Task) {
	result := j.draw(s, t)
	t.Say("Search for "+result.Query+" and open what "+result.Site+" has on it.",
		"Among the results for "+result.Query+" is one from "+result.Site+": open it.")
}
