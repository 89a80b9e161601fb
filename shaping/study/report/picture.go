package report

import (
	"bytes"
	"encoding/base64"
	"html/template"
	"image"
	"image/color"
	"image/png"
)

// pictureBytes is what all pictures of a page may take together, encoded.
const pictureBytes = 5 << 19

// album makes pictures for a page until its room is used up.
type album struct {
	left    int // bytes
	refused int // pictures there was no room for
}

// add encodes a picture as a data URI; "" for nil, or where there is no room.
func (a *album) add(img *image.RGBA) template.URL {
	if img == nil {
		return ""
	}
	var b bytes.Buffer
	if err := png.Encode(&b, paletted(img)); err != nil { // an empty picture
		return ""
	}
	uri := "data:image/png;base64," + base64.StdEncoding.EncodeToString(b.Bytes())
	if len(uri) > a.left {
		a.refused++
		return ""
	}
	a.left -= len(uri)
	return template.URL(uri) // made here, of letters and digits
}

// paletted is the picture with a palette where 256 colours are enough: a
// quarter of the size.
func paletted(img *image.RGBA) image.Image {
	seen := map[color.RGBA]uint8{}
	var palette color.Palette
	out := image.NewPaletted(img.Rect, nil)
	for y := img.Rect.Min.Y; y < img.Rect.Max.Y; y++ {
		for x := img.Rect.Min.X; x < img.Rect.Max.X; x++ {
			c := img.RGBAAt(x, y)
			i, ok := seen[c]
			if !ok {
				if len(palette) == 256 {
					return img
				}
				i = uint8(len(palette))
				seen[c] = i
				palette = append(palette, c)
			}
			out.Pix[out.PixOffset(x, y)] = i
		}
	}
	out.Palette = palette
	return out
}

// dimmed is a picture in pale greys, to put colours on.
func dimmed(img *image.RGBA) *image.RGBA {
	out := image.NewRGBA(img.Rect)
	for i := 0; i < len(img.Pix); i += 4 {
		g := (299*int(img.Pix[i]) + 587*int(img.Pix[i+1]) + 114*int(img.Pix[i+2])) / 1000
		v := uint8(150 + g*105/255)
		out.Pix[i], out.Pix[i+1], out.Pix[i+2], out.Pix[i+3] = v, v, v, 255
	}
	return out
}

// copyHalf draws the square r of src at half its size into the middle of the
// same square of dst.
func copyHalf(dst, src *image.RGBA, r image.Rectangle) {
	w, h := r.Dx()/2, r.Dy()/2
	x0, y0 := r.Min.X+(r.Dx()-w)/2, r.Min.Y+(r.Dy()-h)/2
	for y := range h {
		for x := range w {
			dst.SetRGBA(x0+x, y0+y, mean4(src, r.Min.X+2*x, r.Min.Y+2*y))
		}
	}
}

// mean4 is the mean colour of two by two pixels.
func mean4(src *image.RGBA, x, y int) color.RGBA {
	var sum [3]int
	for _, p := range [...]image.Point{{0, 0}, {1, 0}, {0, 1}, {1, 1}} {
		c := src.RGBAAt(x+p.X, y+p.Y)
		sum[0], sum[1], sum[2] = sum[0]+int(c.R), sum[1]+int(c.G), sum[2]+int(c.B)
	}
	return color.RGBA{uint8(sum[0] / 4), uint8(sum[1] / 4), uint8(sum[2] / 4), 255}
}
