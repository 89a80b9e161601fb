// Package victimrubble is victim-rubble-v1: a team of unlike agents clears
// rubble and heals the victims behind it, and is paid once, when all are saved.
//
// The world is named in the paper on language-guided credit assignment (arXiv
// 2502.03723); its layout is not public, and these are our own.
package victimrubble

import _ "embed"

// card is the world's page in docs/envs.md.
//
//go:embed card.md
var card string
