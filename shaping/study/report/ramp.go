package report

import (
	"fmt"
	"image/color"
)

// rampStops are the colours of a scale from low to high at equal distances.
// Lightness grows throughout and the hue goes from blue to yellow, so that the
// colour-blind, and a copy in grey, show the same order.
var rampStops = [...]color.RGBA{
	{28, 38, 92, 255}, {48, 84, 140, 255}, {96, 130, 150, 255}, {170, 168, 120, 255}, {228, 208, 98, 255}, {255, 240, 170, 255},
}

// ramp is the colour of a share from 0 to 1; what lies outside is clamped.
func ramp(x float64) color.RGBA {
	const last = len(rampStops) - 1
	if !(x > 0) {
		return rampStops[0]
	}
	if x >= 1 {
		return rampStops[last]
	}
	at := x * float64(last)
	k := int(at)
	a, b, t := rampStops[k], rampStops[k+1], at-float64(k)
	mix := func(a, b uint8) uint8 { return uint8(float64(a) + t*(float64(b)-float64(a)) + 0.5) }
	return color.RGBA{mix(a.R, b.R), mix(a.G, b.G), mix(a.B, b.B), 255}
}

// hex writes a colour for an attribute.
func hex(c color.RGBA) string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }
