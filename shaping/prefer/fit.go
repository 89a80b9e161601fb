package prefer

import (
	"context"
	"fmt"
	"runtime"

	"golang.org/x/sync/errgroup"

	"marlpit/shaping"
	"marlpit/shaping/modelfile"
)

// Auto lets Fit choose each agent's input by its held-out pairs.
const Auto shaping.Input = "auto"

// Options of Fit. Zero values take the defaults.
type Options struct {
	Kind    Kind          // default Agents
	Input   shaping.Input // Auto (default), State or Focus; Shared reads the state, SharedLabels the focus
	Members int           // of each ensemble, default 3, at most MaxMembers
	Seed    uint64        // of the initial weights, the order of pairs, and all draws of pairs
	Epochs  int           // at most; default 60, at most 10,000
	Batch   int           // pairs a step of Adam, default 32
	Rate    float64       // Adam's, default 0.01
	HeldOut float64       // share of each agent's pairs kept for testing, default 0.15, at most 0.5

	Weighing Weighing // how the pairs' weights were made; noted in the report

	Header Header // provenance to keep: Name, Pairs (default their number), Frames, Seeds, Critic, Prompt, Votes, CreatedBy
}

// Fit fits a model to votes. For each net it fits an ensemble: every member
// minimises
//
//	−Σ w·[c·log sig(σ(b) − σ(a)) + (1−c)·log sig(σ(a) − σ(b))]
//
// with Adam over shuffled minibatches, from weights of its own, leaving out a
// fifth of the training pairs of its own choice, stops when the loss on those
// has stopped falling, and is scaled to fit them best. Where the input is to be chosen, it is by what the members
// get right of the pairs they left out. One net is then fitted to the members'
// mean over the training states, centred to mean zero over those, and measured
// on the held-out pairs, which nothing before has looked at. Output weights
// begin at zero, so that votes which are all ties leave σ exactly flat (SD 0).
//
// Equal arguments give equal bytes. The report is the one that the model's
// header points to: who knows more may add to it before the model is used. Fit
// returns an error wrapping ErrPairs for bad input, among it an agent without
// pairs, and ctx's when that is done.
func Fit(ctx context.Context, w World, pairs []Pair, opt Options) (*Model, *Report, error) {
	opt, err := opt.complete(w)
	if err != nil {
		return nil, nil, err
	}
	groups, err := split(w, pairs, opt)
	if err != nil {
		return nil, nil, err
	}
	tasks := plan(groups, opt)
	err = each(len(tasks), func(i int) error {
		tasks[i].data = tasks[i].group.data(tasks[i].in)
		return nil
	})
	if err == nil {
		err = each(len(tasks)*opt.Members, func(i int) error {
			return tasks[i/opt.Members].fit(ctx, i%opt.Members, opt)
		})
	}
	if err != nil {
		return nil, nil, err
	}
	m := &Model{Header: opt.Header}
	h := &m.Header
	h.Format, h.Version, h.Kind, h.World, h.Nets = Format, 1, opt.Kind, w, nil
	h.Report = &Report{Members: opt.Members, Weighing: opt.Weighing}
	if h.Pairs == 0 {
		h.Pairs = len(pairs)
	}
	if err := m.distill(ctx, tasks, opt); err != nil {
		return nil, nil, err
	}
	if err := h.check(); err != nil {
		return nil, nil, fmt.Errorf("%w: %w", ErrPairs, err)
	}
	return m, h.Report, nil
}

// each runs jobs on all cores; what they do must not depend on their order.
func each(jobs int, do func(i int) error) error {
	var g errgroup.Group
	g.SetLimit(runtime.GOMAXPROCS(0))
	for i := range jobs {
		g.Go(func() error { return do(i) })
	}
	return g.Wait()
}

