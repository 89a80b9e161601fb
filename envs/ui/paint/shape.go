package paint

import (
	"image"
	"image/color"
	"image/draw"

	"golang.org/x/image/vector"
)

// The colours, by what they are for.
var (
	ground   = color.RGBA{0xf3, 0xf4, 0xf8, 0xff} // behind everything
	card     = color.RGBA{0xff, 0xff, 0xff, 0xff} // of entries, fields and dialogs
	line     = color.RGBA{0xd5, 0xd9, 0xe2, 0xff} // edges
	ink      = color.RGBA{0x1d, 0x23, 0x33, 0xff} // words
	faint    = color.RGBA{0x6b, 0x74, 0x88, 0xff} // second lines and labels
	accent   = color.RGBA{0x2f, 0x5b, 0xd7, 0xff} // what can be pressed, is on or has the keyboard
	soft     = color.RGBA{0xe1, 0xe8, 0xfb, 0xff} // behind what is chosen
	off      = color.RGBA{0xb4, 0xba, 0xc7, 0xff} // what is off or disabled
	light    = color.RGBA{0xff, 0xff, 0xff, 0xff} // words on the accent
	dark     = color.RGBA{0x1b, 0x2a, 0x57, 0xff} // the status bar
	keyColor = color.RGBA{0xd9, 0xdc, 0xe4, 0xff} // behind the keys
	shade    = color.RGBA{0, 0, 0, 0x78}          // over what a dialog covers
)

// canvas is a picture, or the part of one that may be drawn on.
type canvas struct {
	*image.RGBA
	painter *painter
}

// within is the canvas cut to a rectangle.
func (c canvas) within(r image.Rectangle) canvas {
	c.RGBA = c.SubImage(r).(*image.RGBA)
	return c
}

func (c canvas) fill(r image.Rectangle, col color.RGBA) {
	draw.Draw(c.RGBA, r, image.NewUniform(col), image.Point{}, draw.Over)
}

// round fills a rectangle with round corners.
func (c canvas) round(r image.Rectangle, radius float32, col color.RGBA) {
	b := c.Bounds().Intersect(r)
	if b.Empty() {
		return
	}
	radius = min(radius, float32(min(r.Dx(), r.Dy()))/2)
	z := c.painter.raster
	z.Reset(r.Dx(), r.Dy())
	roundPath(z, float32(r.Dx()), float32(r.Dy()), radius)
	c.stamp(z, r, col)
}

// stamp draws what the rasterizer holds, r being its place.
func (c canvas) stamp(z *vector.Rasterizer, r image.Rectangle, col color.RGBA) {
	mask := c.painter.mask(r.Dx(), r.Dy())
	z.Draw(mask, mask.Bounds(), image.Opaque, image.Point{})
	draw.DrawMask(c.RGBA, r, image.NewUniform(col), image.Point{}, mask, image.Point{}, draw.Over)
}

func roundPath(z *vector.Rasterizer, w, h, r float32) {
	const k = 0.5523 // of a quarter circle by a cubic curve
	c := r * (1 - k)
	z.MoveTo(r, 0)
	z.LineTo(w-r, 0)
	z.CubeTo(w-c, 0, w, c, w, r)
	z.LineTo(w, h-r)
	z.CubeTo(w, h-c, w-c, h, w-r, h)
	z.LineTo(r, h)
	z.CubeTo(c, h, 0, h-c, 0, h-r)
	z.LineTo(0, r)
	z.CubeTo(0, c, c, 0, r, 0)
	z.ClosePath()
}

// frame draws a rectangle with round corners and an edge.
func (c canvas) frame(r image.Rectangle, radius float32, edge, inside color.RGBA, width int) {
	c.round(r, radius, edge)
	c.round(r.Inset(width), radius-float32(width), inside)
}

// polygon fills a shape of corners within r, given as x, y, x, y ….
func (c canvas) polygon(r image.Rectangle, col color.RGBA, corners ...float32) {
	if c.Bounds().Intersect(r).Empty() {
		return
	}
	z := c.painter.raster
	z.Reset(r.Dx(), r.Dy())
	z.MoveTo(corners[0], corners[1])
	for i := 2; i < len(corners); i += 2 {
		z.LineTo(corners[i], corners[i+1])
	}
	z.ClosePath()
	c.stamp(z, r, col)
}

// tick draws a check mark.
func (c canvas) tick(r image.Rectangle, col color.RGBA) {
	s := float32(r.Dx()) / 18
	c.polygon(r, col, 3*s, 9*s, 5*s, 7*s, 8*s, 10*s, 13.5*s, 4*s, 15.5*s, 6*s, 8*s, 14*s)
}
