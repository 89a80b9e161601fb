package envs

// Frame is what a game shows after a reset or a step. The memory is the
// caller's, and every element is written every time.
type Frame struct {
	Obs        []float32 // (agents, obs…) padded with zeros to the widest agent; nil where the dtype is uint8
	Pixels     []uint8   // (agents, obs…) in place of Obs where the dtype is uint8
	Mask       []uint8   // (agents, choices) 1 where legal; the padding of a narrower agent is 0
	State      []float32 // (state…) of the whole world, for centralised critics and scoring models
	Rewards    []float32 // (agents,) what the learner gets
	Team       []float32 // (agents,) the game's own reward, whatever a wrapper did to Rewards
	Info       []float32 // (agents, info) the columns of Spec.Info
	Terminated []bool    // (agents,) the agent's episode ended in the game's terms; set until Reset
	Truncated  []bool    // (agents,) the agent's episode was cut by a limit; set until Reset
}

// Ended says whether no agent acts any more.
func (f *Frame) Ended() bool {
	for i := range f.Terminated {
		if !f.Terminated[i] && !f.Truncated[i] {
			return false
		}
	}
	return true
}

// Copy writes the content of src, a frame of the same spec, into f.
func (f *Frame) Copy(src *Frame) {
	copy(f.Obs, src.Obs)
	copy(f.Pixels, src.Pixels)
	copy(f.Mask, src.Mask)
	copy(f.State, src.State)
	copy(f.Rewards, src.Rewards)
	copy(f.Team, src.Team)
	copy(f.Info, src.Info)
	copy(f.Terminated, src.Terminated)
	copy(f.Truncated, src.Truncated)
}

// NewFrame returns a frame of the right lengths for one environment.
func NewFrame(s *Spec) *Frame {
	f := newFrames(s, 1)
	return &f
}

func newFrames(s *Spec, n int) Frame {
	agents := n * len(s.Agents)
	f := Frame{
		Mask:       make([]uint8, agents*s.Choices()),
		State:      make([]float32, n*s.State.Size()),
		Rewards:    make([]float32, agents),
		Team:       make([]float32, agents),
		Info:       make([]float32, agents*len(s.Info)),
		Terminated: make([]bool, agents),
		Truncated:  make([]bool, agents),
	}
	if s.ObsDtype() == Uint8 {
		f.Pixels = make([]uint8, agents*s.ObsSize())
	} else {
		f.Obs = make([]float32, agents*s.ObsSize())
	}
	return f
}

// Batch is the frames of n environments of one spec, contiguous: every slice
// of Frame has a leading dimension envs.
type Batch struct {
	Frame
	Final *Frame // (envs, …) last frames before an autoreset in the same step; nil where the mode has none
	n     int
}

// NewBatch returns a batch of n frames, with room for final frames if asked.
func NewBatch(s *Spec, n int, final bool) *Batch {
	b := &Batch{Frame: newFrames(s, n), n: n}
	if final {
		f := newFrames(s, n)
		b.Final = &f
	}
	return b
}

// Len is the number of environments.
func (b *Batch) Len() int { return b.n }

// Row is the frame of environment i. It shares the batch's memory.
func (b *Batch) Row(i int) Frame { return row(&b.Frame, i, b.n) }

// FinalRow is the final frame of environment i. It shares the batch's memory.
func (b *Batch) FinalRow(i int) Frame { return row(b.Final, i, b.n) }

func row(f *Frame, i, n int) Frame {
	return Frame{
		Obs:        part(f.Obs, i, n),
		Pixels:     part(f.Pixels, i, n),
		Mask:       part(f.Mask, i, n),
		State:      part(f.State, i, n),
		Rewards:    part(f.Rewards, i, n),
		Team:       part(f.Team, i, n),
		Info:       part(f.Info, i, n),
		Terminated: part(f.Terminated, i, n),
		Truncated:  part(f.Truncated, i, n),
	}
}

// part is the i-th of n equal parts of s, nil for nil.
func part[T any](s []T, i, n int) []T {
	if s == nil {
		return nil
	}
	size := len(s) / n
	return s[i*size : (i+1)*size : (i+1)*size]
}
