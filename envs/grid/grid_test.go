package grid

import (
	"image"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestNumbersInWords(t *testing.T) {
	for n, want := range map[int]string{
		0: "zero", 1: "one", 12: "twelve", 20: "twenty", 21: "twenty-one", 99: "ninety-nine", 100: "one hundred",
		342: "three hundred and forty-two", 999: "nine hundred and ninety-nine", 1000: "1000", -3: "-3",
	} {
		require.Equal(t, want, string(AppendNumber(nil, n)))
	}
	require.Equal(t, "one step", string(AppendCount(nil, 1, "step")))
	require.Equal(t, "zero steps", string(AppendCount(nil, 0, "step")))
}

func TestBoardsAreReadAndWritten(t *testing.T) {
	const text = "####\n#.a#\n####\n"
	b, err := Parse(text)
	require.NoError(t, err)
	require.Equal(t, text, string(b.Append(nil)))
	require.Equal(t, Cell('a'), b.At(Point{2, 1}))
	require.Equal(t, Wall, b.At(Point{-1, 1}))
	require.Equal(t, Wall, b.At(Point{2, 3}))
	for _, bad := range []string{"", "###\n##", "#\x00#", "#\u00e9"} {
		_, err := Parse(bad)
		require.Error(t, err, "%q", bad)
	}
	require.PanicsWithValue(t, "grid: {4 0} is off the board of 4 × 3", func() { b.Set(Point{4, 0}, '.') })
}

// Cells are numbered row by row, moves stop at walls, and a closed cell can be
// left but not entered.
func TestCellsAndMoves(t *testing.T) {
	b, err := Parse("#####\n#.D.#\n#####")
	require.NoError(t, err)
	c := CellsOf(b)
	require.Equal(t, []Point{{1, 1}, {2, 1}, {3, 1}}, c.Points)
	require.Equal(t, 1, c.At(Point{2, 1}))
	require.Equal(t, -1, c.At(Point{2, 0}))
	g := c.Graph(func(cell int) bool { return cell == 1 })
	require.Equal(t, [Moves]int16{Stay: 0, Up: 0, Down: 0, Left: 0, Right: 0}, g[0])
	require.Equal(t, [Moves]int16{Stay: 1, Up: 1, Down: 1, Left: 0, Right: 2}, g[1])
	require.Equal(t, []int16{0, 1, 2}, c.Distances(b, 0))
}

// A distance differs by at most one between neighbours, and is zero at the goal only.
func TestDistancesAreShortest(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		b := NewBoard(8, 7, Wall)
		for i := range b.Cells {
			x, y := i%b.W, i/b.W
			if x > 0 && y > 0 && x < b.W-1 && y < b.H-1 && rapid.IntRange(0, 3).Draw(rt, "cell") > 0 {
				b.Cells[i] = Floor
			}
		}
		goal := Point{rapid.IntRange(1, 6).Draw(rt, "x"), rapid.IntRange(1, 5).Draw(rt, "y")}
		b.Set(goal, Floor)
		open := func(p Point) bool { return b.At(p) != Wall }
		d := Distances(b, goal, open)
		for i, n := range d {
			p := Point{i % b.W, i / b.W}
			if !open(p) || n == Far {
				continue
			}
			require.Equal(rt, p == goal, n == 0)
			nearest := Far
			for _, step := range Step[Up:] {
				if q := p.Add(step); open(q) {
					nearest = min(nearest, d[q.Y*b.W+q.X])
				}
			}
			if n > 0 {
				require.Equal(rt, nearest+1, n)
			}
		}
	})
}

func TestSeesASquare(t *testing.T) {
	require.True(t, Sees(Point{3, 3}, Point{5, 1}, 2))
	require.False(t, Sees(Point{3, 3}, Point{6, 3}, 2))
}

// Each kind of cell looks unlike the others, and stays in its square.
func TestTilesDiffer(t *testing.T) {
	draw := func(f func(*image.RGBA, image.Rectangle)) string {
		img := image.NewRGBA(image.Rect(0, 0, 3*Tile, 3*Tile))
		f(img, Place(Point{1, 1}))
		for i := range 3 * Tile {
			for _, edge := range []image.Point{{i, Tile - 1}, {i, 2 * Tile}, {Tile - 1, i}, {2 * Tile, i}} {
				require.Zero(t, img.RGBAAt(edge.X, edge.Y).A, "%v is outside of the cell", edge)
			}
		}
		return string(img.Pix)
	}
	seen := map[string]bool{}
	for _, f := range []func(*image.RGBA, image.Rectangle){
		DrawFloor, DrawWall, DrawExit,
		func(m *image.RGBA, r image.Rectangle) { DrawDoor(m, r, true) },
		func(m *image.RGBA, r image.Rectangle) { DrawDoor(m, r, false) },
		func(m *image.RGBA, r image.Rectangle) { DrawSwitch(m, r, true) },
		func(m *image.RGBA, r image.Rectangle) { DrawSwitch(m, r, false) },
		func(m *image.RGBA, r image.Rectangle) { DrawAgent(m, r, 0, 0, 1) },
		func(m *image.RGBA, r image.Rectangle) { DrawAgent(m, r, 1, 0, 1) },
		func(m *image.RGBA, r image.Rectangle) { DrawAgent(m, r, 0, 1, 2) },
		func(m *image.RGBA, r image.Rectangle) { DrawAgent(m, r, 0, 3, 4) },
	} {
		seen[draw(f)] = true
	}
	require.Len(t, seen, 11)
}
