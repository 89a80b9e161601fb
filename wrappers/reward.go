// Package wrappers changes what a caller of a game sees: rewards made by
// fitted models in the place of the team's, and statistics of episodes. A
// wrapper is func(envs.Env) envs.Env; it never touches Frame.Team.
package wrappers

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"marlpit/shaping/prefer"
)

// ErrReward is returned for a reward scheme that is unknown, has bad options,
// or can't be had in a world; the message says what exists or what is missing.
var ErrReward = errors.New("wrappers: bad reward")

// Forms of schemes with a potential difference.
const (
	Replace = "replace" // the difference stands in the place of the team reward
	Add     = "add"     // the difference is added to the team reward
)

// What σ is at a terminated state.
const (
	ValueAtEnd = "value" // the model's
	ZeroAtEnd  = "zero"  // 0, as potential-based shaping needs
)

// Reward is a scheme with every option resolved. Schemes, with what agent i
// gets in a step s → s' while it is alive (0 after it has ended):
//
//	team         the game's own reward
//	credit       scale·(γσ_i(s') − σ_i(s))/sd_i + bonus·[success] − step_cost
//	credit-mean  as credit, with the mean over the team in the place of the agent's own difference
//	sum          as credit, with the sum over the team
//	shared       as credit, one σ fitted to votes on the team
//	shared-labels  as credit, a σ_i of its own view for each agent, which together explain votes on the team
//	coin         as credit, σ fitted to coin-flip votes
//	oracle       as credit, σ = −(least remaining work), the same for all
//	add          team reward + weight·(γσ_i(s') − σ_i(s))/sd_i
//	direct       scale·σ_i(s')/sd_i + bonus·[success] − step_cost
//	none         bonus·[success] − step_cost
//	expert       the world's dense reward + bonus·[success] − step_cost
//	difference   scale·(v(joint action) − v(the same with i's action taken out)) + bonus·[success] − step_cost
//	process      (a critic's score in [0,1] of i's proposal − baseline, 0 where there is no score) + bonus·[success] − step_cost; see ProcessOptions
//	shapley      scale·(i's Shapley value in v) + bonus·[success] − step_cost; the options of both: WhatIf
//
// Options, with range, default and the schemes that take them:
//
//	model      text, ""         the schemes with a fitted σ; "": the loaded one that matches
//	live       map, none        credit, credit-mean, sum, add; see LiveOptions
//	form       replace | add, replace   credit; add is the scheme add, with its options
//	scale      (0, 1000], 0.1   credit, credit-mean, sum, shared, shared-labels, coin, oracle, direct; difference, shapley: 1
//	bonus      [0, 1000], 1     all but team and add
//	step_cost  [0, 1000], 0.01  all but team and add
//	weight     [0, 1000], 0.1   add
//	gamma      [0, 1], 1 (add: 0.99)    the schemes with a difference of σ
//	terminal   value | zero, value (add: zero)   the schemes with a difference of σ
//
// [success] is 1 in the step in which the info column success turns 1. sd_i is
// the standard deviation of Δσ_i over the training transitions; where it is 0
// (σ is flat) the difference counts as 0. With terminal zero, σ is 0 at a
// terminated state, also if the step is truncated too, and the model's value
// at one that is truncated only. An agent that ends before its team does so
// with its own flags. In a replacing scheme, terminal zero is refused. The σ
// that is subtracted in a difference is the very number that was used when the
// state was entered. The oracle's sd is that of random play from fixed seeds,
// and its work is capped at twice the greatest met there, so that a state
// without solution costs what a bad one does; Build reports both.
//
// Two info columns are added by every scheme but team. "shaping" is what the
// scheme put in, and exactly so in float32: the reward is team + shaping for
// add, (shaping + bonus·[success]) − step_cost for the others.
// "model_version" is the version of the fitted model, 0 without one. Live
// credit has a third, "live_failing"; process has "process_valid", 1 where the
// agent's proposal has a score, and "process_score", that score.
type Reward struct {
	Scheme   string  `json:"scheme"`
	Model    string  `json:"model"`
	Form     string  `json:"form"`
	Scale    float64 `json:"scale"`
	Weight   float64 `json:"weight"`
	Gamma    float64 `json:"gamma"`
	Terminal string  `json:"terminal"`
	Bonus    float64 `json:"bonus"`
	StepCost float64 `json:"step_cost"`

	WhatIf // of difference and shapley

	Process *ProcessOptions `json:"process,omitempty"` // of process, else nil

	Live *LiveOptions `json:"live,omitempty"` // of credit, credit-mean, sum and add: the model is made while sessions play; nil: it is a fitted one
}

