package envtest

import (
	"errors"
	"image"
	"math"
	"slices"
	"strings"
	"testing"

	"marlpit/envs"
	"marlpit/envs/envtest/worlds"
)

// breakage is a world with a bug put into it, from outside.
type breakage struct {
	envs.Env
	reset func(b *breakage, out *envs.Frame)                  // after Reset
	act   func(b *breakage, a envs.Actions)                   // before Step
	step  func(b *breakage, a envs.Actions, out *envs.Frame)  // after Step
	spec  func(*envs.Spec)                                    // changes a copy
	work  func(work, time float64) (float64, float64)         // Solver
	words func(text []byte, agent int, view envs.View) []byte // Describer
	load  func(snapshot []byte) []byte                        // Restore, before it
	after func(err error) error                               // Restore, after it
	lax   bool                                                // takes actions of a wrong length
	own   *envs.Spec
	n     int
}

func (b *breakage) Spec() *envs.Spec {
	if b.spec == nil {
		return b.Env.Spec()
	}
	if b.own == nil {
		s := *b.Env.Spec()
		b.spec(&s)
		b.own = &s
	}
	return b.own
}

func (b *breakage) Reset(seed uint64, out *envs.Frame) {
	b.n = 0
	b.Env.Reset(seed, out)
	if b.reset != nil {
		b.reset(b, out)
	}
}

func (b *breakage) Step(a envs.Actions, out *envs.Frame) {
	if b.act != nil {
		b.act(b, a)
	}
	if b.lax {
		a.Choice = append(slices.Clone(a.Choice), make([]int32, 9)...)[:len(b.Spec().Agents)]
	}
	b.Env.Step(a, out)
	if b.n++; b.step != nil {
		b.step(b, a, out)
	}
}

func (b *breakage) AppendSnapshot(dst []byte) []byte {
	return b.Env.(envs.Snapshotter).AppendSnapshot(dst)
}

func (b *breakage) Restore(snapshot []byte, out *envs.Frame) error {
	if b.load != nil {
		snapshot = b.load(snapshot)
	}
	err := b.Env.(envs.Snapshotter).Restore(snapshot, out)
	if b.after != nil {
		err = b.after(err)
	}
	return err
}

// solving, describing and drawing are breakages with those abilities.
type solving struct{ *breakage }

func (s solving) Prepare() error                 { return s.Env.(envs.Solver).Prepare() }
func (s solving) AppendBest(dst []int32) []int32 { return s.Env.(envs.Solver).AppendBest(dst) }

func (s solving) Remaining() (work, time float64) {
	work, time = s.Env.(envs.Solver).Remaining()
	return s.work(work, time)
}

type describing struct{ *breakage }

func (d describing) AppendWords(dst, before []byte, agent int, view envs.View) []byte {
	from := len(dst)
	dst = d.Env.(envs.Describer).AppendWords(dst, before, agent, view)
	return append(dst[:from], d.words(dst[from:], agent, view)...)
}

type drawing struct {
	*breakage
	draw func(b *breakage, d envs.Drawer, dst *image.RGBA)
}

func (d drawing) AppendText(dst []byte) []byte { return d.Env.(envs.Drawer).AppendText(dst) }
func (d drawing) Bounds() image.Rectangle      { return d.Env.(envs.Drawer).Bounds() }
func (d drawing) Draw(dst *image.RGBA)         { d.draw(d.breakage, d.Env.(envs.Drawer), dst) }

// broken is the entry of a test world with a bug in each of its environments.
func broken(t *testing.T, id string, bug func(envs.Env) envs.Env) envs.Entry {
	t.Helper()
	base, err := envs.NewRegistry(worlds.Entries()...).Find(id)
	if err != nil {
		t.Fatal(err)
	}
	return envs.Define(id, "Broken.", "Broken.", struct{}{}, func(struct{}) (envs.Env, error) {
		e, err := base.New(nil)
		if err != nil {
			return nil, err
		}
		return bug(e), nil
	})
}

