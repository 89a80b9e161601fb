package victimrubble

import (
	"fmt"

	"marlpit/envs"
)

// role is what an agent is able to do.
type role uint8

const (
	engineer role = iota
	medic
	scout
	keybearer
)

// String is the role as in agents' names.
func (r role) String() string { return [...]string{"engineer", "medic", "scout", "keybearer"}[r] }

// world is what the parameters fix. It is immutable and shared by copies.
type world struct {
	params  Params
	spec    *envs.Spec
	agents  int
	roles   []role   // (agents,)
	names   []string // (agents,)
	rubble  int      // heaps
	victims int
	traps   int
	door    bool     // there is a locked door
	sites   bool     // each pair has a site of its own
	leave   bool     // agents leave when their own job is done
	random  bool     // places are drawn for each episode
	near    bool     // agents see only what is near
	mapping          // the places of the layout
	start   State    // of episodes with fixed places
	views   [][]item // (agents,) what each observes
	whole   []item   // what the state has after the one-hot cells
	focus   [][]item // (agents,) what each agent's scoring model sees after its one-hot cell
	scout   int      // the scout's number, -1 for none
	choices int      // columns of the mask
	obs     int      // elements of an agent's row of observations
	exact   bool     // the solver can do it
	ways    *paths   // where places are fixed
	hash    uint32   // of the parameters

	focusFields [][]envs.Field // (agents,)
}

// worlds are shared by games of equal parameters.
var worlds envs.Shared[Params, world]

// newWorld makes the world of parameters that are resolved.
func newWorld(p Params) *world {
	w := &world{
		params: p, agents: p.agents(), rubble: p.Rubble, victims: p.Victims, door: p.Keybearer,
		sites: p.Layout == "sites", leave: p.Ending == "leave", random: p.Places == "random", near: p.View == "radius",
		scout: -1, hash: envs.ParamsHash(p),
	}
	add := func(r role, n int) {
		for i := range n {
			w.roles = append(w.roles, r)
			w.names = append(w.names, fmt.Sprintf("%v_%d", r, i))
		}
	}
	add(engineer, p.Engineers)
	add(medic, p.Medics)
	if p.Scout {
		w.scout = len(w.roles)
		add(scout, 1)
	}
	if p.Keybearer {
		add(keybearer, 1)
	}
	if p.Ending == "death" {
		w.traps = 1
		if p.Layout == "rooms" {
			w.traps = 4
		}
	}
	w.mapping = mappingOf(p)
	w.start.fix(w)
	w.list()
	w.spec = newSpec(w)
	_, _, sharings := w.tables()
	w.exact = w.sites || w.tabled() && sharings <= maxSharing
	w.ways = pathsOf(w)
	w.choices, w.obs = w.spec.Choices(), w.spec.ObsSize()
	return w
}

// blockable is the number of doorways that rubble lies in first.
func (w *world) blockable() int {
	if w.door {
		return len(w.doorways) - 1
	}
	return len(w.doorways)
}
