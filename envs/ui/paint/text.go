package paint

import (
	"image"
	"image/color"
	"strings"
	"sync"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
	"golang.org/x/image/vector"
)

// style is a size and weight of letters.
type style int

// The styles.
const (
	small style = iota
	plain
	strong
	title
	styles
)

// fonts are parsed once; faces, which keep glyphs, belong to a painter.
var fonts = sync.OnceValue(func() [2]*opentype.Font {
	var out [2]*opentype.Font
	for i, ttf := range [][]byte{goregular.TTF, gobold.TTF} {
		f, err := opentype.Parse(ttf)
		if err != nil {
			panic(err) // it comes with the module
		}
		out[i] = f
	}
	return out
})

// painter is what drawing needs beside the picture; one is used at a time.
type painter struct {
	faces  [styles]font.Face
	raster *vector.Rasterizer
	alpha  image.Alpha
}

var painters = sync.Pool{New: func() any {
	p := &painter{raster: vector.NewRasterizer(1, 1)}
	for s, x := range [styles]struct {
		font int
		size float64
	}{{0, 11.5}, {0, 14.5}, {1, 14.5}, {1, 18}} {
		face, err := opentype.NewFace(fonts()[x.font], &opentype.FaceOptions{Size: x.size, DPI: 72, Hinting: font.HintingNone})
		if err != nil {
			panic(err) // the options are right
		}
		p.faces[s] = face
	}
	return p
}}

// mask is a clear mask of a size, used until the next call.
func (p *painter) mask(w, h int) *image.Alpha {
	n := w * h
	if cap(p.alpha.Pix) < n {
		p.alpha.Pix = make([]uint8, n)
	}
	p.alpha.Pix = p.alpha.Pix[:n]
	clear(p.alpha.Pix)
	p.alpha.Stride, p.alpha.Rect = w, image.Rect(0, 0, w, h)
	return &p.alpha
}

// width is the length of a text in pixels.
func (c canvas) width(s string, st style) int {
	return font.MeasureString(c.painter.faces[st], s).Ceil()
}

// say writes one line with its left end at x and its middle at y, cut to width.
func (c canvas) say(x, y, width int, s string, st style, col color.RGBA) {
	face := c.painter.faces[st]
	if s = c.fit(s, width, st); s == "" {
		return
	}
	m := face.Metrics()
	d := font.Drawer{Dst: c.RGBA, Src: image.NewUniform(col), Face: face,
		Dot: fixed.Point26_6{X: fixed.I(x), Y: fixed.I(y) + (m.Ascent-m.Descent)/2}}
	d.DrawString(s)
}

// center writes one line in the middle of r.
func (c canvas) center(r image.Rectangle, s string, st style, col color.RGBA) {
	s = c.fit(s, r.Dx()-4, st)
	c.say(r.Min.X+(r.Dx()-c.width(s, st))/2, (r.Min.Y+r.Max.Y)/2, r.Dx(), s, st, col)
}

// fit cuts a text to a width, with dots where something is missing.
func (c canvas) fit(s string, width int, st style) string {
	s = strings.Map(func(r rune) rune {
		if r < ' ' {
			return ' '
		}
		return r
	}, s)
	if c.width(s, st) <= width {
		return s
	}
	runes := []rune(s)
	for n := len(runes) - 1; n > 0; n-- {
		if cut := string(runes[:n]) + "…"; c.width(cut, st) <= width {
			return cut
		}
	}
	return ""
}

// wrap breaks a text into lines of a width.
func (c canvas) wrap(s string, width int, st style) []string {
	var out []string
	for _, part := range strings.Split(s, "\n") {
		now := ""
		for _, word := range strings.Fields(part) {
			next := strings.TrimSpace(now + " " + word)
			if now != "" && c.width(next, st) > width {
				out, next = append(out, now), word
			}
			now = next
		}
		out = append(out, now)
	}
	return out
}