// scheme is a row of the table of presets.
type scheme struct {
	name    string
	kind    prefer.Kind // of the model; "" without one
	options []string    // it takes
}

var (
	bonusOptions = []string{"bonus", "step_cost"}
	deltaOptions = []string{"scale", "gamma", "terminal", "bonus", "step_cost"}
	modelOptions = append([]string{"model"}, deltaOptions...)
	addOptions   = []string{"model", "live", "weight", "gamma", "terminal"}
)

var schemes = []scheme{
	{"team", "", nil},
	{"credit", prefer.Agents, append([]string{"form", "live"}, modelOptions...)},
	{"credit-mean", prefer.Agents, append([]string{"live"}, modelOptions...)},
	{"sum", prefer.Agents, append([]string{"live"}, modelOptions...)},
	{"add", prefer.Agents, addOptions},
	{"direct", prefer.Agents, []string{"model", "scale", "bonus", "step_cost"}},
	{"shared-labels", prefer.SharedLabels, modelOptions},
	{"shared", prefer.Shared, modelOptions},
	{"coin", prefer.Coin, modelOptions},
	{"none", "", bonusOptions},
	{"expert", "", bonusOptions},
	{"oracle", "", deltaOptions},
	{"difference", "", whatIfOptions},
	{"shapley", "", append([]string{"samples"}, whatIfOptions...)},
	{"process", "", processOptions},
}

// Schemes lists the names of the reward schemes there are.
func Schemes() []string {
	names := make([]string, len(schemes))
	for i, s := range schemes {
		names[i] = s.name
	}
	return names
}

func findScheme(name string) (scheme, error) {
	for _, s := range schemes {
		if s.name == name {
			return s, nil
		}
	}
	return scheme{}, fmt.Errorf("%w: there is no scheme %.40q: there are %s", ErrReward, name, strings.Join(Schemes(), ", "))
}

func (s scheme) takes(option string) bool { return slices.Contains(s.options, option) }

// difference says whether the scheme has a difference of potentials.
func (s scheme) difference() bool { return s.takes("gamma") }

// factor is what a difference of potentials is paid at, in units of sd.
func (r Reward) factor() float64 {
	if r.Form == Add {
		return r.Weight
	}
	return r.Scale
}

// Options is the scheme with the options that it takes, as resolved.
func (r Reward) Options() map[string]any {
	out := map[string]any{"scheme": r.Scheme}
	s, err := findScheme(r.Scheme)
	if err != nil {
		return out
	}
	all := map[string]any{
		"model": r.Model, "form": r.Form, "scale": r.Scale, "weight": r.Weight, "gamma": r.Gamma,
		"terminal": r.Terminal, "bonus": r.Bonus, "step_cost": r.StepCost,
	}
	for _, name := range s.options {
		if v, ok := all[name]; ok {
			out[name] = v
		}
	}
	if s.takes("value") {
		r.WhatIf.note(out)
	}
	if r.Process != nil {
		delete(out, "model") // of the scheme credit; process says itself whether it has one
		maps.Copy(out, r.Process.means())
	}
	if r.Live != nil {
		out["live"] = r.Live.Map()
	}
	return out
}
