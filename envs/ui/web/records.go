package web

import (
	"slices"
	"strings"

	"marlpit/envs"
	"marlpit/envs/ui"
)

// recordsPage is a table of members with sorting, a filter and pages; saving
// an edited row ends the episode.
type recordsPage struct {
	Base
	Rows   []record `ui:"set"`
	Sorted int      `ui:"view"` // the column from 1, 0 for none
	Down   bool     `ui:"view"` // from the greatest on
	Filter string   `ui:"view"` // the town that is shown, "" for all
	Page   int      `ui:"view"`
	Open   string   `ui:"view"` // the name of the row being edited, "" for none
	Draft  record   `ui:"view"`
}

// record is a row.
type record struct {
	Name, Town string
	Points     string // two digits
}

// recordColumns are the columns of the table.
var recordColumns = []string{"Name", "Town", "Points"}

const recordsPerPage = 5

func (s *recordsPage) fill(r *envs.Rand) {
	*s = recordsPage{}
	towns := ui.Draw(r, cities, 4)
	points := twoDigits(r, 14)
	for i, name := range ui.Draw(r, surnames, len(points)) {
		s.Rows = append(s.Rows, record{name, ui.Pick(r, towns), number(points[i])})
	}
}

// number is a number of two digits in words.
func number(n int) string { return string([]byte{byte('0' + n/10%10), byte('0' + n%10)}) }

// App implements ui.Sim.
func (s *recordsPage) App() string { return "records" }

// shows says whether the filter lets a row through.
func (s *recordsPage) shows(row *record) bool { return s.Filter == "" || row.Town == s.Filter }

// shown is the number of rows that the filter lets through.
func (s *recordsPage) shown() (n int) {
	for i := range s.Rows {
		if s.shows(&s.Rows[i]) {
			n++
		}
	}
	return n
}

// View implements ui.Sim.
func (s *recordsPage) View(b *ui.Builder) {
	if s.Open != "" {
		b.Heading(s.Open)
		b.Field("town", 0, "Town", s.Draft.Town)
		b.Field("points", 0, "Points", s.Draft.Points)
		b.Row(2)
		b.Button("save", 0, "Save")
		b.Button("cancel", 0, "Cancel")
		return
	}
	b.Heading("Members")
	b.Field("filter", 0, "Only from the town", s.Filter)
	b.Row(len(recordColumns))
	for i, c := range recordColumns {
		b.Button("sort", i, c).Describe("sort").Select(s.Sorted == i+1)
	}
	at := 0
	for i := range s.Rows {
		row := &s.Rows[i]
		if !s.shows(row) {
			continue
		}
		if at/recordsPerPage == s.Page {
			b.Row(len(recordColumns))
			b.Link("row", i, row.Name)
			b.Label(row.Town)
			b.Label(row.Points)
		}
		at++
	}
	viewPager(b, s.Page, pagesOf(at, recordsPerPage))
}

// Update implements ui.Sim.
func (s *recordsPage) Update(e ui.Event) {
	switch {
	case s.Open != "":
		s.updateRow(e)
	case e.Is(ui.Input, "filter"):
		s.Filter, s.Page = e.Text, 0
	case e.Is(ui.Click, "sort") && within(e.Key, len(recordColumns)):
		s.sort(e.Key)
	case e.Is(ui.Click, "row") && within(e.Key, len(s.Rows)):
		s.Draft = s.Rows[e.Key]
		s.Open = s.Draft.Name
	default:
		s.Page = turnPage(e, s.Page, pagesOf(s.shown(), recordsPerPage))
	}
}

func (s *recordsPage) updateRow(e ui.Event) {
	switch {
	case e.Kind == ui.Back, e.Is(ui.Click, "cancel"):
		s.Open = ""
	case e.Is(ui.Input, "town"):
		s.Draft.Town = e.Text
	case e.Is(ui.Input, "points"):
		s.Draft.Points = e.Text
	case e.Is(ui.Click, "save"):
		for i := range s.Rows {
			if s.Rows[i].Name == s.Open {
				s.Rows[i] = s.Draft
			}
		}
		s.Open, s.Done = "", true
	}
}

// sort sorts by a column; once more, the other way round.
func (s *recordsPage) sort(column int) {
	s.Down = s.Sorted == column+1 && !s.Down
	s.Sorted, s.Page = column+1, 0
	slices.SortStableFunc(s.Rows, func(a, b record) int {
		if s.Down {
			a, b = b, a
		}
		return strings.Compare(a.cell(column), b.cell(column))
	})
}

// cell is the content of a column.
func (row *record) cell(column int) string {
	return [...]string{row.Name, row.Town, row.Points}[column]
}

// at is the place of a row by its name, or -1.
func (s *recordsPage) at(name string) int {
	for i := range s.Rows {
		if s.Rows[i].Name == name {
			return i
		}
	}
	return -1
}

// turnTo turns to the page that has a row, and says whether it is shown.
func (s *recordsPage) turnTo(x *ui.Pilot, name string) bool {
	if s.Open != "" {
		x.Tap("cancel", 0)
	}
	at := s.at(name)
	if at >= 0 && !s.shows(&s.Rows[at]) {
		x.Type("filter", 0, s.Rows[at].Town)
	}
	rank := 0
	for i := range max(0, at) {
		if s.shows(&s.Rows[i]) {
			rank++
		}
	}
	tapPage(x, s.Page, rank/recordsPerPage)
	return s.Open == "" && at >= 0 && s.shows(&s.Rows[at]) && s.Page == rank/recordsPerPage
}
