// Package grid is the toolkit of grid worlds: points and directions, boards
// of cells read from and written as text, fields of view, shortest paths,
// number words and tiles to draw with.
package grid
