// Package catalog lists the environments that are shipped, one line each.
package catalog

import "marlpit/envs"

// All returns the shipped environments.
func All() envs.Registry {
	return envs.NewRegistry()
}
