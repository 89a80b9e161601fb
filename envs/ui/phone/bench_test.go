package phone

import (
	"runtime"
	"testing"

	"marlpit/envs"
	"marlpit/envs/envtest"
)

// BenchmarkStep measures executed steps of one agent, and rounds of a team.
func BenchmarkStep(b *testing.B) {
	b.Run("alone", func(b *testing.B) { envtest.Bench(b, World(), map[string]any{"agents": 1, "rounds": 1}) })
	b.Run("team", func(b *testing.B) { envtest.Bench(b, World(), nil) })
	b.Run("solution", benchSolution)
}

// benchSolution plays the tasks' own solutions, chosen beforehand: executed
// steps of an agent that knows its work, without resets.
func benchSolution(b *testing.B) {
	e, err := World().New(map[string]any{"agents": 1, "rounds": 1})
	if err != nil {
		b.Fatal(err)
	}
	const episodes = 64
	solver, cloner := e.(envs.Solver), e.(envs.Cloner)
	frame := envs.NewFrame(e.Spec())
	var starts [episodes]envs.Env
	var plans [episodes][]int32
	for i := range starts {
		e.Reset(uint64(i), frame) //nolint:gosec // small
		starts[i] = cloner.Clone()
		for !frame.Ended() {
			plans[i] = solver.AppendBest(plans[i])
			e.Step(envs.Actions{Choice: plans[i][len(plans[i])-1:]}, frame)
		}
	}
	played := make([]envs.Env, episodes)
	b.ReportAllocs()
	steps := 0
	for b.Loop() {
		b.StopTimer()
		for i := range starts {
			if played[i] == nil {
				played[i] = starts[i].(envs.Cloner).Clone()
			} else {
				starts[i].(envs.Cloner).CloneInto(played[i])
			}
		}
		b.StartTimer()
		for i := range starts {
			for k := range plans[i] {
				played[i].Step(envs.Actions{Choice: plans[i][k : k+1]}, frame)
				steps++
			}
		}
	}
	b.ReportMetric(float64(steps)/b.Elapsed().Seconds(), "steps/s")
}

// BenchmarkMemory holds many phones at once, each with its frame and some steps played.
func BenchmarkMemory(b *testing.B) {
	for _, x := range []struct {
		name   string
		params map[string]any
	}{{"alone", map[string]any{"agents": 1, "rounds": 1}}, {"team", nil}} {
		b.Run(x.name, func(b *testing.B) {
			for b.Loop() {
				b.ReportMetric(bytesPerPhone(b, x.params), "B/phone")
			}
		})
	}
}

func bytesPerPhone(b *testing.B, params map[string]any) float64 {
	const phones = 1000
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	list := make([]envs.Env, phones)
	var batch *envs.Batch
	var r envs.Rand
	r.Seed(1)
	for i := range list {
		e, err := World().New(params)
		if err != nil {
			b.Fatal(err)
		}
		list[i] = e
		if batch == nil {
			batch = envs.NewBatch(e.Spec(), phones, false)
		}
		row, a := batch.Row(i), envs.NewActions(e.Spec())
		e.Reset(uint64(i), &row) //nolint:gosec // small
		for range 20 {
			envs.DrawLegal(e.Spec(), row.Mask, &r, a)
			if e.Step(a, &row); row.Ended() {
				e.Reset(r.Uint64(), &row)
			}
		}
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	runtime.KeepAlive(list)
	runtime.KeepAlive(batch)
	return float64(after.HeapAlloc-before.HeapAlloc) / phones
}

// BenchmarkRight measures what the critic "solution" costs a round: teams of
// whom one does what the solution does, and the others what they like.
func BenchmarkRight(b *testing.B) {
	e, err := World().New(nil)
	if err != nil {
		b.Fatal(err)
	}
	solver, rounder := e.(envs.Solver), e.(envs.Rounder)
	frame, a := envs.NewFrame(e.Spec()), envs.NewActions(e.Spec())
	var r envs.Rand
	r.Seed(1)
	seed, right := uint64(0), []bool(nil)
	e.Reset(seed, frame)
	for b.Loop() {
		if frame.Ended() {
			seed++
			e.Reset(seed, frame)
		}
		envs.DrawLegal(e.Spec(), frame.Mask, &r, a)
		if best := solver.AppendBest(nil); best[0] != 0 { // the last round of a turn
			copy(a.Choice, best[:2])
		}
		right = rounder.AppendRight(right[:0], a)
		e.Step(a, frame)
	}
}
