package grid

import (
	"bytes"
	"fmt"
	"strings"
)

// Cell is what stands in one place of a board: a printable ASCII character.
type Cell = byte

// Wall and Floor are the cells every world has.
const (
	Wall  Cell = '#'
	Floor Cell = '.'
)

// Board is a rectangle of cells.
type Board struct {
	W, H  int
	Cells []Cell // (H, W)
}

// NewBoard returns a board filled with one cell.
func NewBoard(w, h int, fill Cell) *Board {
	return &Board{W: w, H: h, Cells: bytes.Repeat([]byte{fill}, w*h)}
}

// Parse reads a board from lines of equal length. It returns an error for an
// empty text, uneven lines, and characters that are no printable ASCII.
func Parse(text string) (*Board, error) {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	b := &Board{W: len(lines[0]), H: len(lines)}
	if b.W == 0 {
		return nil, fmt.Errorf("grid: the board is empty")
	}
	for y, line := range lines {
		if len(line) != b.W {
			return nil, fmt.Errorf("grid: line %d of the board has %d cells, the first has %d", y+1, len(line), b.W)
		}
		for x := range b.W {
			if line[x] < ' ' || line[x] > '~' {
				return nil, fmt.Errorf("grid: line %d of the board, column %d: %q is no printable ASCII", y+1, x+1, line[x])
			}
		}
		b.Cells = append(b.Cells, line...)
	}
	return b, nil
}

// Append writes the board as Parse reads it: lines ending in a newline.
func (b *Board) Append(dst []byte) []byte {
	for y := range b.H {
		dst = append(append(dst, b.Cells[y*b.W:(y+1)*b.W]...), '\n')
	}
	return dst
}

// In says whether a place is on the board.
func (b *Board) In(p Point) bool { return p.X >= 0 && p.X < b.W && p.Y >= 0 && p.Y < b.H }

// At is the cell of a place; Wall where there is no board.
func (b *Board) At(p Point) Cell {
	if !b.In(p) {
		return Wall
	}
	return b.Cells[p.Y*b.W+p.X]
}

// Set puts a cell on the board. A place off the board panics.
func (b *Board) Set(p Point, c Cell) {
	if !b.In(p) {
		panic(fmt.Sprintf("grid: %v is off the board of %d × %d", p, b.W, b.H))
	}
	b.Cells[p.Y*b.W+p.X] = c
}

// Fill puts a cell on a rectangle of w × h places with its top left at p.
func (b *Board) Fill(p Point, w, h int, c Cell) {
	for y := range h {
		for x := range w {
			b.Set(p.Add(Point{x, y}), c)
		}
	}
}
