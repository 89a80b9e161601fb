package grid

// Point is a cell's place: column and row, from the top left.
type Point struct{ X, Y int }

// Add is the place that lies q further.
func (p Point) Add(q Point) Point { return Point{p.X + q.X, p.Y + q.Y} }

// Sub is the way from q to p.
func (p Point) Sub(q Point) Point { return Point{p.X - q.X, p.Y - q.Y} }

// Move is a choice of an agent that walks: to stay, or one of the directions.
type Move = int32

// The moves, in the order of action spaces. Stay is the no-op.
const (
	Stay Move = iota
	Up
	Down
	Left
	Right
	Moves = 5 // number of moves
)

// Step is what each move adds to a place.
var Step = [Moves]Point{Up: {0, -1}, Down: {0, 1}, Left: {-1, 0}, Right: {1, 0}}

// MoveNames are the moves' names in action spaces.
func MoveNames() []string { return []string{"stay", "up", "down", "left", "right"} }
