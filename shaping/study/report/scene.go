package report

import (
	"fmt"
	"image"
	"slices"

	"marlpit/envs"
	"marlpit/shaping"
	"marlpit/shaping/prefer"
	"marlpit/shaping/votes"
)

// scene is the world a file is about, built anew to show its states. Abilities
// the world lacks are nil.
type scene struct {
	env     envs.Env
	scratch []byte
	spec    *envs.Spec
	frame   *envs.Frame
	snap    envs.Snapshotter
	draw    envs.Drawer
	place   envs.Placer
	focus   envs.Focuser
}

// openScene builds the world of a file, with the parameters its snapshots were
// taken under (the limit of steps may be off). Where this program has none like it,
// why says so: files may come from worlds of other people.
func openScene(registry envs.Registry, w votes.World, played map[string]any) (s *scene, why string) {
	entry, err := registry.Find(w.Env)
	if err != nil {
		return nil, fmt.Sprintf("this program has no world %q", w.Env)
	}
	e, err := entry.New(played)
	if err != nil {
		return nil, "this program can't build it: " + err.Error()
	}
	s = &scene{env: e, spec: e.Spec(), frame: envs.NewFrame(e.Spec())}
	switch {
	case s.spec.ObsVersion != w.ObsVersion:
		return nil, fmt.Sprintf("its layout has version %d here, %d in the file", s.spec.ObsVersion, w.ObsVersion)
	case !slices.Equal(s.spec.Agents, w.Agents) || s.spec.State.Size() != w.StateSize:
		return nil, "its agents or its state differ here from those of the file"
	}
	s.snap, _ = envs.As[envs.Snapshotter](e)
	s.draw, _ = envs.As[envs.Drawer](e)
	s.place, _ = envs.As[envs.Placer](e)
	s.focus, _ = envs.As[envs.Focuser](e)
	return s, ""
}

// restore shows the state in a snapshot, if it is one and of the state vector
// the file has beside it.
func (s *scene) restore(snapshot []byte, state []float32) error {
	if s.snap == nil || len(snapshot) == 0 {
		return envs.ErrSnapshot
	}
	if err := s.snap.Restore(snapshot, s.frame); err != nil {
		return err
	}
	if !slices.Equal(s.frame.State, state) {
		return fmt.Errorf("%w: it is of another state than the one beside it", envs.ErrSnapshot)
	}
	return nil
}

// picture is the present state as people see it; nil where the world draws none.
func (s *scene) picture() *image.RGBA {
	if s.draw == nil {
		return nil
	}
	img := image.NewRGBA(s.draw.Bounds())
	s.draw.Draw(img)
	return img
}

// closeUp is the part of the picture in which the agents are.
func (s *scene) closeUp() *image.RGBA {
	img := s.picture()
	if img == nil {
		return nil
	}
	var all []int
	for i := range s.spec.Agents {
		all = append(all, i)
	}
	return img.SubImage(s.view(all...)).(*image.RGBA)
}

// value is σ of an agent in the present state, and whether the world has what
// the model reads.
func (s *scene) value(m *prefer.Model, agent int) (float64, bool) {
	if m.Input(agent) == shaping.State {
		return float64(m.Value(agent, s.frame.State)), true
	}
	if s.focus == nil {
		return 0, false
	}
	return float64(m.Value(agent, s.focus.AppendFocus(nil, agent))), true
}
