package worlds

import (
	"fmt"
	"math"

	"marlpit/envs"
)

func unevenSpec(p unevenParams) *envs.Spec {
	last := float32(p.Cells - 1)
	mover := []envs.Field{
		{Name: "cell", Size: 1, Low: 0, High: last, Help: "own cell"},
		{Name: "word", Size: 1, Low: 0, High: 3, Help: "last word: 0 none, 1 left, 2 right, 3 here"},
		{Name: "tone", Size: 1, Low: 0, High: 1, Help: "1 once the talker was loud"},
		{Name: "gesture", Size: 1, Low: 0, High: 2, Help: "last gesture"},
		{Name: "spoken", Size: 1, Low: 0, High: 1, Help: "1 once a word was said"},
	}
	talker := []envs.Field{
		{Name: "mover", Size: 1, Low: 0, High: last, Help: "cell of the mover"},
		{Name: "light", Size: 1, Low: 0, High: last, Help: "lit cell"},
	}
	state := append(append([]envs.Field(nil), mover...), talker[1], envs.Field{Name: "won", Size: 1, Low: 0, High: 1, Help: "1 once the lit cell was pressed"})
	return &envs.Spec{
		ID: "test-uneven-v0", Params: envs.ParamValues(p), Team: true, MaxCycles: p.MaxCycles,
		Agents: []string{"mover_0", "talker_0"}, Roles: []string{"mover", "talker"},
		Obs:       []envs.Space{envs.NewBox(mover), envs.NewBox(talker)},
		ObsFields: [][]envs.Field{mover, talker},
		Action: []envs.Space{
			{Kind: envs.MultiDiscrete, N: []int{3, 2}},
			{Kind: envs.MultiDiscrete, N: []int{4, 2, 3}},
		},
		ActionName: [][]string{
			{"stay", "left", "right", "rest", "press"},
			{"silence", "say left", "say right", "say here", "calm", "loud", "still", "wave", "dance"},
		},
		Noop:  []int32{0, 0, 0, 0, 0, 0},
		State: envs.NewBox(state), StateField: state,
		Info: []string{"success"}, Rewards: [2]float32{0, 1}, ObsVersion: 1,
	}
}

func (u *uneven) write(out *envs.Frame, reward float32) {
	s, late := &u.s, u.late()
	spoken := float32(one(s.spoken))
	mover := [5]float32{float32(s.mover), float32(s.word), float32(s.tone), float32(s.sign), spoken}
	copy(out.Obs, mover[:])
	copy(out.Obs[5:], []float32{float32(s.mover), float32(s.light), 0, 0, 0})
	copy(out.State, mover[:])
	out.State[5], out.State[6] = float32(s.light), float32(one(s.won))
	u.writeMask(out.Mask, !s.won && !late)
	for i := range 2 {
		out.Rewards[i], out.Team[i] = reward, reward
		out.Info[i] = float32(one(s.won))
		out.Terminated[i], out.Truncated[i] = s.won, late && !s.won
	}
}

func (u *uneven) writeMask(mask []uint8, live bool) {
	s := &u.s
	mover := [choices]uint8{1, one(live && s.mover > 0), one(live && s.mover < u.p.Cells-1), 1, one(live && s.spoken)}
	talker := [choices]uint8{1, one(live), one(live), one(live), 1, one(live), 1, one(live), one(live && s.spoken)}
	copy(mask, mover[:])
	copy(mask[choices:], talker[:])
}

// AppendSnapshot implements envs.Snapshotter.
func (u *uneven) AppendSnapshot(dst []byte) []byte {
	s := &u.s
	return appendInts(dst, 'u', u.p.Cells, u.p.MaxCycles, s.step, s.mover, s.light, s.word, s.tone, s.sign, int(one(s.spoken)), int(one(s.won)))
}

// Restore implements envs.Snapshotter.
func (u *uneven) Restore(snapshot []byte, out *envs.Frame) error {
	s, err := u.read(snapshot)
	if err != nil {
		return err
	}
	u.s, u.dense = s, [2]float32{}
	u.write(out, 0)
	return nil
}

// read returns the state in a snapshot, or an error wrapping envs.ErrSnapshot.
func (u *uneven) read(snapshot []byte) (lane, error) {
	var v [10]int
	if err := readInts(snapshot, 'u', v[:]); err != nil {
		return lane{}, err
	}
	if v[0] != u.p.Cells || v[1] != u.p.MaxCycles {
		return lane{}, fmt.Errorf("%w: of a world with other parameters", envs.ErrSnapshot)
	}
	limit := u.p.MaxCycles
	if limit == 0 {
		limit = math.MaxInt32
	}
	last := u.p.Cells - 1
	for i, high := range [...]int{limit, last, last, 3, 1, 2, 1, 1} {
		if v[2+i] < 0 || v[2+i] > high {
			return lane{}, fmt.Errorf("%w: element %d is %d, want 0 to %d", envs.ErrSnapshot, 2+i, v[2+i], high)
		}
	}
	s := lane{step: v[2], mover: v[3], light: v[4], word: v[5], tone: v[6], sign: v[7], spoken: v[8] == 1, won: v[9] == 1}
	if s.spoken != (s.word > 0) || s.won && (!s.spoken || s.mover != s.light) || s.sign == 2 && !s.spoken {
		return lane{}, fmt.Errorf("%w: a state that can't be reached", envs.ErrSnapshot)
	}
	return s, nil
}
