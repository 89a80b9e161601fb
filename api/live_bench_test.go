package api_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"marlpit/shaping/study"
)

// BenchmarkStepWhileLabelling is the 99th percentile of a step's time over a
// Unix socket, of a session with live credit whose labelling always has
// something to ask, to save or to fit, and of one with the same credit from a
// fitted model while nothing is labelled: in turns, in one run.
func BenchmarkStepWhileLabelling(b *testing.B) {
	cfg := liveConfig(b, "")
	h := serve(b, cfg)
	l := learn(b, h, live("oracle", fields{"transitions": 40})) // at full speed, for a model to compare with
	l.until(func(p study.LiveProgress) bool { return p.State == "done" })
	file, err := os.ReadFile(filepath.Join(cfg.StateDir, "labelings", l.id, "model-000001.credit"))
	require.NoError(b, err)
	cfg.LiveShare, cfg.LivePoll, cfg.StateDir = 0, 0, b.TempDir()
	h = serve(b, cfg)
	require.Equal(b, 204, h.do(b, "PUT", "/v1/credit-models/fitted", "application/octet-stream", file).status)
	h.client.Transport = h.client.Transport.(*checked).next
	const block = 2000 // steps in turn
	var with, without []time.Duration
	var first, last study.LiveProgress
	measure := func(to *[]time.Duration, l *learner, steps int) {
		step := rawStep(b, h, l.session, ints(1, 2, 0, 1, 2, 3, 4, 0, 3, 2, 1, 2, 0, 0, 4, 1))
		for k := range steps + steps/4 {
			start := time.Now()
			step()
			if k >= steps/4 { // warm
				*to = append(*to, time.Since(start))
			}
		}
	}
	plain := func() {
		s := h.create(b, "two-switch-v1", fields{"num_envs": learnerRows, "autoreset": "next_step", "reward": "credit"})
		s.reset()
		measure(&without, &learner{session: s}, block)
		require.Equal(b, 204, h.do(b, "DELETE", s.path(""), "", nil).status)
	}
	labelled := func() {
		l := learn(b, h, live("oracle", fields{"transitions": 1_000_000, "refit_every": 60}))
		p := l.until(func(p study.LiveProgress) bool { return p.State == "running" })
		if len(with) == 0 {
			first = p
		}
		measure(&with, l, block)
		last = l.labeling()
		require.Equal(b, 204, h.do(b, "DELETE", l.path(""), "", nil).status)
		for l.labeling().State == "running" {
			time.Sleep(time.Millisecond)
		}
	}
	for b.Loop() {
		labelled()
		plain()
	}
	p99 := func(d []time.Duration) float64 {
		slices.Sort(d)
		return float64(d[len(d)*99/100])
	}
	b.ReportMetric(p99(with)/1e3, "µs-p99-with")
	b.ReportMetric(p99(without)/1e3, "µs-p99-without")
	b.ReportMetric(p99(with)/p99(without), "p99-ratio")
	b.ReportMetric(float64(with[len(with)/2])/float64(without[len(without)/2]), "p50-ratio")
	b.ReportMetric(float64(last.Asked-first.Asked), "answers")
	b.ReportMetric(float64(last.ModelVersion-first.ModelVersion), "models")
}