func with(b breakage) func(envs.Env) envs.Env {
	return func(e envs.Env) envs.Env {
		c := b
		c.Env = e
		return &c
	}
}

var shared int // what instances of a broken world should not have in common

func TestBrokenWorldsAreCaught(t *testing.T) {
	uneven, count := "test-uneven-v0", "test-count-v0"
	for name, c := range map[string]struct {
		id    string
		bug   func(envs.Env) envs.Env
		check string // that has to fail
		says  string
	}{
		"forgets a mask element": {uneven, with(breakage{step: func(_ *breakage, _ envs.Actions, out *envs.Frame) { out.Mask[4] = 0x77 }}), "frame", "mask"},
		"leaves an observation unwritten": {uneven, with(breakage{step: func(_ *breakage, _ envs.Actions, out *envs.Frame) {
			out.Obs[2] = float32(math.NaN())
		}}), "frame", "obs"},
		"observes out of bounds": {uneven, with(breakage{reset: func(_ *breakage, out *envs.Frame) { out.Obs[0] = 99 }}), "frame", "element 0 of mover_0 is 99"},
		"fills the padding":      {uneven, with(breakage{reset: func(_ *breakage, out *envs.Frame) { out.Obs[9] = 1 }}), "frame", "padding of talker_0"},
		"masks everything": {uneven, with(breakage{step: func(_ *breakage, _ envs.Actions, out *envs.Frame) {
			clear(out.Mask)
		}}), "frame", "no legal choice"},
		"pays in a reset": {uneven, with(breakage{reset: func(_ *breakage, out *envs.Frame) { out.Team[0], out.Rewards[0] = 1, 1 }}), "frame", "in a reset"},
		"pays beyond its range": {uneven, with(breakage{step: func(_ *breakage, _ envs.Actions, out *envs.Frame) {
			out.Team[0], out.Rewards[0] = 2, 2
		}}), "frame", "want 0 to 1"},
		"pays one of a team": {count, with(breakage{step: func(b *breakage, _ envs.Actions, out *envs.Frame) {
			if b.n == 5 {
				out.Team[1], out.Rewards[1] = 0, 0
			}
		}}), "frame", "shared"},
		"takes a time-out for success": {"test-pixels-v0", func(e envs.Env) envs.Env {
			return with(breakage{step: func(_ *breakage, _ envs.Actions, out *envs.Frame) {
				if out.Truncated[0] {
					fill(out.Info, 1)
				}
			}})(e)
		}, "frame", "counts as success"},
		"lets an illegal choice count": {uneven, with(breakage{act: func(_ *breakage, a envs.Actions) {
			if a.Choice[3] < 0 {
				a.Choice[3] = 2
			}
		}}), "noop", "had one"},
		"revives the dead": {"test-stages-v0", with(breakage{step: func(b *breakage, _ envs.Actions, out *envs.Frame) {
			if b.n == 3 {
				out.Terminated[0] = false
			}
		}}), "ends", "agent_0 had ended"},
		"terminates at the limit": {uneven, func(e envs.Env) envs.Env {
			return with(breakage{spec: func(s *envs.Spec) { s.MaxCycles = 30 }, step: func(b *breakage, _ envs.Actions, out *envs.Frame) {
				if b.n == 20 {
					fill(out.Truncated, true)
				}
			}})(e)
		}, "limit", "truncated at step 20"},
		"goes on after the end": {count, with(breakage{step: func(b *breakage, _ envs.Actions, out *envs.Frame) { out.State[0] = float32(b.n % 5) }}), "ends", "over and changed"},
		"remembers the last episode": {count, with(breakage{reset: func(b *breakage, out *envs.Frame) {
			if out.State[0] = 0; b.own != nil {
				out.State[0] = 1
			}
			b.own = b.Env.Spec()
		}}), "determinism", "state[0]"},
		"shares between instances": {count, with(breakage{
			reset: func(*breakage, *envs.Frame) { shared = 0 },
			step: func(_ *breakage, _ envs.Actions, out *envs.Frame) {
				shared++
				out.State[0] = float32(min(shared, 5))
			}}), "independence", "state[0]"},
		"takes actions of any length": {count, with(breakage{lax: true}), "lengths", "no panic"},
		"loses state in a snapshot": {uneven, with(breakage{load: func(b []byte) []byte {
			b = slices.Clone(b)
			if len(b) > 18 {
				b[18] = 0 // the step
			}
			return b
		}}), "snapshot", "snapshots are not"},
		"refuses without ErrSnapshot": {uneven, with(breakage{after: func(err error) error {
			if err != nil {
				return errors.New("no")
			}
			return nil
		}}), "restore", "doesn't wrap ErrSnapshot"},
		"panics at a short snapshot": {uneven, with(breakage{load: func(b []byte) []byte { _ = b[20]; return b }}), "restore", "panic"},
		"allocates": {uneven, with(breakage{step: func(b *breakage, _ envs.Actions, out *envs.Frame) {
			b.own = &envs.Spec{Rewards: [2]float32{out.Team[0]}}
		}}), "allocations", "a step allocates"},
		"promises too little work": {uneven, func(e envs.Env) envs.Env {
			return solving{&breakage{Env: e, work: func(w, t float64) (float64, float64) { return w / 2, t }}}
		}, "solver", "work"},
		"promises too little time": {uneven, func(e envs.Env) envs.Env {
			return solving{&breakage{Env: e, work: func(w, t float64) (float64, float64) { return w, t * 3 }}}
		}, "solver", "time"},
		"has wrong layout tables": {uneven, with(breakage{spec: func(s *envs.Spec) {
			s.StateField = s.StateField[1:]
		}}), "spec", "sum to 6"},
		"names an agent badly": {count, with(breakage{spec: func(s *envs.Spec) { s.Agents = []string{"agent_0", "Bob"} }}), "spec", "Bob"},
		"lacks success":        {count, with(breakage{spec: func(s *envs.Spec) { s.Info = []string{"done"} }}), "spec", "no column success"},
		"describes the same in both views": {count, func(e envs.Env) envs.Env {
			return describing{&breakage{Env: e, words: func([]byte, int, envs.View) []byte { return []byte("agent_0 agent_1") }}}
		}, "words", "the same in the guided"},
		"describes with nothing": {count, func(e envs.Env) envs.Env {
			return describing{&breakage{Env: e, words: func([]byte, int, envs.View) []byte { return nil }}}
		}, "words", "empty"},
		"forgets a pixel": {"test-pixels-v0", func(e envs.Env) envs.Env {
			return drawing{&breakage{Env: e}, func(_ *breakage, d envs.Drawer, dst *image.RGBA) {
				keep := dst.Pix[0]
				d.Draw(dst)
				dst.Pix[0] = keep
			}}
		}, "drawing", "pixel isn't written"},
		"moves when drawn": {"test-pixels-v0", func(e envs.Env) envs.Env {
			return drawing{&breakage{Env: e}, func(b *breakage, d envs.Drawer, dst *image.RGBA) {
				d.Draw(dst)
				b.Env.Reset(1, envs.NewFrame(b.Spec()))
			}}
		}, "drawing", "two drawings"},
	} {
		t.Run(name, func(t *testing.T) {
			failed, said := verdict(t, newSubject(t, broken(t, c.id, c.bug), nil, nil))
			if !slices.Contains(failed, c.check) || !strings.Contains(said, c.says) {
				t.Errorf("failed checks %v, want %s to say %q; they said:\n%s", failed, c.check, c.says, said)
			}
		})
	}
}

// Without a bug the same frame of entry and breakage passes, but for the
// parameters it takes away: so the bugs are what is caught above.
func TestUnbrokenWorldsPass(t *testing.T) {
	for _, id := range []string{"test-uneven-v0"} {
		failed, said := verdict(t, newSubject(t, broken(t, id, with(breakage{})), nil, nil))
		if !slices.Equal(failed, []string{"entry"}) {
			t.Errorf("%s: failed %v:\n%s", id, failed, said)
		}
	}
}
