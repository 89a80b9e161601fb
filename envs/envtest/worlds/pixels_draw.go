package worlds

import (
	"image"
	"image/color"
)

const zoom = 4 // screen pixels a side of one cell

// AppendText implements envs.Drawer.
func (p *pixels) AppendText(dst []byte) []byte {
	from := len(dst)
	for range p.p.Height {
		for range p.p.Width {
			dst = append(dst, '.')
		}
		dst = append(dst, '\n')
	}
	board := dst[from:]
	board[len(board)-2] = 'G'
	for i := range p.p.Agents {
		board[p.dots[i].y*(p.p.Width+1)+p.dots[i].x] = byte('0' + i)
	}
	return dst
}

// Bounds implements envs.Drawer.
func (p *pixels) Bounds() image.Rectangle {
	return image.Rect(0, 0, zoom*p.p.Width, zoom*p.p.Height)
}

// Draw implements envs.Drawer.
func (p *pixels) Draw(dst *image.RGBA) {
	p.paint(-1, func(y, x int, c [3]uint8) {
		for dy := range zoom {
			for dx := range zoom {
				dst.SetRGBA(zoom*x+dx, zoom*y+dy, color.RGBA{R: c[0], G: c[1], B: c[2], A: 255})
			}
		}
	})
}
