// Package twoswitch is two-switch-v1: two rooms, a door that opens when two
// switches far apart are worked, and one reward for the whole team.
//
// The world is named in the paper on language-guided credit assignment (arXiv
// 2502.03723); its layout is not public, and this one is our own.
package twoswitch

import _ "embed"

// card is the world's page in docs/envs.md.
//
//go:embed card.md
var card string
