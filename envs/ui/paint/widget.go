package paint

import (
	"image"
	"image/color"
	"strconv"
	"strings"

	"marlpit/envs/ui"
)

// widget draws one widget, the part of it that can be seen. The first heading
// of a screen is its title.
func (c canvas) widget(w *ui.Widget, first bool) {
	if w.Bounds.H <= 0 {
		return
	}
	whole := w.Whole()
	r := image.Rect(whole.X, whole.Y, whole.X+whole.W, whole.Y+whole.H)
	clip := image.Rect(w.Bounds.X, w.Bounds.Y, w.Bounds.X+w.Bounds.W, w.Bounds.Y+w.Bounds.H)
	if w.Role == ui.Heading && first {
		bar := image.Rect(0, r.Min.Y-8, c.Bounds().Max.X, r.Max.Y)
		c.fill(bar, accent)
		c.say(r.Min.X+8, (bar.Min.Y+bar.Max.Y)/2, r.Dx()-16, w.Text, title, light)
		return
	}
	draw := [ui.Roles]func(canvas, *ui.Widget, image.Rectangle){
		ui.Text: canvas.text, ui.Heading: canvas.heading, ui.Button: canvas.button, ui.Field: canvas.field,
		ui.Checkbox: canvas.choice, ui.Switch: canvas.choice, ui.Radio: canvas.choice, ui.Option: canvas.choice,
		ui.Tab: canvas.tab, ui.Link: canvas.link, ui.Item: canvas.item, ui.Select: canvas.field,
		ui.Slider: canvas.slider, ui.Image: canvas.picture,
	}[w.Role]
	draw(c.within(clip), w, r)
}

// ifOn is one colour for what works, the faint one for what is disabled.
func ifOn(w *ui.Widget, col color.RGBA) color.RGBA {
	if w.Has(ui.Disabled) {
		return off
	}
	return col
}

func (c canvas) text(w *ui.Widget, r image.Rectangle) {
	width := r.Dx() - 16
	if w.Desc != "" && w.Text != "" {
		label := c.fit(w.Desc, width/2, small)
		n := c.width(label, small)
		c.say(r.Max.X-8-n, r.Min.Y+12, n, label, small, faint)
		width -= n + 8
	}
	s := w.Text
	if s == "" {
		s = w.Name()
	}
	for i, l := range c.wrap(s, width, plain) {
		c.say(r.Min.X+8, r.Min.Y+12+i*20, width, l, plain, ifOn(w, ink))
	}
}

func (c canvas) heading(w *ui.Widget, r image.Rectangle) {
	c.say(r.Min.X+8, (r.Min.Y+r.Max.Y)/2, r.Dx()-16, w.Text, title, ink)
}

func (c canvas) button(w *ui.Widget, r image.Rectangle) {
	r = image.Rect(r.Min.X+3, r.Min.Y+4, r.Max.X-3, r.Max.Y-4)
	words, back := light, accent
	switch grid := r.Dx() < 100; { // of small ones there are many
	case w.Has(ui.Disabled):
		words, back = light, off
	case grid && !w.Has(ui.Selected):
		words, back = ink, card
	case !grid && w.Has(ui.Selected):
		words, back = accent, soft
	}
	c.round(r, 8, back)
	c.center(r, w.Name(), strong, words)
}

