package api

import (
	"bytes"
	"image"
	"image/png"
	"strconv"

	"github.com/gofiber/fiber/v2"

	"marlpit/api/pool"
	"marlpit/envs"
)

// queryRow reads ?row=; one says whether it was there.
func queryRow(c *fiber.Ctx, rows int) (one bool, row int, err error) {
	q := c.Query("row")
	if q == "" {
		return false, 0, nil
	}
	row, err = strconv.Atoi(q)
	if err != nil || row < 0 || row >= rows {
		return true, 0, refuse(errInvalid, "/row", "row is an integer from 0 to %d, got %.40q", rows-1, q)
	}
	return true, row, nil
}

// begun refuses to look at a row that was never reset.
func (s *session) begun(row int) error {
	if _, _, episode, _, _ := s.pool.Episode(row); episode < 0 {
		return &refusal{kind: pool.ErrNotReset, message: "row " + strconv.Itoa(row) + " was never reset"}
	}
	return nil
}

// render draws a row: a PNG, raw RGB (height × width × 3, the size in the
// headers Marlpit-Height and Marlpit-Width), or text.
func (s *Server) render(c *fiber.Ctx) error {
	format := string([]byte(c.Query("format", "png")))
	var img *image.RGBA
	var text []byte
	err := s.with(c, false, func(x *session, _ handle) error {
		_, row, err := queryRow(c, x.pool.Len())
		if err != nil {
			return err
		}
		d, err := x.drawer(row)
		if err != nil {
			return err
		}
		switch format {
		case "text":
			text = d.AppendText(nil)
		case "png", "rgb":
			img = image.NewRGBA(d.Bounds())
			d.Draw(img)
		default:
			return refuse(errInvalid, "/format", "format is png, rgb or text, got %.40q", format)
		}
		return nil
	})
	if err != nil {
		return err
	}
	c.Set("Cache-Control", "no-store")
	switch format {
	case "text":
		c.Set("Content-Type", "text/plain; charset=utf-8")
		return c.Send(text)
	case "rgb":
		c.Set("Content-Type", "application/octet-stream")
		c.Set("Marlpit-Height", strconv.Itoa(img.Rect.Dy()))
		c.Set("Marlpit-Width", strconv.Itoa(img.Rect.Dx()))
		return c.Send(rgb(img))
	}
	var b bytes.Buffer
	enc := png.Encoder{CompressionLevel: png.BestSpeed}
	if err := enc.Encode(&b, img); err != nil {
		return err
	}
	c.Set("Content-Type", "image/png")
	return c.Send(b.Bytes())
}

// drawer finds a row's drawing, once there is something to draw.
func (s *session) drawer(row int) (envs.Drawer, error) {
	if err := s.pool.Err(); err != nil {
		return nil, err
	}
	d, ok := inside(s.pool.Env(row)).(envs.Drawer)
	if !ok {
		return nil, refuse(errNoAbility, "", "%s can't be drawn", s.env)
	}
	return d, s.begun(row)
}

// rgb is a picture without its alpha: (height, width, 3).
func rgb(img *image.RGBA) []byte {
	w, h := img.Rect.Dx(), img.Rect.Dy()
	out := make([]byte, 0, w*h*3)
	for y := range h {
		line := img.Pix[y*img.Stride : y*img.Stride+4*w]
		for x := 0; x < len(line); x += 4 {
			out = append(out, line[x], line[x+1], line[x+2])
		}
	}
	return out
}
