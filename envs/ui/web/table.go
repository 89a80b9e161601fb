package web

import (
	"slices"
	"strconv"
	"strings"

	"marlpit/envs"
	"marlpit/envs/ui"
)

var (
	_ = add[tablePage, tableCell](ui.Template{
		Name: "table-cells", Summary: "read three cells of a table", Apps: []string{"table"},
		Kind: ui.Find, Level: 2, MaxTurns: 10,
	})
	_ = add[tablePage, tableMost](ui.Template{
		Name: "table-extremes", Summary: "find the rows with the greatest or smallest values", Apps: []string{"table"},
		Kind: ui.Find, Level: 3, MaxTurns: 10,
	})
)

// tablePage has a table and fields to enter something about it.
type tablePage struct {
	Form
	Entries []Entry
	Columns []string
	Rows    []tableRow
}

// tableRow is the cells of a row.
type tableRow struct{ Cells []string }

func (s *tablePage) fill(r *envs.Rand) {
	*s = tablePage{Entries: []Entry{{}, {}, {}}, Columns: append([]string{"Name"}, ui.Draw(r, []string{"Price", "Stock", "Weight", "Orders"}, 3)...)}
	for _, name := range ui.Draw(r, tools, 5) {
		s.Rows = append(s.Rows, tableRow{Cells: []string{name}})
	}
	for range s.Columns[1:] {
		for i, n := range twoDigits(r, len(s.Rows)) {
			s.Rows[i].Cells = append(s.Rows[i].Cells, strconv.Itoa(n))
		}
	}
}

// twoDigits draws n different numbers of two digits.
func twoDigits(r *envs.Rand, n int) []int {
	var out []int
	for len(out) < n {
		if k := 10 + r.Intn(90); !slices.Contains(out, k) {
			out = append(out, k)
		}
	}
	return out
}

// App implements ui.Sim.
func (s *tablePage) App() string { return "table" }

// View implements ui.Sim.
func (s *tablePage) View(b *ui.Builder) {
	viewEntries(b, s.Entries)
	s.submit(b)
	if len(s.Columns) == 0 {
		return
	}
	b.Row(len(s.Columns))
	for _, c := range s.Columns {
		b.Label(c)
	}
	for i := range s.Rows {
		cells := s.Rows[i].Cells
		b.Row(len(s.Columns))
		for k, c := range s.Columns {
			switch {
			case k >= len(cells):
				b.Label("")
			case k == 0:
				b.Label(cells[0])
			default:
				b.Label(cells[k]).Describe(b.Cat(c, " of ", cells[0]))
			}
		}
	}
}

// Update implements ui.Sim.
func (s *tablePage) Update(e ui.Event) {
	updateEntries(e, s.Entries)
	s.submits(e)
}

// wantedCells are the contents to enter.
type wantedCells struct{ Texts []string }

// Want implements ui.Wanter.
func (j *wantedCells) Want(s *tablePage) {
	wantEntries(s.Entries, j.Texts)
	s.Submitted = true
}

// Solve implements ui.Job.
func (j *wantedCells) Solve(s *tablePage, x *ui.Pilot) { typeEntries(x, s.Entries, j.Texts) }

// tableCell asks for three cells.
type tableCell struct{ wantedCells }

// Setup implements ui.Job.
func (j *tableCell) Setup(s *tablePage, t *ui.Task) {
	j.Texts = nil
	var parts []string
	for i, row := range ui.Draw(t.Rand, s.Rows, 4) {
		k := 1 + t.Rand.Intn(3)
		if !slices.Contains(t.Texts, row.Cells[k]) {
			t.Offer(row.Cells[k])
		}
		if other := row.Cells[1+k%3]; !slices.Contains(t.Texts, other) {
			t.Offer(other)
		}
		if i < len(s.Entries) {
			label := s.Columns[k] + " of " + row.Cells[0]
			s.Entries[i].Label = label
			j.Texts = append(j.Texts, row.Cells[k])
			parts = append(parts, label)
		}
	}
	t.Say("Enter the "+listed(parts)+", and submit.",
		"What does the table say for "+listed(parts)+"? Enter that and press Submit.")
}

// tableMost asks for the names of the rows with the most or the least of each column.
type tableMost struct{ wantedCells }

// Setup implements ui.Job.
func (j *tableMost) Setup(s *tablePage, t *ui.Task) {
	for _, row := range s.Rows {
		t.Offer(row.Cells[0])
	}
	j.Texts = nil
	var parts []string
	for i := range s.Entries {
		sign, label := 1, "greatest "+s.Columns[i+1]
		if t.Rand.Intn(2) == 0 {
			sign, label = -1, "smallest "+s.Columns[i+1]
		}
		best := slices.MaxFunc(s.Rows, func(a, b tableRow) int { // two digits each: texts are in order of numbers
			return sign * strings.Compare(a.Cells[i+1], b.Cells[i+1])
		})
		s.Entries[i].Label = label
		j.Texts = append(j.Texts, best.Cells[0])
		parts = append(parts, label)
	}
	t.Say("Enter the names of the rows with the "+listed(parts)+", and submit.",
		"Which rows have the "+listed(parts)+"? Enter their names and press Submit.")
}
