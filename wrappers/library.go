package wrappers

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"marlpit/envs"
	"marlpit/shaping/prefer"
)

// ErrModel is returned when no loaded model can be used in a world; the message
// lists what is loaded and says how to make one.
var ErrModel = errors.New("wrappers: no such model")

// Models finds fitted models.
type Models interface {
	// Find returns the model of a name, or for "" one that matches world and
	// kind. It returns an error wrapping ErrModel where there is none, and one
	// wrapping prefer.ErrWorld where the named one is of another world.
	Find(name string, spec *envs.Spec, kind prefer.Kind) (*prefer.Model, error)
}

// Library holds fitted models by name. It may be used from any goroutine; the
// zero value is empty.
type Library struct {
	mu   sync.RWMutex
	list []Named // in the order they were added
}

// Named is a model with the name it is loaded under.
type Named struct {
	Name  string
	Model *prefer.Model
}

// Add loads a model under a name, or under its own for "". It takes the place
// of one that had the name. Games that are running keep theirs.
func (l *Library) Add(name string, m *prefer.Model) {
	if name == "" {
		name = m.Header.Name
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.remove(name)
	l.list = append(l.list, Named{name, m})
}

// Remove unloads a model and tells whether there was one.
func (l *Library) Remove(name string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.remove(name)
}

func (l *Library) remove(name string) bool {
	n := len(l.list)
	l.list = slices.DeleteFunc(l.list, func(x Named) bool { return x.Name == name })
	return len(l.list) < n
}

// List returns the models sorted by name.
func (l *Library) List() []Named {
	l.mu.RLock()
	defer l.mu.RUnlock()
	out := slices.Clone(l.list)
	slices.SortFunc(out, func(a, b Named) int { return strings.Compare(a.Name, b.Name) })
	return out
}

// Name is the name a model is loaded under, its own where it isn't loaded any more.
func (l *Library) Name(m *prefer.Model) string {
	l.mu.RLock()
	defer l.mu.RUnlock()
	for _, n := range l.list {
		if n.Model == m {
			return n.Name
		}
	}
	return m.Header.Name
}

// Find implements Models. For "" it picks the last one added that matches.
func (l *Library) Find(name string, spec *envs.Spec, kind prefer.Kind) (*prefer.Model, error) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	world := worldOf(spec)
	for i := len(l.list) - 1; i >= 0; i-- {
		n := l.list[i]
		if name == "" {
			if n.Model.Header.Kind == kind && n.Model.CheckSpec(world) == nil {
				return n.Model, nil
			}
			continue
		}
		if n.Name != name {
			continue
		}
		if got := n.Model.Header.Kind; got != kind {
			return nil, fmt.Errorf("%w: %s is a model of the kind %s, the scheme needs %s", ErrModel, name, got, kind)
		}
		if err := n.Model.CheckSpec(world); err != nil {
			return nil, fmt.Errorf("model %s: %w", name, err)
		}
		return n.Model, nil
	}
	return nil, l.missing(name, spec, kind)
}

func (l *Library) missing(name string, spec *envs.Spec, kind prefer.Kind) error {
	what := fmt.Sprintf("the scheme needs a model of the kind %s for %s with these parameters", kind, spec.ID)
	if name != "" {
		what = fmt.Sprintf("there is no %.40q", name)
	}
	loaded := "nothing is loaded"
	if len(l.list) > 0 {
		var all []string
		for _, n := range l.list {
			h := &n.Model.Header
			why := fmt.Sprintf("kind %s, %s", h.Kind, h.World.Env)
			if err := n.Model.CheckSpec(worldOf(spec)); err != nil {
				why = fmt.Sprintf("kind %s, %s", h.Kind, strings.TrimPrefix(err.Error(), prefer.ErrWorld.Error()+": "))
			}
			all = append(all, fmt.Sprintf("%s (%s)", n.Name, why))
		}
		loaded = "loaded: " + strings.Join(all, "; ")
	}
	return fmt.Errorf("%w: %s; %s. To make one: marlpit collect --env %s, label, fit --out FILE, then serve --credit FILE or upload it", ErrModel, what, loaded, spec.ID)
}

// worldOf is what a model is compared with, without the focus features.
func worldOf(s *envs.Spec) prefer.World {
	return prefer.World{Env: s.ID, Params: s.Params, Agents: s.Agents, ObsVersion: s.ObsVersion, StateSize: s.State.Size()}
}

// World describes an environment as models know it: what Fit needs and
// CheckSpec compares.
func World(e envs.Env) prefer.World {
	w := worldOf(e.Spec())
	w.FocusSizes = []int{}
	if f, ok := envs.As[envs.Focuser](e); ok {
		for i := range w.Agents {
			w.FocusSizes = append(w.FocusSizes, envs.FieldsSize(f.FocusFields(i)))
		}
	}
	return w
}
