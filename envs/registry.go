package envs

import (
	"fmt"
	"slices"
	"strings"
)

// Entry is one environment that can be built by name.
type Entry struct {
	ID      string // "<name>-v<n>"; n grows with every change of rules, observations or rewards
	Summary string // one sentence
	Card    string // the world's doc: story, actions, observation, rewards, ending, source, history
	Params  []Param
	build   func(values map[string]any) (Env, error)
}

// Define makes the entry of an environment whose parameters are the fields of
// the struct P, described by their tags (see Param). defaults holds the
// default of each; build gets values that have passed the tags' checks and
// returns an error wrapping ErrParams where their combination is impossible.
// enums are for string parameters whose values a tag can't know: those of a
// list that grows, such as the templates of tasks.
func Define[P any](id, summary, card string, defaults P, build func(P) (Env, error), enums ...Enum) Entry {
	params := paramsOf(defaults, enums...)
	return Entry{
		ID: id, Summary: summary, Card: card,
		Params: params,
		build: func(values map[string]any) (Env, error) {
			p := defaults
			if err := decodeParams(id, params, &p, values); err != nil {
				return nil, err
			}
			return build(p)
		},
	}
}

// New builds one environment. values may leave out any parameter; an unknown
// or out-of-range one returns an error wrapping ErrParams. Numbers may be of
// any integer or float type that holds the value exactly.
func (e Entry) New(values map[string]any) (Env, error) { return e.build(values) }

// Registry is a list of environments, sorted by id.
type Registry []Entry

// NewRegistry sorts the entries. Two of one id are a bug and panic.
func NewRegistry(entries ...Entry) Registry {
	r := slices.Clone(entries)
	slices.SortFunc(r, func(a, b Entry) int { return strings.Compare(a.ID, b.ID) })
	for i := 1; i < len(r); i++ {
		if r[i].ID == r[i-1].ID {
			panic("envs: two environments of the id " + r[i].ID)
		}
	}
	return r
}

// Find returns the entry of an id, or an error wrapping ErrUnknownEnv that
// lists the ids there are.
func (r Registry) Find(id string) (Entry, error) {
	ids := make([]string, len(r))
	for i, e := range r {
		if e.ID == id {
			return e, nil
		}
		ids[i] = e.ID
	}
	return Entry{}, fmt.Errorf("%w %q: %s", ErrUnknownEnv, id, Among(id, ids, "'marlpit envs' lists them"))
}
