package victimrubble

import (
	"image"
	"image/color"

	"marlpit/envs/grid"
)

// The colours of things and roles.
var (
	stone     = color.RGBA{136, 126, 118, 255}
	stoneDark = color.RGBA{92, 84, 78, 255}
	stoneLite = color.RGBA{176, 168, 158, 255}
	skin      = color.RGBA{240, 196, 160, 255}
	hair      = color.RGBA{96, 64, 44, 255}
	hurt      = color.RGBA{206, 62, 62, 255}
	well      = color.RGBA{70, 166, 92, 255}
	white     = color.RGBA{252, 252, 252, 255}
	gold      = color.RGBA{244, 200, 72, 255}
	spike     = color.RGBA{170, 40, 60, 255}
	tones     = [...]color.RGBA{
		engineer:  {230, 126, 34, 255},
		medic:     {248, 248, 248, 255},
		scout:     {46, 134, 110, 255},
		keybearer: {124, 78, 160, 255},
	}
)

// box fills a rectangle given by its place in the cell and its size.
func box(dst *image.RGBA, r image.Rectangle, x, y, w, h int, c color.RGBA) {
	grid.Fill(dst, image.Rect(r.Min.X+x, r.Min.Y+y, r.Min.X+x+w, r.Min.Y+y+h), c)
}

// drawRubble draws a heap of stones, or the pebbles left of it.
func drawRubble(dst *image.RGBA, r image.Rectangle, cleared bool) {
	if cleared {
		for _, p := range [...]image.Point{{6, 25}, {14, 28}, {25, 26}, {27, 7}, {5, 6}} {
			grid.Disc(dst, r.Min.X+p.X, r.Min.Y+p.Y, 1, stone)
		}
		return
	}
	for _, s := range [...]struct{ x, y, radius int }{{8, 23, 7}, {23, 23, 7}, {16, 25, 5}, {16, 13, 8}, {9, 15, 4}, {24, 13, 4}} {
		x, y := r.Min.X+s.x, r.Min.Y+s.y
		grid.Disc(dst, x, y, s.radius, stoneDark)
		grid.Disc(dst, x, y, s.radius-1, stone)
		grid.Disc(dst, x-s.radius/3, y-s.radius/3, s.radius/3, stoneLite)
	}
}

// drawVictim draws somebody who lies under a red blanket, or sits up, healed,
// on a green one with a tick.
func drawVictim(dst *image.RGBA, r image.Rectangle, healed bool) {
	if !healed {
		box(dst, r, 3, 9, 26, 15, white)
		box(dst, r, 13, 10, 15, 13, hurt)
		grid.Disc(dst, r.Min.X+8, r.Min.Y+16, 5, hair)
		grid.Disc(dst, r.Min.X+9, r.Min.Y+16, 4, skin)
		return
	}
	box(dst, r, 5, 16, 22, 12, well)
	grid.Disc(dst, r.Min.X+16, r.Min.Y+9, 6, hair)
	grid.Disc(dst, r.Min.X+16, r.Min.Y+10, 5, skin)
	for i := range 4 {
		box(dst, r, 11+i, 20+i, 2, 2, white)
	}
	for i := range 7 {
		box(dst, r, 14+i, 23-i, 2, 2, white)
	}
}

// drawDoor draws the door, with a padlock while it is locked.
func drawDoor(dst *image.RGBA, r image.Rectangle, open bool) {
	grid.DrawDoor(dst, r, open)
	if open {
		return
	}
	grid.Disc(dst, r.Min.X+16, r.Min.Y+12, 6, grid.Ink)
	grid.Disc(dst, r.Min.X+16, r.Min.Y+12, 3, white)
	box(dst, r, 8, 13, 16, 13, grid.Ink)
	box(dst, r, 9, 14, 14, 11, gold)
	box(dst, r, 15, 17, 2, 5, grid.Ink)
}

// drawTrap draws spikes.
func drawTrap(dst *image.RGBA, r image.Rectangle) {
	for k := range 3 {
		for i := range 16 {
			box(dst, r, 4+8*k+4-i/4, 8+i, 1+i/2, 1, spike)
		}
	}
	box(dst, r, 3, 24, 26, 3, grid.Ink)
}

// drawAgent draws an agent of a role with its number among those, in the
// slot-th of so many places: an engineer with a helmet, a medic with a red
// cross, a scout with field glasses, a key-bearer with a key; the dead are grey.
func drawAgent(dst *image.RGBA, r image.Rectangle, who role, dead bool, number, slot, slots int) {
	x, y, radius := grid.Slot(r, slot, slots)
	grid.Disc(dst, x, y, radius, grid.Ink)
	tone := tones[who]
	if dead {
		tone = stone
	}
	grid.Disc(dst, x, y, radius-1, tone)
	u := max(1, radius/6) // a unit of the drawing
	at := func(dx, dy, w, h int, c color.RGBA) {
		grid.Fill(dst, image.Rect(x+dx*u, y+dy*u, x+(dx+w)*u, y+(dy+h)*u), c)
	}
	switch who {
	case engineer:
		at(-4, -2, 8, 1, grid.Ink)
		at(-3, -5, 6, 3, gold)
		at(-1, -6, 2, 1, gold)
	case medic:
		at(-1, -5, 2, 6, hurt)
		at(-3, -3, 6, 2, hurt)
	case scout:
		grid.Disc(dst, x-2*u, y-2*u, 2*u, grid.Ink)
		grid.Disc(dst, x+2*u, y-2*u, 2*u, grid.Ink)
		grid.Disc(dst, x-2*u, y-2*u, u, white)
		grid.Disc(dst, x+2*u, y-2*u, u, white)
	case keybearer:
		grid.Disc(dst, x-3*u, y-2*u, 2*u, gold)
		grid.Disc(dst, x-3*u, y-2*u, u/2, grid.Ink)
		at(-2, -2, 6, 1, gold)
		at(2, -1, 1, 1, gold)
		at(4, -2, 1, 2, gold)
	}
	if slots == 1 {
		grid.Fill(dst, image.Rect(x-4, y+2, x+4, y+11), grid.Ink)
		grid.DrawDigit(dst, x+1, y+6, number%10, 1)
	}
}
