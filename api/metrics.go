package api

import (
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/gofiber/fiber/v2/middleware/adaptor"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"marlpit/shaping/study"
)

// metrics are the server's own: nothing is registered globally.
type metrics struct {
	steps     prometheus.Counter
	created   prometheus.Counter
	models    *prometheus.CounterVec
	latency   *prometheus.HistogramVec
	unwritten prometheus.Counter
	serve     fiber.Handler
}

func newMetrics(sessions func() int, critics []study.LiveCritic, labelings func() []study.LiveProgress) *metrics {
	m := &metrics{
		steps: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "marlpit_env_steps_total", Help: "Steps of single environments.",
		}),
		created: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "marlpit_sessions_created_total", Help: "Sessions created.",
		}),
		models: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "marlpit_model_calls_total", Help: "Questions that critics were asked, by critic and outcome: ok, invalid or failed; of rounds also cached, for those that had been answered before.",
		}, []string{"critic", "outcome"}),
		latency: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "marlpit_request_seconds", Help: "Time of a request in the server, by route.",
			Buckets: prometheus.ExponentialBuckets(10e-6, 4, 10), // 10 µs to 2.6 s
		}, []string{"route"}),
		unwritten: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "marlpit_recordings_failed_total", Help: "Recordings that could not be written to the end.",
		}),
	}
	r := prometheus.NewRegistry()
	r.MustRegister(m.steps, m.created, m.models, m.latency, m.unwritten, prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "marlpit_sessions", Help: "Sessions there are.",
	}, func() float64 { return float64(sessions()) }), newLiveMetrics(labelings))
	for _, c := range critics { // a critic that was never asked shows as 0
		for _, outcome := range []string{"ok", "invalid", "failed"} {
			m.models.WithLabelValues(c.Name, outcome)
		}
	}
	m.serve = adaptor.HTTPHandler(promhttp.HandlerFor(r, promhttp.HandlerOpts{DisableCompression: true}))
	return m
}

func (m *metrics) request(route string, took time.Duration) {
	m.latency.WithLabelValues(route).Observe(took.Seconds())
}

func (m *metrics) handler(c *fiber.Ctx) error { return m.serve(c) }
