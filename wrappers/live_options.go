package wrappers

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"marlpit/envs"
)

// LiveOptions say who labels the transitions that sessions see, and how much of
// it is done.
type LiveOptions struct {
	Critic         string `json:"critic"`          // by the name the server knows it under; required
	Viewpoint      string `json:"viewpoint"`       // guided | plain; "": the critic's own, else guided
	Queries        int    `json:"queries"`         // votes on each transition and agent; 1 to 100, default 1
	Transitions    int    `json:"transitions"`     // kept at most; 40 to 1e6, default 1,000
	BudgetRequests int    `json:"budget_requests"` // sent to an endpoint at most; 1 to 1e7, default 10,000
	RefitEvery     int    `json:"refit_every"`     // answers from one model to the next; 20 to 1e6, default 200
	Seed           uint64 `json:"seed"`            // of fitting; 0 to 2⁵³, default 0
}

// Map is the options as a request gives them.
func (o LiveOptions) Map() map[string]any {
	return map[string]any{
		"critic": o.Critic, "viewpoint": o.Viewpoint, "queries": o.Queries, "transitions": o.Transitions,
		"budget_requests": o.BudgetRequests, "refit_every": o.RefitEvery, "seed": o.Seed,
	}
}

// parseLive reads the option live of a scheme.
func parseLive(v any) (*LiveOptions, error) {
	given, ok := v.(map[string]any)
	if !ok {
		return nil, fmt.Errorf("%w: live is a map with the name of a critic, such as {critic: oracle}, got %s", ErrReward, show(v))
	}
	o := &LiveOptions{Queries: 1, Transitions: 1000, BudgetRequests: 10_000, RefitEvery: 200}
	known := o.Map()
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if _, ok := known[name]; !ok {
			return nil, fmt.Errorf("%w: live has no option %.40q: there are %s", ErrReward, name, strings.Join(slices.Sorted(maps.Keys(known)), ", "))
		}
	}
	if o.Critic, ok = given["critic"].(string); !ok || o.Critic == "" {
		return nil, fmt.Errorf("%w: live.critic is the name of a critic of the server (GET /v1/critics), got %s", ErrReward, show(given["critic"]))
	}
	if v, ok := given["viewpoint"]; ok {
		t, ok := v.(string)
		if _, known := envs.ParseView(t); !ok || !known {
			return nil, fmt.Errorf("%w: live.viewpoint is guided or plain, got %s", ErrReward, show(v))
		}
		o.Viewpoint = t
	}
	return o, readNumbers("live.", given,
		number{"queries", 1, 100, whole, into(&o.Queries)}, number{"transitions", 40, 1e6, whole, into(&o.Transitions)},
		number{"budget_requests", 1, 1e7, whole, into(&o.BudgetRequests)}, number{"refit_every", 20, 1e6, whole, into(&o.RefitEvery)},
		number{"seed", 0, 1 << 53, whole, into(&o.Seed)},
	)
}
