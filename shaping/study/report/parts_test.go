package report

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marlpit/envs"
	"marlpit/shaping/study"
	"marlpit/shaping/votes"
)

// luminance is the relative one of a colour, from 0 to 1.
func luminance(c color.RGBA) float64 {
	return (0.2126*float64(c.R) + 0.7152*float64(c.G) + 0.0722*float64(c.B)) / 255
}

// The order of colours is one of lightness, too: it is read without colours.
func TestRampGrowsLighter(t *testing.T) {
	for i := range 100 {
		a, b := ramp(float64(i)/100), ramp(float64(i+1)/100)
		assert.Greater(t, luminance(b), luminance(a), "from %d %%", i)
	}
	assert.Greater(t, luminance(ramp(1))-luminance(ramp(0)), 0.7)
	assert.Equal(t, ramp(0), ramp(-3))
	assert.Equal(t, ramp(0), ramp(math.NaN()))
	assert.Equal(t, ramp(1), ramp(7))
	assert.Equal(t, "#1c265c", hex(ramp(0)))
}

func TestNumbers(t *testing.T) {
	for in, want := range map[any]string{0: "0", 999: "999", 1000: "1\u202f000", 64000: "64\u202f000", int64(1234567): "1\u202f234\u202f567", -100: "-100", -1000: "-1\u202f000"} {
		assert.Equal(t, want, grouped(in))
	}
	assert.Equal(t, "79.3\u202f%", percent(0.7934))
	assert.Equal(t, "–", percent(math.NaN()))
	assert.Equal(t, "–", chance(0, 0))
	assert.Equal(t, "25.0\u202f%", chance(1, 4))
	assert.Equal(t, []string{"0.0123", "−1.2e−07", "–"}, []string{number(0.012345), number(-1.2e-7), number(math.NaN())})
	assert.Equal(t, []string{"+0.50", "−1.20", "0.00", "0.00", "0.00"}, []string{signed(0.5), signed(-1.2), signed(0), signed(-0.001), signed(0.001)})
	assert.Equal(t, []string{"0.50", "−0.34", "0.00"}, []string{two(0.5), two(-0.341), two(-0.002)})
}

func TestCut(t *testing.T) {
	assert.Equal(t, "short", cut("short", 5))
	assert.Equal(t, "sho…", cut("short", 3))
	assert.Equal(t, "é…", cut("éé", 3), "between letters")
	assert.Equal(t, "a\n\t\uFFFD\uFFFDb", cut("a\n\t\x00\xffb", 9))
	assert.True(t, utf8.ValidString(cut(strings.Repeat("\xff", 100), 7)))
}

func moments(states ...[]float32) (out []moment) {
	for _, s := range states {
		out = append(out, moment{state: s})
	}
	return out
}

// Flags are told from one-hot places, from places that are shares and from what
// never changes.
func TestFlags(t *testing.T) {
	fields := []envs.Field{{Name: "cell", Size: 2}, {Name: "x", Size: 1}, {Name: "door_open", Size: 1}, {Name: "healed", Size: 2}}
	seen := moments(
		[]float32{1, 0, 0, 0, 1, 0},
		[]float32{0, 1, 0.5, 1, 1, 1},
		[]float32{1, 0, 1, 1, 0, 1})
	flags := flagsOf(fields, seen)
	assert.Equal(t, []flag{{"door open", 3}, {"healed 0", 4}, {"healed 1", 5}}, flags)
	assert.Equal(t, 2, changes([]float32{0, 1, 0}, []float32{1, 1, 1}))
	at := func(i int) (out []float32) {
		for _, f := range flags {
			out = append(out, seen[i].state[f.at])
		}
		return out
	}
	assert.Equal(t, "at the start", labelOf(flags, at(0), at(0)))
	assert.Equal(t, "door open, healed 1", labelOf(flags, at(0), at(1)))
	assert.Equal(t, "door open, no longer healed 0, healed 1", labelOf(flags, at(0), at(2)))
}

func TestLongLabels(t *testing.T) {
	var flags []flag
	for i := range 9 {
		flags = append(flags, flag{fmt.Sprint("f", i), i})
	}
	all := []float32{1, 1, 1, 1, 1, 1, 1, 1, 1}
	assert.Equal(t, "f0, f1, f2, f3, 5 more", labelOf(flags, make([]float32, 9), all))
	assert.Equal(t, "f0, f1, f2, f3, f4", labelOf(flags[:5], make([]float32, 5), all[:5]))
}

func TestSpreadKeepsBothEnds(t *testing.T) {
	var all []moment
	for i := range 9 {
		all = append(all, moment{label: fmt.Sprint(i)})
	}
	var got []string
	for _, m := range spread(all, 4) {
		got = append(got, m.label)
	}
	assert.Equal(t, []string{"0", "2", "5", "8"}, got)
	assert.Len(t, spread(all[:3], 4), 3)
}