// field draws a field, or a closed list of options.
func (c canvas) field(w *ui.Widget, r image.Rectangle) {
	box := image.Rect(r.Min.X+2, r.Min.Y+7, r.Max.X-2, r.Max.Y-3)
	edge, width := line, 1
	if w.Has(ui.Focused) {
		edge, width = accent, 2
	}
	c.frame(box, 7, edge, card, width)
	if label := c.fit(w.Desc, box.Dx()-24, small); label != "" {
		n := c.width(label, small)
		c.fill(image.Rect(box.Min.X+8, box.Min.Y, box.Min.X+16+n, box.Min.Y+width), card)
		c.say(box.Min.X+12, box.Min.Y, n, label, small, ifOn(w, pick(w.Has(ui.Focused), accent, faint)))
	}
	value := w.Value
	if w.Has(ui.Secret) {
		value = strings.Repeat("•", len([]rune(value)))
	}
	x, y := box.Min.X+12, (box.Min.Y+box.Max.Y)/2+2
	space := box.Dx() - 40
	for w.Has(ui.Focused) && c.width(value, plain) > space { // the end is what is being typed
		_, value, _ = strings.Cut(value, string([]rune(value)[:1]))
	}
	c.say(x, y, space, value, plain, ifOn(w, ink))
	if w.Has(ui.Focused) {
		x += c.width(value, plain) + 1
		c.fill(image.Rect(x, y-9, x+2, y+9), accent)
	}
	if w.Role == ui.Select {
		arrow := image.Rect(box.Max.X-26, y-4, box.Max.X-12, y+5)
		c.polygon(arrow, ifOn(w, faint), 1, 1, 13, 1, 7, 8)
	}
}

func pick[T any](first bool, a, b T) T {
	if first {
		return a
	}
	return b
}

// choice draws what is on or off.
func (c canvas) choice(w *ui.Widget, r image.Rectangle) {
	y := (r.Min.Y + r.Max.Y) / 2
	on := w.Has(ui.Checked)
	x := r.Min.X + 38
	mark := image.Rect(r.Min.X+10, y-9, r.Min.X+28, y+9)
	switch w.Role {
	case ui.Checkbox:
		if on {
			c.round(mark, 4, ifOn(w, accent))
			c.tick(mark, light)
		} else {
			c.frame(mark, 4, ifOn(w, faint), card, 2)
		}
	case ui.Radio:
		c.frame(mark, 9, ifOn(w, pick(on, accent, faint)), card, 2)
		if on {
			c.round(mark.Inset(5), 4, ifOn(w, accent))
		}
	case ui.Switch:
		x = r.Min.X + 10
		track := image.Rect(r.Max.X-50, y-10, r.Max.X-10, y+10)
		c.round(track, 10, ifOn(w, pick(on, accent, off)))
		knob := track.Min.X + 2
		if on {
			knob = track.Max.X - 18
		}
		c.round(image.Rect(knob, y-8, knob+16, y+8), 8, card)
	case ui.Option:
		c.fill(r, pick(w.Has(ui.Selected), soft, card))
		c.fill(image.Rect(r.Min.X, r.Max.Y-1, r.Max.X, r.Max.Y), line)
		if w.Has(ui.Selected) {
			c.tick(mark, accent)
		}
	}
	c.say(x, y, r.Max.X-x-8-pick(w.Role == ui.Switch, 48, 0), w.Name(), plain, ifOn(w, ink))
}

func (c canvas) tab(w *ui.Widget, r image.Rectangle) {
	chosen := w.Has(ui.Selected)
	c.fill(r, card)
	c.center(r, w.Name(), strong, ifOn(w, pick(chosen, accent, faint)))
	c.fill(image.Rect(r.Min.X, r.Max.Y-pick(chosen, 3, 1), r.Max.X, r.Max.Y), pick(chosen, accent, line))
}

func (c canvas) link(w *ui.Widget, r image.Rectangle) {
	y := (r.Min.Y + r.Max.Y) / 2
	s := c.fit(w.Name(), r.Dx()-16, plain)
	c.say(r.Min.X+8, y, r.Dx(), s, plain, ifOn(w, accent))
	c.fill(image.Rect(r.Min.X+8, y+8, r.Min.X+8+c.width(s, plain), y+9), ifOn(w, accent))
}

