// Package catalog lists the environments that are shipped, one line each.
package catalog

import (
	"marlpit/envs"
	"marlpit/envs/grid/twoswitch"
	"marlpit/envs/grid/victimrubble"
	"marlpit/envs/ui/phone"
	"marlpit/envs/ui/web"
)

// All returns the shipped environments.
func All() envs.Registry {
	return envs.NewRegistry(
		twoswitch.Entry,
		victimrubble.Entry,
		phone.World(),
		web.World(),
	)
}