// A map spans at least one standard deviation, and frames its highest tile.
func TestColoursOfAMap(t *testing.T) {
	h := heatState{Tiles: []heatTile{{Value: -1}, {Value: 3}, {Value: 1}}}
	h.colour()
	assert.Equal(t, []float64{-1, 3, 1}, []float64{h.Low, h.High, h.Middle()})
	assert.Equal(t, []string{hex(ramp(0)), hex(ramp(1)), hex(ramp(0.5))}, []string{h.Tiles[0].Fill, h.Tiles[1].Fill, h.Tiles[2].Fill})
	assert.Equal(t, []bool{false, true, false}, []bool{h.Tiles[0].Best, h.Tiles[1].Best, h.Tiles[2].Best})
	flat := heatState{Tiles: []heatTile{{Value: 2}, {Value: 2}}}
	flat.colour()
	assert.Equal(t, []float64{1.5, 2.5}, []float64{flat.Low, flat.High})
	assert.Equal(t, hex(ramp(0.5)), flat.Tiles[1].Fill)
}

// What looks like most tiles is left clear; the rest is drawn in half size.
func TestFurniture(t *testing.T) {
	img := image.NewRGBA(image.Rect(0, 0, 12, 4))
	red := color.RGBA{255, 0, 0, 255}
	for y := range 4 {
		for x := 8; x < 12; x++ {
			img.SetRGBA(x, y, red)
		}
	}
	h := heatState{Tiles: []heatTile{{X: 0, W: 4, H: 4}, {X: 4, W: 4, H: 4}, {X: 8, W: 4, H: 4}}}
	out := h.furniture(img, []image.Rectangle{h.Tiles[0].bounds(), h.Tiles[1].bounds(), h.Tiles[2].bounds()})
	var coloured []image.Point
	for y := range 4 {
		for x := range 12 {
			if out.RGBAAt(x, y) == red {
				coloured = append(coloured, image.Pt(x, y))
			} else {
				require.Zero(t, out.RGBAAt(x, y).A)
			}
		}
	}
	assert.Equal(t, []image.Point{{9, 1}, {10, 1}, {9, 2}, {10, 2}}, coloured)
}

func TestAlbumHasAnEnd(t *testing.T) {
	img := image.NewRGBA(image.Rect(0, 0, 8, 8))
	a := album{left: 300}
	assert.NotEmpty(t, a.add(img))
	assert.Empty(t, a.add(nil))
	assert.Empty(t, a.add(image.NewRGBA(image.Rectangle{})), "an empty picture")
	assert.Empty(t, a.add(noise(64)), "no room")
	assert.Equal(t, 1, a.refused)
	assert.IsType(t, &image.RGBA{}, paletted(noise(64)), "more colours than a palette has")
	assert.IsType(t, &image.Paletted{}, paletted(img))
}

func noise(n int) *image.RGBA {
	img := image.NewRGBA(image.Rect(0, 0, n, n))
	for i := range img.Pix {
		img.Pix[i] = uint8(uint32(i) * 2654435761 >> 24)
		if i%4 == 3 {
			img.Pix[i] = 255
		}
	}
	return img
}

// The surest votes for the wrong side come first, preferences where there is
// nothing to prefer last; what is right, even or unknown is no fault.
func TestWrongVotes(t *testing.T) {
	nan := math.NaN()
	counts := []votes.Counted{
		{Transition: 1, Confidence: 0.8, Truth: 1}, {Transition: 2, Confidence: 0.6, Truth: -1}, {Transition: 3, Confidence: 0, Truth: 2},
		{Transition: 4, Confidence: 0.5, Truth: 1}, {Transition: 5, Confidence: nan, Truth: 1}, {Transition: 6, Confidence: 1, Truth: nan},
		{Transition: 7, Confidence: 1, Truth: 0}, {Transition: 8, Confidence: 0.5, Truth: 0},
	}
	worse := map[int64]float64{}
	for _, f := range wrongVotes(counts) {
		worse[f.Transition] = f.worse
	}
	require.Len(t, worse, 3)
	assert.InDelta(t, 1.1, worse[2], 1e-9)
	assert.InDelta(t, 1.5, worse[3], 1e-9)
	assert.InDelta(t, 0.5, worse[7], 1e-9)
}

func TestFamilies(t *testing.T) {
	score := func(c []votes.Counted) study.Score { return study.ScoreVotes(c, []string{"a"})[0] }
	counts := []votes.Counted{
		{Family: "walk", Truth: 1, Second: 1, Confidence: 1}, {Family: "walk", Truth: 1, First: 1, Confidence: 0},
		{Family: "press", Truth: 1, Second: 1, Confidence: 1}, {Truth: 1, Second: 1, Confidence: 1}, {Family: "rest", Truth: math.NaN(), Second: 1},
	}
	got := families(counts, score)
	require.Len(t, got, 3)
	assert.Equal(t, []string{"walk", "(none)", "press"}, []string{got[0].Agent, got[1].Agent, got[2].Agent})
	assert.Equal(t, []int{1, 1}, []int{got[0].Right, got[0].Wrong})
	assert.Nil(t, families(counts[3:4], score))
}

func TestDay(t *testing.T) {
	assert.Equal(t, "2026-11-30", day("2026-11-30T08:00:00.123Z"))
	assert.Empty(t, day("<script>"))
	assert.Empty(t, day(""))
}
