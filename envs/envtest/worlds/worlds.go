// Package worlds holds small environments for tests: one that counts, one that
// panics, one whose agents die at different times, one of pictures and boxes,
// one of unlike agents, one whose agents talk and vote, and a slow one. They keep the whole contract of envs,
// but nobody should learn anything in them.
package worlds

import "marlpit/envs"

// Entries lists the test worlds. They belong in no catalogue.
func Entries() []envs.Entry {
	return []envs.Entry{countEntry(), panicEntry(), pixelsEntry(), roundsEntry(), slowEntry(), stagesEntry(), unevenEntry()}
}
