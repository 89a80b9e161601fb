package web

import (
	"slices"

	"marlpit/envs"
	"marlpit/envs/ui"
)

var _ = add[tilesPage, tilesMark](ui.Template{
	Name: "tiles-mark", Summary: "mark tiles of a grid by row and column", Apps: []string{"tiles"},
	Kind: ui.Several, Level: 2, MaxTurns: 10, HeldOut: true,
})

// side is the number of rows and of columns of tiles.
const side = 5

// tilesPage is a grid of tiles, rows named by letters and columns by numbers.
type tilesPage struct {
	Form
	Marked [side * side]bool
}

func (s *tilesPage) fill(_ *envs.Rand) { *s = tilesPage{} }

// App implements ui.Sim.
func (s *tilesPage) App() string { return "tiles" }

// View implements ui.Sim.
func (s *tilesPage) View(b *ui.Builder) {
	b.Heading("Tiles")
	for i, marked := range s.Marked {
		if i%side == 0 {
			b.Row(side)
		}
		b.Button("tile", i, tileNames[i]).Select(marked)
	}
	s.submit(b)
}

// tileNames are the tiles' names: A1 to E5.
var tileNames = func() (names [side * side]string) {
	for i := range names {
		names[i] = string(rune('A'+i/side)) + string(rune('1'+i%side))
	}
	return names
}()

// Update implements ui.Sim.
func (s *tilesPage) Update(e ui.Event) {
	if e.Is(ui.Click, "tile") && within(e.Key, len(s.Marked)) {
		s.Marked[e.Key] = !s.Marked[e.Key]
	}
	s.submits(e)
}

// tilesMark asks for three tiles.
type tilesMark struct{ Names []string }

// Setup implements ui.Job.
func (j *tilesMark) Setup(_ *tilesPage, t *ui.Task) {
	j.Names = ui.Draw(t.Rand, tileNames[:], 3)
	t.Say("Mark the tiles "+listed(j.Names)+", and submit.",
		"Rows have letters and columns numbers. Mark "+listed(j.Names)+" and press Submit.")
}

// Want implements ui.Wanter.
func (j *tilesMark) Want(s *tilesPage) {
	for i, name := range tileNames {
		s.Marked[i] = slices.Contains(j.Names, name)
	}
	s.Submitted = true
}

// Solve implements ui.Job.
func (j *tilesMark) Solve(s *tilesPage, x *ui.Pilot) {
	for i, name := range tileNames {
		if s.Marked[i] != slices.Contains(j.Names, name) {
			x.Tap("tile", i)
		}
	}
	x.Tap("submit", 0)
}
