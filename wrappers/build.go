package wrappers

import (
	"fmt"

	"marlpit/envs"
	"marlpit/shaping/prefer"
)

// Build makes the wrapper of a reward scheme, the statistics of episodes
// outermost, and tells what its options resolved to: those of Reward.Options,
// "model" with the name of the one found and "model_version", for oracle the
// sample that σ is scaled by, for difference and shapley the cap of the work and
// what a step costs at most. template is an environment of the same entry and
// parameters as those that will be wrapped; these schemes play it. models may
// be nil where none are loaded.
//
// It returns an error wrapping ErrReward where the world lacks what the scheme
// needs, ErrModel where no model is found, and prefer.ErrWorld where the named
// one is of another world.
func Build(template envs.Env, r Reward, models Models) (w envs.Wrapper, resolved map[string]any, err error) {
	s, err := findScheme(r.Scheme)
	if err != nil {
		return nil, nil, err
	}
	if s.difference() && r.Form == Replace && r.Terminal == ZeroAtEnd {
		return nil, nil, errConstant
	}
	if r.Form == Add && s.name == "credit" {
		return nil, nil, fmt.Errorf("%w: credit of the form add is the scheme add", ErrReward)
	}
	if r.Live != nil {
		return nil, nil, fmt.Errorf("%w: live needs a server whose critics label what sessions see", ErrReward)
	}
	if s.name == "process" {
		return BuildProcess(template, r, Judges{})
	}
	resolved = r.Options()
	var src source
	switch {
	case s.kind != "":
		src, err = modelSource(template, r, s, models, resolved)
	case s.name == "oracle":
		var note map[string]any
		src, note, err = oracleSource(template)
		for k, v := range note {
			resolved[k] = v
		}
	}
	if err != nil {
		return nil, nil, err
	}
	var inner envs.Wrapper
	switch s.name {
	case "team":
		return Stats, resolved, nil
	case "none":
		inner = newNone(r)
	case "expert":
		if inner, err = newExpert(template, r); err != nil {
			return nil, nil, err
		}
	case "direct":
		inner = newDirect(src, r)
	case "difference", "shapley":
		how := difference
		if s.name == "shapley" {
			how = shapley
		}
		v, err := newValuation(template, r, how, resolved)
		if err != nil {
			return nil, nil, err
		}
		inner = newCounterfactual(v, r)
	default:
		inner = ofDifferences(src, r)
	}
	return func(e envs.Env) envs.Env { return Stats(inner(e)) }, resolved, nil
}

// ofDifferences is the wrapper of a scheme with a potential difference.
func ofDifferences(src source, r Reward) envs.Wrapper {
	switch r.Scheme {
	case "add":
		return newAdd(src, r)
	case "credit-mean":
		return newCredit(src, r, mean)
	case "sum":
		return newCredit(src, r, sum)
	}
	return newCredit(src, r, own)
}

// modelSource finds the scheme's model and checks it against the world.
func modelSource(template envs.Env, r Reward, s scheme, models Models, resolved map[string]any) (source, error) {
	if models == nil {
		models = &Library{}
	}
	m, err := models.Find(r.Model, template.Spec(), s.kind)
	if err != nil {
		return source{}, fmt.Errorf("%s: %w", s.name, err)
	}
	if m.Header.Kind != s.kind {
		return source{}, fmt.Errorf("%w: %s needs a model of the kind %s, got %s", ErrReward, s.name, s.kind, m.Header.Kind)
	}
	if err := m.CheckSpec(World(template)); err != nil {
		return source{}, fmt.Errorf("%s: %w", s.name, err)
	}
	if r.Model == "" {
		resolved["model"] = m.Header.Name
		if named, ok := models.(interface{ Name(*prefer.Model) string }); ok {
			resolved["model"] = named.Name(m)
		}
	}
	resolved["model_version"] = m.Header.Version
	return fittedSource(m), nil
}
