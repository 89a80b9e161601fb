package paint

import (
	"image"
	"image/color"

	"marlpit/envs/ui"
)

// Screen draws what a device shows, and lines of words in the strip below it.
// dst covers the screen and ui.Caption pixels more; every one is written.
func Screen(dst *image.RGBA, d *ui.Device, below []string) {
	p := painters.Get().(*painter)
	defer painters.Put(p)
	b := d.Screen()
	c := canvas{dst, p}
	c.caption(image.Rect(0, b.Height, b.Width, b.Height+ui.Caption), below)
	c = c.within(image.Rect(0, 0, b.Width, b.Height))
	c.fill(c.Bounds(), ground)
	phone := b.Width == ui.DefaultWidth && b.Height == ui.DefaultHeight
	if phone {
		c.statusBar(b.Width, d.Sim().App())
	}
	covered := b.Covered()
	for i := range b.Widgets[:covered] {
		c.widget(&b.Widgets[i], i == 0)
	}
	if covered > 0 {
		c.fill(c.Bounds(), shade)
		c.dialog(b)
	}
	for i := covered; i < len(b.Widgets); i++ {
		c.widget(&b.Widgets[i], i == 0)
	}
	for _, bar := range b.Bars() {
		if covered == 0 {
			c.scrollBar(bar)
		}
	}
	if d.Typing() {
		c.keyboard(b.Width, b.Height)
	}
}

// caption writes lines for who watches: the first, which is strong, over two
// lines where it is long.
func (c canvas) caption(r image.Rectangle, below []string) {
	c.fill(r, ink)
	c = c.within(r)
	y := r.Min.Y + 12
	for i, s := range below {
		st, col, most := small, off, 1
		if i == 0 {
			col, most = light, 2
		}
		for k, l := range c.wrap(s, r.Dx()-16, st) {
			if k < most {
				c.say(r.Min.X+8, y, r.Dx()-16, l, st, col)
				y += 15
			}
		}
	}
}

// statusBar draws the strip above a phone's screen: the app, and signs of
// signal and battery, which say nothing.
func (c canvas) statusBar(width int, app string) {
	c.fill(image.Rect(0, 0, width, ui.StatusBar), dark)
	c.say(12, ui.StatusBar/2, width/2, app, small, light)
	for i := range 4 {
		x := width - 70 + i*6
		c.fill(image.Rect(x, 16-3*i, x+4, 18), light)
	}
	c.frame(image.Rect(width-40, 7, width-16, 18), 3, light, dark, 1)
	c.fill(image.Rect(width-37, 10, width-23, 15), light)
	c.fill(image.Rect(width-16, 10, width-14, 15), light)
}

// dialog draws the card that the widgets of a dialog stand on.
func (c canvas) dialog(b *ui.Builder) {
	top, bottom := b.Height, 0
	for i := b.Covered(); i < len(b.Widgets); i++ {
		if w := b.Widgets[i].Whole(); w.H > 0 {
			top, bottom = min(top, w.Y), max(bottom, w.Y+w.H)
		}
	}
	c.round(image.Rect(4, top-8, b.Width-4, bottom+12), 14, card)
}

func (c canvas) scrollBar(b ui.Bar) {
	length := max(24, b.H*b.H/b.Content)
	y := b.Y + (b.H-length)*b.Offset/max(1, b.Content-b.H)
	c.round(image.Rect(b.W-6, y, b.W-2, y+length), 2, color.RGBA{0x80, 0x88, 0x99, 0xff})
}

var keyRows = [...]string{"qwertyuiop", "asdfghjkl", "zxcvbnm"}

// keyboard draws the keyboard at the foot of the screen.
func (c canvas) keyboard(width, height int) {
	top := height - ui.Keyboard
	c.fill(image.Rect(0, top, width, height), keyColor)
	const rows, gap = 4, 3
	h, w := (ui.Keyboard-16)/rows, (width-8)/10
	for r, keys := range keyRows {
		x := (width - len(keys)*w) / 2
		for i, k := range keys {
			key := image.Rect(x+i*w, top+8+r*h, x+(i+1)*w, top+8+(r+1)*h).Inset(gap)
			c.round(key, 5, card)
			c.center(key, string(k), plain, ink)
		}
	}
	y := top + 8 + 3*h
	space := image.Rect(width/4, y, width*3/4, y+h).Inset(gap)
	c.round(space, 5, card)
	c.center(space, "space", small, faint)
	enter := image.Rect(width*3/4, y, width-4, y+h).Inset(gap)
	c.round(enter, 5, accent)
	c.center(enter, "enter", small, light)
}
