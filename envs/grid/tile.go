package grid

import (
	"image"
	"image/color"
	"image/draw"
)

// Tile is the side of a drawn cell, in pixels.
const Tile = 32

// The colours of a board.
var (
	Ink       = color.RGBA{38, 44, 58, 255}
	floorTone = color.RGBA{238, 234, 224, 255}
	floorEdge = color.RGBA{224, 218, 204, 255}
	wallTone  = color.RGBA{74, 84, 104, 255}
	wallLight = color.RGBA{98, 110, 134, 255}
	doorTone  = color.RGBA{168, 108, 62, 255}
	doorDark  = color.RGBA{122, 74, 40, 255}
	doorGold  = color.RGBA{244, 208, 104, 255}
	plate     = color.RGBA{190, 188, 182, 255}
	unpressed = color.RGBA{214, 84, 74, 255}
	pressed   = color.RGBA{92, 184, 108, 255}
	exitTone  = color.RGBA{120, 200, 140, 255}
	exitLight = color.RGBA{206, 240, 212, 255}
)

// AgentTones are the agents' colours, told apart also by the colour-blind.
var AgentTones = [...]color.RGBA{{48, 112, 190, 255}, {230, 140, 30, 255}, {150, 80, 160, 255}, {20, 150, 140, 255}}

// Place is the square of pixels a cell is drawn on.
func Place(p Point) image.Rectangle {
	return image.Rect(0, 0, Tile, Tile).Add(image.Pt(p.X*Tile, p.Y*Tile))
}

// DrawFloor fills the cell's square.
func DrawFloor(dst *image.RGBA, r image.Rectangle) {
	Fill(dst, r, floorEdge)
	Fill(dst, image.Rect(r.Min.X, r.Min.Y, r.Max.X-1, r.Max.Y-1), floorTone)
}

// DrawWall fills the cell's square.
func DrawWall(dst *image.RGBA, r image.Rectangle) {
	Fill(dst, r, wallTone)
	Fill(dst, image.Rect(r.Min.X, r.Min.Y, r.Max.X, r.Min.Y+3), wallLight)
}

// DrawDoor fills the cell's square with a door in a wall to its left and right
// rooms: a closed leaf with a knob, or an open way between its posts.
func DrawDoor(dst *image.RGBA, r image.Rectangle, open bool) {
	DrawFloor(dst, r)
	if !open {
		Fill(dst, r, doorTone)
		Fill(dst, image.Rect(r.Min.X+15, r.Min.Y, r.Min.X+17, r.Max.Y), doorDark)
		Disc(dst, r.Min.X+21, r.Min.Y+16, 3, doorGold)
	}
	Fill(dst, image.Rect(r.Min.X, r.Min.Y, r.Max.X, r.Min.Y+4), doorDark)
	Fill(dst, image.Rect(r.Min.X, r.Max.Y-4, r.Max.X, r.Max.Y), doorDark)
}

// DrawSwitch draws a plate with a button on the floor, up and red or down and green.
func DrawSwitch(dst *image.RGBA, r image.Rectangle, down bool) {
	Fill(dst, r.Inset(4), plate)
	if down {
		Fill(dst, r.Inset(8), pressed)
		return
	}
	Fill(dst, r.Inset(8).Add(image.Pt(1, 2)), Ink)
	Fill(dst, r.Inset(8).Add(image.Pt(0, -1)), unpressed)
}

// DrawExit draws the way out: a green mat with an arrow.
func DrawExit(dst *image.RGBA, r image.Rectangle) {
	Fill(dst, r.Inset(2), exitTone)
	Fill(dst, r.Inset(4), exitLight)
	Fill(dst, image.Rect(r.Min.X+8, r.Min.Y+14, r.Min.X+18, r.Min.Y+18), exitTone)
	for i := range 8 {
		Fill(dst, image.Rect(r.Min.X+16+i, r.Min.Y+8+i, r.Min.X+17+i, r.Max.Y-8-i), exitTone)
	}
}

// Slot is where an agent is drawn that shares its cell with others: the middle
// and the radius of its disc, in the slot-th place of so many.
func Slot(r image.Rectangle, slot, slots int) (x, y, radius int) {
	x, y, radius = r.Min.X+Tile/2, r.Min.Y+Tile/2, 12
	if slots > 1 {
		x += (slot%2)*14 - 7
		radius = 7
		if slots > 2 {
			y += (slot/2%2)*14 - 7
		}
	}
	return x, y, radius
}

// DrawAgent draws a disc with the agent's number. Of several in one cell, give
// each a place of its own: the slot-th of so many.
func DrawAgent(dst *image.RGBA, r image.Rectangle, agent, slot, slots int) {
	x, y, radius := Slot(r, slot, slots)
	scale := 3
	if slots > 1 {
		scale = 1
	}
	Disc(dst, x, y, radius, Ink)
	Disc(dst, x, y, radius-1, AgentTones[agent%len(AgentTones)])
	DrawDigit(dst, x, y, agent%10, scale)
}

// Fill fills a rectangle of pixels.
func Fill(dst *image.RGBA, r image.Rectangle, c color.RGBA) {
	draw.Draw(dst, r, image.NewUniform(c), image.Point{}, draw.Src)
}

// Disc fills a disc centred on (x, y).
func Disc(dst *image.RGBA, x, y, radius int, c color.RGBA) {
	for dy := -radius; dy <= radius; dy++ {
		for dx := -radius; dx <= radius; dx++ {
			if dx*dx+dy*dy <= radius*radius+radius/2 {
				dst.SetRGBA(x+dx, y+dy, c)
			}
		}
	}
}
