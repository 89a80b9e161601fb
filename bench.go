package main

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"text/tabwriter"
	"time"

	"marlpit/api/pool"
	"marlpit/envs"
	"marlpit/envs/catalog"
	"marlpit/shaping/prefer"
	"marlpit/wrappers"
)

// benchCmd measures the speed of worlds in this process.
type benchCmd struct {
	Env  string        `help:"World that is stepped." default:"two-switch-v1"`
	Time time.Duration `help:"Time for each line." default:"2s"`
	JSON bool          `name:"json" help:"Print JSON."`
}

// benchRow is one line of the table.
type benchRow struct {
	What   string  `json:"what"`
	Rate   float64 `json:"steps_per_second"` // environment steps: all agents act once
	Ratio  float64 `json:"ratio"`            // to the bare world
	Allocs float64 `json:"allocs_per_step"`
}

// benchMemory is what one more copy in a session costs.
type benchMemory struct {
	Copies int     `json:"copies"`
	Bytes  float64 `json:"bytes_per_copy"`
}

// Run measures each reward scheme on one core, then a batch on all of them.
func (c *benchCmd) Run(out io.Writer) error {
	entry, err := catalog.All().Find(c.Env)
	if err != nil {
		return badCall(err)
	}
	bare, err := entry.New(nil)
	if err != nil {
		return err
	}
	models, err := benchModels(bare)
	if err != nil {
		return err
	}
	rows := []benchRow{c.steps("world alone, one core", bare)}
	for _, scheme := range []string{"team", "none", "credit", "add", "oracle", "difference", "shapley"} {
		reward, err := wrappers.ParseReward(scheme)
		if err != nil {
			return err
		}
		w, _, err := wrappers.Build(bare, reward, models)
		if err != nil {
			return fmt.Errorf("%s: %w", scheme, err)
		}
		e, err := entry.New(nil)
		if err != nil {
			return err
		}
		rows = append(rows, c.steps(scheme+", one core", w(e)))
	}
	batch, err := c.batch(entry, 4096)
	if err != nil {
		return err
	}
	rows = append(rows, batch)
	for i := range rows {
		rows[i].Ratio = rows[i].Rate / rows[0].Rate
	}
	memory, err := benchCopies(entry)
	if err != nil {
		return err
	}
	if c.JSON {
		return printJSON(out, map[string]any{"env": c.Env, "rows": rows, "memory": memory})
	}
	w := tabwriter.NewWriter(out, 2, 4, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(w, "%s\tthousand steps/s\tratio\tallocations/step\t\n", c.Env)
	for _, r := range rows {
		fmt.Fprintf(w, "%s\t%.0f\t%.2f\t%.3f\t\n", r.What, r.Rate/1e3, r.Ratio, r.Allocs)
	}
	for _, m := range memory {
		fmt.Fprintf(w, "session of %d copies\t%.0f bytes a copy\t\t\t\n", m.Copies, m.Bytes)
	}
	return w.Flush()
}

// benchActions are random joint actions, (steps, agents, dims).
func benchActions(s *envs.Spec, rows int) []envs.Actions {
	rng := rand.New(rand.NewPCG(1, 2))
	out := make([]envs.Actions, 64)
	for i := range out {
		out[i].Choice = make([]int32, rows*len(s.Agents)*s.ActionDims())
		for k := range out[i].Choice {
			out[i].Choice[k] = int32(rng.IntN(s.Choices()))
		}
	}
	return out
}

// measure runs f in rounds for the time asked for and counts.
func (c *benchCmd) measure(what string, steps int, f func()) benchRow {
	f() // warm up
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	start, done := time.Now(), 0
	for time.Since(start) < c.Time {
		f()
		done += steps
	}
	spent := time.Since(start).Seconds()
	runtime.ReadMemStats(&after)
	return benchRow{What: what, Rate: float64(done) / spent, Allocs: float64(after.Mallocs-before.Mallocs) / float64(done)}
}

// steps measures one environment, reset when it ends.
func (c *benchCmd) steps(what string, e envs.Env) benchRow {
	actions, frame := benchActions(e.Spec(), 1), envs.NewFrame(e.Spec())
	e.Reset(0, frame)
	seed := uint64(0)
	const round = 4096
	return c.measure(what, round, func() {
		for i := range round {
			e.Step(actions[i%len(actions)], frame)
			if frame.Ended() {
				seed++
				e.Reset(seed, frame)
			}
		}
	})
}

// batch measures a pool, as a session steps it.
func (c *benchCmd) batch(entry envs.Entry, copies int) (benchRow, error) {
	p, err := benchPool(entry, copies)
	if err != nil {
		return benchRow{}, err
	}
	defer p.Stop()
	actions := benchActions(p.Spec(), copies)
	i := 0
	row := c.measure(fmt.Sprintf("team, batch of %d, %d cores", copies, runtime.GOMAXPROCS(0)), copies, func() {
		i++
		if e := p.Step(actions[i%len(actions)]); e != nil {
			err = e
		}
	})
	return row, err
}

func benchPool(entry envs.Entry, copies int) (*pool.Pool, error) {
	p, err := pool.New(pool.Config{N: copies, Mode: pool.SameStep, Make: func() (envs.Env, error) {
		e, err := entry.New(nil)
		if err != nil {
			return nil, err
		}
		return wrappers.Stats(e), nil
	}})
	if err != nil {
		return nil, err
	}
	return p, p.Reset(nil, nil)
}

// benchCopies measures the heap that sessions of several sizes hold.
func benchCopies(entry envs.Entry) ([]benchMemory, error) {
	var out []benchMemory
	for _, copies := range []int{64, 1024, 16384} {
		before := heap()
		p, err := benchPool(entry, copies)
		if err != nil {
			return nil, err
		}
		held := heap() - before
		p.Stop()
		out = append(out, benchMemory{copies, held / float64(copies)})
	}
	return out, nil
}

// heap is the bytes of live objects.
func heap() float64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc)
}

// benchModels fits a model to random votes on random play: its values mean
// nothing, its cost is that of any other.
func benchModels(e envs.Env) (*wrappers.Library, error) {
	spec, frame := e.Spec(), envs.NewFrame(e.Spec())
	actions := benchActions(spec, 1)
	focus, _ := envs.As[envs.Focuser](e)
	e.Reset(0, frame)
	var pairs []prefer.Pair
	for i := range 512 {
		before := append([]float32(nil), frame.State...)
		pair := func(agent int) prefer.Pair {
			return prefer.Pair{Agent: agent, StateA: before, C: float64((i + agent) % 2)}
		}
		fresh := make([]prefer.Pair, len(spec.Agents))
		for a := range fresh {
			fresh[a] = pair(a)
			if focus != nil {
				fresh[a].FocusA = focus.AppendFocus(nil, a)
			}
		}
		e.Step(actions[i%len(actions)], frame)
		after := append([]float32(nil), frame.State...)
		for a := range fresh {
			fresh[a].StateB = after
			if focus != nil {
				fresh[a].FocusB = focus.AppendFocus(nil, a)
			}
		}
		pairs = append(pairs, fresh...)
		if frame.Ended() {
			e.Reset(uint64(i), frame)
		}
	}
	m, _, err := prefer.Fit(context.Background(), wrappers.World(e), pairs, prefer.Options{Epochs: 2, Input: "state"})
	if err != nil {
		return nil, err
	}
	lib := &wrappers.Library{}
	lib.Add("bench", m)
	return lib, nil
}
