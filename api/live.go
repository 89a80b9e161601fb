package api

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"marlpit/envs"
	"marlpit/shaping/study"
	"marlpit/wrappers"
)

// openLabelings makes the server's live labellings, with all that the state
// folder holds.
func (s *Server) openLabelings() (err error) {
	s.live, err = study.OpenLabelings(study.LiveConfig{
		Dir: s.cfg.StateDir, Registry: s.cfg.Registry, Critics: s.cfg.Critics, Poll: s.cfg.LivePoll, Retry: s.cfg.LiveRetry,
		CreatedBy: "marlpit " + s.cfg.Version, Busy: s.busy, Share: s.cfg.LiveShare,
		Called: func(critic, outcome string) { s.metrics.models.WithLabelValues(critic, outcome).Inc() },
		Told: func(labeling, what string, reason error) {
			e := s.cfg.Log.Info()
			if reason != nil {
				e = s.cfg.Log.Warn().Err(reason)
			}
			e.Str("labeling", labeling).Msg("live credit: " + what)
		},
	})
	return err
}

// pausing is how long no request has come when the clients are doing something
// else.
const pausing = 20 * time.Millisecond

// busy says whether requests are being served, or come one after another.
func (s *Server) busy() bool {
	return s.active.Load() > 0 || time.Now().UnixNano()-s.lastUsed.Load() < int64(pausing)
}

// lease is what a session shares with others, and leaves when it ends.
type lease interface {
	Share() // one more user
	Leave()
}

// built is a reward scheme ready to be wrapped around games.
type built struct {
	wrap     envs.Wrapper
	resolved map[string]any // options
	lease    lease          // a live labelling or an asker, from here on in use; nil: nothing is shared
	waits    int            // steps wait for a critic, so many at a time; 0: they don't
}

// buildReward turns the reward of a creation request into a wrapper.
func (s *Server) buildReward(entry envs.Entry, template envs.Env, q createRequest) (out built, err error) {
	r, err := wrappers.ParseReward(q.reward)
	if err != nil {
		return out, err
	}
	if err := r.CheckCopies(len(template.Spec().Agents), q.numEnvs); err != nil {
		return out, err
	}
	if r.Process != nil {
		return s.buildProcess(template, r)
	}
	if r.Live == nil {
		out.wrap, out.resolved, err = wrappers.Build(template, r, &s.models.library)
		return out, err
	}
	x, err := s.live.Join(entry, q.params, *r.Live)
	if err != nil {
		return out, err
	}
	if out.wrap, out.resolved, err = wrappers.BuildLive(template, r, x.Live()); err != nil {
		x.Leave()
		return out, err
	}
	live := x.Options().Map()
	live["labeling"] = x.ID()
	out.resolved["live"] = live
	out.lease = x
	return out, nil
}

// liveMetrics tells of the labellings that there are when somebody looks.
type liveMetrics struct {
	list             func() []study.LiveProgress
	version, failing *prometheus.Desc
}

func newLiveMetrics(list func() []study.LiveProgress) *liveMetrics {
	labels := []string{"labeling", "critic", "env"}
	return &liveMetrics{
		list:    list,
		version: prometheus.NewDesc("marlpit_live_model_version", "Version of the model in force, of each live labelling; 0 before the first.", labels, nil),
		failing: prometheus.NewDesc("marlpit_live_failing", "1 while a live labelling can't have its critic.", labels, nil),
	}
}

// Describe implements prometheus.Collector.
func (m *liveMetrics) Describe(to chan<- *prometheus.Desc) {
	to <- m.version
	to <- m.failing
}

// Collect implements prometheus.Collector.
func (m *liveMetrics) Collect(to chan<- prometheus.Metric) {
	for _, p := range m.list() {
		failing := 0.0
		if p.Failing {
			failing = 1
		}
		to <- prometheus.MustNewConstMetric(m.version, prometheus.GaugeValue, float64(p.ModelVersion), p.ID, p.Live.Critic, p.Env)
		to <- prometheus.MustNewConstMetric(m.failing, prometheus.GaugeValue, failing, p.ID, p.Live.Critic, p.Env)
	}
}
