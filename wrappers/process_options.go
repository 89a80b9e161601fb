package wrappers

import (
	"fmt"
	"slices"
	"strings"
)

// Critics of rounds that ask nobody.
const (
	SolutionCritic = "solution" // right by the task's own solution, but for its errors
	RandomCritic   = "random"   // draws every score evenly
)

// ProcessOptions say who scores the proposals of a round, and how long games
// wait for it. Each belongs to some critics only.
type ProcessOptions struct {
	Critic         string  `json:"critic"`          // solution, random, or the name the server knows one under; "" where Scores or Model is given, default solution
	Scores         string  `json:"scores"`          // name of recorded scores that the server has loaded; nobody is asked
	Model          string  `json:"model"`           // name of a fitted scorer that the server has loaded; nobody is asked
	Baseline       float64 `json:"baseline"`        // taken off every score; 0 to 1, default 0
	ErrorRate      float64 `json:"error_rate"`      // of solution: share of proposals judged wrongly; 0 to 1, default 0
	CriticSeed     uint64  `json:"critic_seed"`     // of solution's errors and of random; 0 to 2⁵³, default 0
	Deadline       float64 `json:"deadline"`        // of a named critic: seconds a step waits; 0.001 to 3,600, default 30
	BudgetRequests int     `json:"budget_requests"` // of a named critic: sent to an endpoint at most; 1 to 1e7, default 10,000
	Concurrency    int     `json:"concurrency"`     // of a named critic: rounds asked about at a time; 1 to 256, default 16
}

var processOptions = []string{"critic", "scores", "model", "baseline", "error_rate", "critic_seed", "deadline", "budget_requests", "concurrency", "bonus", "step_cost"}

// Asks says whether a critic that the server has to know is asked.
func (o *ProcessOptions) Asks() bool {
	return o.Critic != "" && o.Critic != SolutionCritic && o.Critic != RandomCritic
}

// means lists the options that mean something to the critic.
func (o *ProcessOptions) means() map[string]any {
	out := map[string]any{"baseline": o.Baseline}
	if o.Scores != "" {
		out["scores"] = o.Scores
		return out
	}
	if o.Model != "" {
		out["model"] = o.Model
		return out
	}
	out["critic"] = o.Critic
	switch {
	case o.Asks():
		out["deadline"], out["budget_requests"], out["concurrency"] = o.Deadline, o.BudgetRequests, o.Concurrency
	case o.Critic == SolutionCritic:
		out["error_rate"], out["critic_seed"] = o.ErrorRate, o.CriticSeed
	default:
		out["critic_seed"] = o.CriticSeed
	}
	return out
}

// parseProcess reads the options of the scheme process.
func parseProcess(options map[string]any) (*ProcessOptions, error) {
	o := &ProcessOptions{Critic: SolutionCritic, Deadline: 30, BudgetRequests: 10_000, Concurrency: 16}
	for name, dst := range map[string]*string{"critic": &o.Critic, "scores": &o.Scores, "model": &o.Model} {
		v, ok := options[name]
		if !ok {
			continue
		}
		if *dst, ok = v.(string); !ok || *dst == "" {
			return nil, fmt.Errorf("%w: %s is a name, got %s", ErrReward, name, show(v))
		}
	}
	if o.Scores != "" || o.Model != "" {
		if _, both := options["critic"]; both || o.Scores != "" && o.Model != "" {
			return nil, fmt.Errorf("%w: process takes one of critic, scores and model", ErrReward)
		}
		o.Critic = ""
	}
	err := readNumbers("", options,
		number{"baseline", 0, 1, decimal, into(&o.Baseline)}, number{"error_rate", 0, 1, decimal, into(&o.ErrorRate)},
		number{"critic_seed", 0, 1 << 53, whole, into(&o.CriticSeed)}, number{"deadline", 0.001, 3600, decimal, into(&o.Deadline)},
		number{"budget_requests", 1, 1e7, whole, into(&o.BudgetRequests)}, number{"concurrency", 1, 256, whole, into(&o.Concurrency)},
	)
	if err != nil {
		return nil, err
	}
	means := o.means()
	for _, name := range processOptions {
		_, given := options[name]
		if _, ok := means[name]; given && !ok && !slices.Contains(bonusOptions, name) {
			who := "recorded scores"
			if o.Model != "" {
				who = "a fitted scorer"
			}
			if o.Critic != "" {
				who = fmt.Sprintf("the critic %.40q", o.Critic)
			}
			return nil, fmt.Errorf("%w: %s means nothing to %s, which takes %s", ErrReward, name, who, strings.Join(append(sortedKeys(means), bonusOptions...), ", "))
		}
	}
	return o, nil
}

func sortedKeys(m map[string]any) []string {
	var out []string
	for _, name := range processOptions {
		if _, ok := m[name]; ok {
			out = append(out, name)
		}
	}
	return out
}
