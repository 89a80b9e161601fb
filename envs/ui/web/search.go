package web

import (
	"strconv"
	"strings"

	"marlpit/envs"
	"marlpit/envs/ui"
)

// searchPage is a search engine. A click on a result ends the episode, or
// opens it to be read.
type searchPage struct {
	Base
	Results []searchResult // of all queries
	Read    bool           // results are opened to be read
	Typed   string         `ui:"view"`
	Asked   string         `ui:"view"` // the query that was sent
	Page    int            `ui:"view"` // of results, from 0
	Open    int            `ui:"view"` // the result being read from 1, 0 for none
	Clicked int            // the result that was clicked from 1, 0 for none
}

// searchResult is a site that one query finds.
type searchResult struct {
	Query string
	Title string
	Site  string
	Text  string // of the site
}

// resultsPerPage is the number of results on a page of them.
const resultsPerPage = 4

func (s *searchPage) fill(r *envs.Rand) {
	*s = searchPage{}
	for _, query := range ui.Draw(r, plain, 4) {
		kinds := ui.Draw(r, []string{"shop", "museum", "club", "school", "repair", "history", "factory", "fair", "prices", "lovers", "news"}, 10)
		years := r.Intn(50)
		for i, city := range ui.Draw(r, cities, len(kinds)) {
			title := strings.ToUpper(query[:1]) + query[1:] + " " + kinds[i] + " in " + city
			s.Results = append(s.Results, searchResult{Query: query, Title: title,
				Site: strings.ToLower(kinds[i] + "-" + city + ".example"),
				Text: "Founded in " + strconv.Itoa(1900+years+i*5) + " by " + ui.Pick(r, people) + "."})
		}
	}
}

// App implements ui.Sim.
func (s *searchPage) App() string { return "search" }

// View implements ui.Sim.
func (s *searchPage) View(b *ui.Builder) {
	if within(s.Open-1, len(s.Results)) {
		result := &s.Results[s.Open-1]
		b.Heading(result.Title)
		b.Label(result.Site)
		b.Label(result.Text)
		b.Link("back", 0, "Back to the results")
		return
	}
	b.Heading("Lantern Search")
	b.Field("query", 0, "Search for", s.Typed)
	b.Button("search", 0, "Search")
	if s.Asked == "" {
		return
	}
	b.Scroll("results", pagerHeight)
	at := 0
	for i := range s.Results {
		if s.Results[i].Query != s.Asked {
			continue
		}
		if at/resultsPerPage == s.Page {
			b.Item("result", i, s.Results[i].Title, s.Results[i].Site)
		}
		at++
	}
	if at == 0 {
		b.Label("Nothing was found.")
	}
	b.End()
	viewPager(b, s.Page, pagesOf(at, resultsPerPage))
}

// found is the number of results of the query.
func (s *searchPage) found() (n int) {
	for i := range s.Results {
		if s.Results[i].Query == s.Asked {
			n++
		}
	}
	return n
}

// Update implements ui.Sim.
func (s *searchPage) Update(e ui.Event) {
	switch {
	case s.Open != 0:
		if e.Kind == ui.Back || e.Is(ui.Click, "back") {
			s.Open = 0
		}
	case e.Is(ui.Input, "query"):
		s.Typed = e.Text
	case e.Is(ui.Click, "search"), e.Is(ui.Enter, "query"):
		s.Asked, s.Page = s.Typed, 0
	case e.Is(ui.Click, "result") && within(e.Key, len(s.Results)):
		if s.Read {
			s.Open = e.Key + 1
		} else {
			s.Clicked, s.Done = e.Key+1, true
		}
	default:
		s.Page = turnPage(e, s.Page, pagesOf(s.found(), resultsPerPage))
	}
}

// wantedResult is the result to open.
type wantedResult struct{ Result int } // from 1

// draw draws a result and offers its query among others.
func (j *wantedResult) draw(s *searchPage, t *ui.Task) *searchResult {
	j.Result = 1 + t.Rand.Intn(len(s.Results))
	for i := range s.Results {
		if i == 0 || s.Results[i].Query != s.Results[i-1].Query {
			t.Offer(s.Results[i].Query)
		}
	}
	return &s.Results[j.Result-1]
}

// rank is the place of the result among those of its query, from 0.
func (j *wantedResult) rank(s *searchPage) (n int) {
	for i := range min(j.Result-1, len(s.Results)) {
		if s.Results[i].Query == s.Results[min(j.Result, len(s.Results))-1].Query {
			n++
		}
	}
	return n
}

// Want implements ui.Wanter.
func (j *wantedResult) Want(s *searchPage) { s.Clicked = j.Result }

// Solve implements ui.Job.
func (j *wantedResult) Solve(s *searchPage, x *ui.Pilot) { j.reach(s, x) }

// reach gets to the result.
func (j *wantedResult) reach(s *searchPage, x *ui.Pilot) {
	if !within(j.Result-1, len(s.Results)) {
		return
	}
	query := s.Results[j.Result-1].Query
	switch {
	case s.Open != 0:
		x.Tap("back", 0)
	case s.Asked == query:
		tapPage(x, s.Page, j.rank(s)/resultsPerPage)
		x.Tap("result", j.Result-1)
	case s.Typed == query:
		x.Tap("search", 0)
	default:
		x.Type("query", 0, query)
	}
}
