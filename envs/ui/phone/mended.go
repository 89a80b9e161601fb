package phone

import "marlpit/envs/ui"

// mended is embedded in jobs whose solution the wanted data tell.
type mended struct{}

// Solve implements ui.Job.
func (mended) Solve(p *Phone, x *ui.Pilot) { finish(p, x) }

// fresh draws an entry of a list of which taken is false.
func fresh(t *ui.Task, from []string, taken func(s string) bool) string {
	for {
		if s := ui.Pick(t.Rand, from); !taken(s) {
			return s
		}
	}
}