func (c canvas) item(w *ui.Widget, r image.Rectangle) {
	c.fill(r, pick(w.Has(ui.Selected), soft, card))
	c.fill(image.Rect(r.Min.X, r.Max.Y-1, r.Max.X, r.Max.Y), line)
	end := r.Max.X - 24
	if w.Value != "" {
		v := c.fit(w.Value, r.Dx()/3, small)
		end -= c.width(v, small)
		c.say(end, r.Min.Y+24, r.Dx(), v, small, faint)
	}
	lines := c.wrap(w.Text, end-r.Min.X-16, pick(w.Has(ui.Checked), strong, plain))
	for i, l := range lines {
		c.say(r.Min.X+10, r.Min.Y+pick(w.Desc == "", 24, 20)+i*20, end-r.Min.X-10, l, plain, ifOn(w, ink))
	}
	if w.Desc != "" {
		c.say(r.Min.X+10, r.Max.Y-18, end-r.Min.X-10, w.Desc, small, faint)
	}
	if w.Has(ui.Clickable) {
		y := (r.Min.Y + r.Max.Y) / 2
		c.polygon(image.Rect(r.Max.X-18, y-7, r.Max.X-8, y+7), off, 1, 1, 3, 1, 9, 7, 3, 13, 1, 13, 6.5, 7)
	}
}

func (c canvas) slider(w *ui.Widget, r image.Rectangle) {
	value := c.fit(w.Value, r.Dx()/3, small)
	n := c.width(value, small)
	c.say(r.Min.X+8, r.Min.Y+14, r.Dx()-n-24, w.Desc, plain, ifOn(w, ink))
	c.say(r.Max.X-8-n, r.Min.Y+14, n, value, small, faint)
	track := image.Rect(r.Min.X+12, r.Max.Y-16, r.Max.X-12, r.Max.Y-12)
	c.round(track, 2, line)
	at := track.Min.X + track.Dx()*percent(w.Value)/100
	c.round(image.Rect(track.Min.X, track.Min.Y, at, track.Max.Y), 2, ifOn(w, accent))
	c.round(image.Rect(at-8, track.Min.Y-6, at+8, track.Max.Y+6), 8, ifOn(w, accent))
}

// percent is the number that a text begins with, from 0 to 100.
func percent(s string) int {
	n := 0
	for n < len(s) && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	v, err := strconv.Atoi(s[:n])
	if err != nil {
		return 0
	}
	return min(v, 100)
}

// picture draws an icon that can be pressed as a coloured square with its first
// letter, any other picture as a frame with hills.
func (c canvas) picture(w *ui.Widget, r image.Rectangle) {
	mid := (r.Min.X + r.Max.X) / 2
	name := w.Name()
	if !w.Has(ui.Clickable) {
		frame := image.Rect(r.Min.X+8, r.Min.Y+4, r.Min.X+64, r.Max.Y-4)
		c.frame(frame, 5, line, card, 1)
		c.round(image.Rect(frame.Max.X-20, frame.Min.Y+8, frame.Max.X-10, frame.Min.Y+18), 5, color.RGBA{0xf5, 0xb9, 0x3c, 0xff})
		c.polygon(frame, color.RGBA{0x6f, 0xa9, 0x7b, 0xff}, 4, 44, 18, 18, 30, 36, 38, 26, 52, 44)
		c.say(frame.Max.X+8, (r.Min.Y+r.Max.Y)/2, r.Max.X-frame.Max.X-16, name, small, faint)
		return
	}
	icon := image.Rect(mid-17, r.Min.Y+3, mid+17, r.Min.Y+37)
	c.round(icon, 9, ifOn(w, hues[((w.Key%len(hues))+len(hues))%len(hues)]))
	letter := strings.ToUpper(string([]rune(name + " ")[:1]))
	c.center(icon, letter, title, light)
	c.center(image.Rect(r.Min.X, r.Min.Y+39, r.Max.X, r.Max.Y), name, small, ink)
}

// hues are the colours of icons.
var hues = [...]color.RGBA{
	{0xd6, 0x4b, 0x4b, 0xff}, {0xd9, 0x7a, 0x2b, 0xff}, {0x3f, 0x9b, 0x5a, 0xff}, {0x2b, 0x8f, 0xa8, 0xff},
	{0x4a, 0x63, 0xd0, 0xff}, {0x86, 0x55, 0xc4, 0xff}, {0xc2, 0x4d, 0x8f, 0xff}, {0x6a, 0x7b, 0x35, 0xff},
}