// distill turns ensembles into the model's nets, group by group.
func (m *Model) distill(ctx context.Context, tasks []*task, opt Options) error {
	chosen, tried := choose(tasks)
	type place struct {
		t *task
		k int
	}
	var all []place
	for _, t := range chosen {
		for k := range t.agents {
			all = append(all, place{t, k})
		}
	}
	m.nets = make([]net, len(all))
	err := each(len(all), func(i int) (err error) {
		m.nets[i], err = all[i].t.distill(ctx, all[i].k, opt)
		return err
	})
	if err != nil {
		return err
	}
	h, at := &m.Header, 0
	for i, t := range chosen {
		nets := m.nets[at : at+len(t.agents)]
		at += len(t.agents)
		heads, reports := t.finish(nets)
		for k := range nets {
			if opt.Kind != Shared {
				heads[k].Agent = h.World.Agents[t.agents[k]]
			}
			if !nets[k].bounded() {
				return fmt.Errorf("%w: the weights of net %d grew beyond %v: lower the rate or the epochs", ErrPairs, len(h.Nets), modelfile.MaxWeight)
			}
			reports[k].Tried = tried[i]
			h.Nets, h.Report.Nets = append(h.Nets, heads[k]), append(h.Report.Nets, reports[k])
		}
	}
	return nil
}

// choose keeps of each group the input whose members do better on the pairs
// they left out: by accuracy, then by loss, then the state.
func choose(tasks []*task) (chosen []*task, tried []map[shaping.Input]Accuracy) {
	var best Accuracy
	var least float64
	for _, t := range tasks {
		a, loss := t.tried()
		if n := len(chosen); n == 0 || chosen[n-1].group != t.group {
			chosen, tried = append(chosen, t), append(tried, map[shaping.Input]Accuracy{t.in: a})
			best, least = a, loss
			continue
		}
		n := len(chosen) - 1
		tried[n][t.in] = a
		if a.Right > best.Right || a.Right == best.Right && loss < least { // of the same pairs
			chosen[n], best, least = t, a, loss
		}
	}
	return chosen, tried
}

func (o Options) complete(w World) (Options, error) {
	if err := w.check(); err != nil {
		return o, fmt.Errorf("%w: %w", ErrPairs, err)
	}
	if o.Kind == "" {
		o.Kind = Agents
	}
	if o.Input == "" {
		o.Input = Auto
	}
	switch {
	case o.Input != Auto:
	case o.Kind == SharedLabels:
		o.Input = shaping.Focus
	case o.Kind == Shared || len(w.FocusSizes) == 0:
		o.Input = shaping.State
	}
	if o.Members == 0 {
		o.Members = 3
	}
	if o.Epochs == 0 {
		o.Epochs = 60
	}
	if o.Batch == 0 {
		o.Batch = 32
	}
	if o.Rate == 0 {
		o.Rate = 0.01
	}
	if o.HeldOut == 0 {
		o.HeldOut = 0.15
	}
	switch {
	case !o.Kind.valid():
		return o, fmt.Errorf("%w: kind %q, want %s", ErrPairs, o.Kind, kindNames)
	case o.Input != Auto && o.Input != shaping.State && o.Input != shaping.Focus:
		return o, fmt.Errorf("%w: input %q, want auto, state or focus", ErrPairs, o.Input)
	case o.Input == shaping.Focus && o.Kind == Shared:
		return o, fmt.Errorf("%w: a shared model reads the state", ErrPairs)
	case o.Input == shaping.State && o.Kind == SharedLabels:
		return o, fmt.Errorf("%w: a model of the kind shared-labels reads the agents' own views", ErrPairs)
	case o.Input == shaping.Focus && len(w.FocusSizes) == 0:
		return o, fmt.Errorf("%w: %s has no focus features", ErrPairs, w.Env)
	case o.Members < 1 || o.Members > MaxMembers:
		return o, fmt.Errorf("%w: an ensemble of %d, want 1 to %d", ErrPairs, o.Members, MaxMembers)
	case o.Epochs < 1 || o.Epochs > 10_000 || o.Batch < 1:
		return o, fmt.Errorf("%w: %d epochs of batches of %d, want 1 to 10000 and at least 1", ErrPairs, o.Epochs, o.Batch)
	case !(o.Rate > 0 && o.Rate <= 1):
		return o, fmt.Errorf("%w: rate %v, want above 0 and at most 1", ErrPairs, o.Rate)
	case !(o.HeldOut > 0 && o.HeldOut <= 0.5):
		return o, fmt.Errorf("%w: held-out share %v, want above 0 and at most 0.5", ErrPairs, o.HeldOut)
	}
	return o, nil
}
