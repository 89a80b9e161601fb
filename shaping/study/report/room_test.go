package report_test

import (
	"encoding/binary"
	"fmt"
	"image"
	"image/color"
	"image/draw"

	"marlpit/envs"
)

// room is a world small enough to know by heart: two walkers in a room of 4×2
// tiles. Walker 0 lights the lamp for good at the right end of the upper row;
// only then walker 1 may go to the right end of the lower row, and the team is
// done. Everybody keeps to a row, so a place is a column.
type room struct {
	spec *envs.Spec
	at   [2]int
	lamp bool
	step int
}

type roomParams struct {
	MaxCycles int `param:"max_cycles" min:"0" max:"1000" help:"limit"`
}

const roomWidth, roomTile = 4, 8

var roomEntry = envs.Define("test-room-v1", "A lamp and a door.", "", roomParams{MaxCycles: 50}, func(p roomParams) (envs.Env, error) {
	fields := []envs.Field{{Name: "walker_0_cell", Size: roomWidth, High: 1}, {Name: "walker_1_cell", Size: roomWidth, High: 1}, {Name: "lamp_lit", Size: 1, High: 1}}
	s := &envs.Spec{ID: "test-room-v1", Params: envs.ParamValues(p), Agents: []string{"walker_0", "walker_1"}, Roles: []string{"walker", "walker"},
		Team: true, MaxCycles: p.MaxCycles, State: envs.NewBox(fields), StateField: fields, Info: []string{"success"},
		Noop: []int32{0, 0}, Rewards: [2]float32{0, 1}, ObsVersion: 1}
	for range 2 {
		s.Obs = append(s.Obs, envs.NewBox(fields))
		s.Action = append(s.Action, envs.NewDiscrete(3))
		s.ActionName = append(s.ActionName, []string{"stay", "east", "west"})
	}
	return &room{spec: s}, nil
})

func (r *room) Spec() *envs.Spec { return r.spec }

func (r *room) Reset(_ uint64, out *envs.Frame) {
	r.at, r.lamp, r.step = [2]int{}, false, 0
	r.write(out)
}

func (r *room) done() bool { return r.lamp && r.at[1] == roomWidth-1 }

func (r *room) Step(a envs.Actions, out *envs.Frame) {
	r.spec.CheckActions(a)
	if !r.done() {
		r.step++
		last := [2]int{roomWidth - 1, roomWidth - 1}
		if !r.lamp {
			last[1]--
		}
		for i, c := range a.Choice {
			if next := r.at[i] + []int{0, 1, -1}[c]; next >= 0 && next <= last[i] {
				r.at[i] = next
			}
		}
		r.lamp = r.lamp || r.at[0] == roomWidth-1
	}
	r.write(out)
}

func (r *room) write(out *envs.Frame) {
	clear(out.State)
	out.State[r.at[0]], out.State[roomWidth+r.at[1]] = 1, 1
	out.State[2*roomWidth] = flag(r.lamp)
	late := r.spec.MaxCycles > 0 && r.step >= r.spec.MaxCycles
	for i := range 2 {
		copy(out.Obs[i*len(out.State):], out.State)
		copy(out.Mask[3*i:], []uint8{1, 1, 1})
		out.Terminated[i], out.Truncated[i] = r.done(), !r.done() && late
		out.Rewards[i], out.Team[i], out.Info[i] = 0, 0, flag(r.done())
	}
}

func flag(b bool) float32 {
	if b {
		return 1
	}
	return 0
}

func (r *room) AppendSnapshot(dst []byte) []byte {
	dst = append(dst, byte(r.at[0]), byte(r.at[1]), byte(flag(r.lamp)))
	return binary.LittleEndian.AppendUint32(dst, uint32(r.step))
}

func (r *room) Restore(b []byte, out *envs.Frame) error {
	if len(b) != 7 || b[0] >= roomWidth || b[1] >= roomWidth || b[2] > 1 {
		return envs.ErrSnapshot
	}
	if b[2] == 0 && (b[0] == roomWidth-1 || b[1] == roomWidth-1) {
		return envs.ErrSnapshot // the lamp would burn; the end would be closed
	}
	r.at, r.lamp, r.step = [2]int{int(b[0]), int(b[1])}, b[2] == 1, int(binary.LittleEndian.Uint32(b[3:]))
	r.write(out)
	return nil
}

func (r *room) Prepare() error { return nil }

func (r *room) Remaining() (work, time float64) {
	a, b := 0, roomWidth-1-r.at[1]
	if !r.lamp {
		a = roomWidth - 1 - r.at[0]
	}
	return float64(a + b), float64(max(a, b))
}

// AppendBest walks one after the other, so that the lamp burns on the way.
func (r *room) AppendBest(dst []int32) []int32 {
	if !r.lamp {
		return append(dst, 1, 0)
	}
	return append(dst, 0, 1)
}

func (r *room) AppendWords(dst, before []byte, agent int, view envs.View) []byte {
	return fmt.Appendf(dst, "%s words of walker_%d & its goal: column %d, then %d", view, agent, before[agent], r.at[agent])
}

func (r *room) Families() []string { return []string{"rest", "walk"} }

func (r *room) Family(before []byte, agent int) string {
	if int(before[agent]) == r.at[agent] {
		return "rest"
	}
	return "walk"
}

func (r *room) FocusFields(int) []envs.Field {
	return []envs.Field{{Name: "own_cell", Size: roomWidth, High: 1}}
}

func (r *room) AppendFocus(dst []float32, agent int) []float32 {
	own := [roomWidth]float32{}
	own[r.at[agent]] = 1
	return append(dst, own[:]...)
}

func (r *room) AppendText(dst []byte) []byte { return fmt.Appendf(dst, "%v\n", r.at) }

func (r *room) Bounds() image.Rectangle { return image.Rect(0, 0, roomWidth*roomTile, 2*roomTile) }

func (r *room) Draw(dst *image.RGBA) {
	draw.Draw(dst, dst.Rect, image.NewUniform(color.RGBA{200, 200, 200, 255}), image.Point{}, draw.Src)
	for i, x := range r.at {
		draw.Draw(dst, image.Rect(x*roomTile+2, i*roomTile+2, x*roomTile+6, i*roomTile+6), image.NewUniform(color.RGBA{200, 40, uint8(100 * i), 255}), image.Point{}, draw.Src)
	}
}

func (r *room) Places(agent int) []image.Point {
	out := make([]image.Point, roomWidth)
	for x := range out {
		out[x] = image.Pt(x, agent)
	}
	return out
}

func (r *room) Place(agent, place int, out *envs.Frame) {
	r.at[agent] = place
	r.write(out)
}

func (r *room) PlaceBounds(agent, place int) image.Rectangle {
	return image.Rect(0, 0, roomTile, roomTile).Add(image.Pt(place*roomTile, agent*roomTile))
}
