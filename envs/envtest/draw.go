package envtest

import (
	"bytes"
	"image"
	"testing"
	"unicode/utf8"

	"marlpit/envs"
)

// checkDrawing tests text and picture, and that making them changes nothing.
func checkDrawing(tb testing.TB, s *subject) {
	p, twin := s.play(tb, 2), s.play(tb, 2)
	d, ok := envs.As[envs.Drawer](p.env)
	if !ok {
		tb.Skip("no Drawer")
	}
	size := d.Bounds()
	if size.Min != (image.Point{}) || size.Empty() {
		tb.Fatalf("drawing: bounds %v, want (0,0) to something", size)
	}
	text, picture := drawn(tb, d, size)
	if flat(picture) {
		tb.Error("drawing: every pixel has one colour")
	}
	moved, changed := false, false
	for range horizon {
		a := twin.random()
		twin.step(a)
		p.step(a)
		nextText, next := drawn(tb, d, size)
		if !bytes.Equal(text, nextText) {
			moved = true
			changed = changed || !bytes.Equal(picture.Pix, next.Pix)
		}
		text, picture = nextText, next
		if diff := same(p, twin); diff != "" {
			tb.Fatalf("drawing: step %d: a game that is drawn goes otherwise: %s", p.t, diff)
		}
	}
	if !moved {
		tb.Errorf("drawing: the text stays the same through %d random steps", horizon)
	}
	if moved && !changed {
		tb.Error("drawing: the text changes, the picture never does")
	}
}

// drawn draws twice, over different rubbish, and tests that every pixel is written.
func drawn(tb testing.TB, d envs.Drawer, size image.Rectangle) ([]byte, *image.RGBA) {
	tb.Helper()
	text := d.AppendText([]byte("abc"))
	if !bytes.HasPrefix(text, []byte("abc")) {
		tb.Fatal("drawing: AppendText doesn't append")
	}
	if text = text[3:]; !bytes.HasSuffix(text, []byte("\n")) || !utf8.Valid(text) {
		tb.Fatalf("drawing: the text has to be UTF-8 and end in a newline: %q", text)
	}
	if got := d.Bounds(); got != size {
		tb.Fatalf("drawing: the bounds changed from %v to %v", size, got)
	}
	a, b := image.NewRGBA(size), image.NewRGBA(size)
	fill(a.Pix, 0xaa)
	fill(b.Pix, 0x55)
	d.Draw(a)
	d.Draw(b)
	if !bytes.Equal(a.Pix, b.Pix) {
		tb.Fatal("drawing: a pixel isn't written, or two drawings of one state differ")
	}
	return text, a
}

func flat(m *image.RGBA) bool {
	for i := 4; i < len(m.Pix); i++ {
		if m.Pix[i] != m.Pix[i-4] {
			return false
		}
	}
	return true
}
