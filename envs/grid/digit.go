package grid

import (
	"image"
	"image/color"
)

// digits are drawn on 3 × 5 points, a row in three bits, from the top.
var digits = [10][5]uint8{
	{7, 5, 5, 5, 7}, {2, 6, 2, 2, 7}, {7, 1, 7, 4, 7}, {7, 1, 3, 1, 7}, {5, 5, 7, 1, 1},
	{7, 4, 7, 1, 7}, {7, 4, 7, 5, 7}, {7, 1, 2, 2, 2}, {7, 5, 7, 5, 7}, {7, 5, 7, 1, 7},
}

// DrawDigit draws a white digit centred on (x, y), each point scale pixels wide.
func DrawDigit(dst *image.RGBA, x, y, digit, scale int) {
	left, top := x-3*scale/2, y-5*scale/2
	for row, bits := range digits[digit] {
		for col := range 3 {
			if bits>>(2-col)&1 == 1 {
				p := image.Pt(left+col*scale, top+row*scale)
				Fill(dst, image.Rectangle{p, p.Add(image.Pt(scale, scale))}, color.RGBA{255, 255, 255, 255})
			}
		}
	}
}
