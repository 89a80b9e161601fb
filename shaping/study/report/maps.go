package report

import (
	"fmt"
	"html/template"
	"image"

	"marlpit/envs"
	"marlpit/shaping/prefer"
)

// maxTiles bounds the coloured tiles of a page.
const maxTiles = 8000

// heat is the learned potential of one agent, over the places it may be in.
type heat struct {
	Agent  string
	States []heatState
	Note   string // why there is no map
}

// heatState is the map in one state.
type heatState struct {
	Label     string
	W, H      int             // of the picture
	View      image.Rectangle // the part of it that has places
	Low, High float64         // ends of the colours, in standard deviations of Δσ
	Under     template.URL    // the state, pale
	Over      template.URL    // what stands on the tiles, small
	Tiles     []heatTile
}

// heatTile is one place.
type heatTile struct {
	X, Y, W, H int
	Value      float64
	Fill       string
	Best       bool // the highest of its map
}

// Box is the part that is shown, as SVG has it.
func (h heatState) Box() string {
	return fmt.Sprintf("%d %d %d %d", h.View.Min.X, h.View.Min.Y, h.View.Dx(), h.View.Dy())
}

// Middle is the value halfway.
func (h heatState) Middle() float64 { return (h.Low + h.High) / 2 }

// maps draws σ of every agent in typical states. It returns none, and why,
// where the world can't show them.
func (s *scene) maps(m *prefer.Model, pictures *album) (out []heat, how, why string) {
	switch {
	case s.place == nil:
		return nil, "", "the world doesn't say which places there are"
	case s.snap == nil:
		return nil, "", "the world has no snapshots"
	case s.draw == nil:
		return nil, "", "the world draws no pictures"
	}
	states, how := s.typical()
	left := maxTiles
	for agent, name := range s.spec.Agents {
		h := heat{Agent: name}
		places := s.place.Places(agent)
		left -= len(places) * len(states)
		switch {
		case left < 0:
			h.Note = "left out: the page has its fill of maps"
		case len(places) == 0:
			h.Note = "it has no place in the world"
		case m.SD(agent) == 0:
			h.Note = "σ is flat: the votes said nothing"
		default:
			s.heat(&h, m, agent, states, pictures)
		}
		out = append(out, h)
	}
	return out, how, ""
}

func (s *scene) heat(h *heat, m *prefer.Model, agent int, states []moment, pictures *album) {
	for _, state := range states {
		if s.snap.Restore(state.snapshot, s.frame) != nil {
			continue // its own snapshot: a world that doesn't work
		}
		img := s.picture()
		hs := heatState{Label: state.label, W: img.Rect.Dx(), H: img.Rect.Dy(), View: s.view(agent)}
		var places []image.Rectangle
		for place := range s.place.Places(agent) {
			r := s.place.PlaceBounds(agent, place)
			places = append(places, r)
			if !s.put(state.snapshot, agent, place) {
				continue
			}
			v, ok := s.value(m, agent)
			if !ok {
				h.Note = "the model reads features this world doesn't have"
				return
			}
			hs.Tiles = append(hs.Tiles, heatTile{X: r.Min.X, Y: r.Min.Y, W: r.Dx(), H: r.Dy(), Value: v / m.SD(agent)})
		}
		if len(hs.Tiles) == 0 {
			continue
		}
		hs.colour()
		hs.Under, hs.Over = pictures.add(dimmed(img)), pictures.add(hs.furniture(img, places))
		h.States = append(h.States, hs)
	}
}

// view is the part of the picture that holds the places of some agents, with a
// margin; all of it where the world doesn't say which there are.
func (s *scene) view(agents ...int) (r image.Rectangle) {
	picture := s.draw.Bounds()
	if s.place == nil {
		return picture
	}
	margin := 0
	for _, agent := range agents {
		for place := range s.place.Places(agent) {
			tile := s.place.PlaceBounds(agent, place)
			r, margin = r.Union(tile), max(margin, tile.Dx()/2)
		}
	}
	if r.Empty() {
		return picture
	}
	return r.Inset(-margin).Intersect(picture)
}

// put places the agent in a state. It says no where the game can't come to
// that, as when the place is behind a closed door: such a state's snapshot is
// refused. Where standing there does something at once, as on a switch, a step
// without moves has it done.
func (s *scene) put(snapshot []byte, agent, place int) bool {
	if s.snap.Restore(snapshot, s.frame) != nil {
		return false
	}
	s.place.Place(agent, place, s.frame)
	if s.reachable() {
		return true
	}
	if s.spec.Continuous() {
		return false
	}
	s.env.Step(envs.Actions{Choice: s.spec.Noop}, s.frame)
	return s.reachable()
}

// reachable says whether the present state is one that the world would restore.
func (s *scene) reachable() bool {
	s.scratch = s.snap.AppendSnapshot(s.scratch[:0])
	return s.snap.Restore(s.scratch, s.frame) == nil
}

// leastSpan is what the colours of a map span at least, in standard deviations
// of Δσ: about one rewarded step, so that noise doesn't look like a hill.
const leastSpan = 1

// colour fills the tiles in and marks the highest.
func (h *heatState) colour() {
	h.Low, h.High = h.Tiles[0].Value, h.Tiles[0].Value
	best := 0
	for i, t := range h.Tiles {
		h.Low, h.High = min(h.Low, t.Value), max(h.High, t.Value)
		if t.Value > h.Tiles[best].Value {
			best = i
		}
	}
	h.Tiles[best].Best = true
	if lack := leastSpan - (h.High - h.Low); lack > 0 {
		h.Low, h.High = h.Low-lack/2, h.High+lack/2
	}
	for i := range h.Tiles {
		h.Tiles[i].Fill = hex(ramp((h.Tiles[i].Value - h.Low) / (h.High - h.Low)))
	}
}

// furniture is a clear picture with, in half size, the coloured tiles that don't
// look as most places do: what stands there is seen on top of the colours.
func (h heatState) furniture(img *image.RGBA, places []image.Rectangle) *image.RGBA {
	looks := map[string]int{}
	for _, r := range places {
		looks[look(img, r)]++
	}
	common := ""
	for l, n := range looks {
		if n > looks[common] || n == looks[common] && l < common {
			common = l
		}
	}
	out := image.NewRGBA(img.Rect)
	for _, t := range h.Tiles {
		if r := t.bounds(); look(img, r) != common {
			copyHalf(out, img, r)
		}
	}
	return out
}

// look is a tile's pixels.
func look(img *image.RGBA, r image.Rectangle) string {
	var out []byte
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			c := img.RGBAAt(x, y)
			out = append(out, c.R, c.G, c.B)
		}
	}
	return string(out)
}

func (t heatTile) bounds() image.Rectangle { return image.Rect(t.X, t.Y, t.X+t.W, t.Y+t.H) }

// Tip is what the tile says when it is pointed at.
func (t heatTile) Tip() string { return "σ/sd = " + signed(t.Value) }
