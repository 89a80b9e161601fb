package web

import (
	_ "embed"
	"sync"

	"marlpit/envs"
	"marlpit/envs/ui"
	"marlpit/envs/ui/paint"
)

// card is the world's page in docs/envs.md.
//
//go:embed card.md
var card string

// World is the world's line in the catalogue.
var World = sync.OnceValue(func() envs.Entry {
	return ui.World{
		ID:          "web-v1",
		Summary:     "Simulated web pages with a small task each: agents talk in rounds and vote on what to do.",
		Card:        card,
		Templates:   templates,
		HeldOutApps: []string{"flights", "forum", "social", "tree"},
		Width:       width,
		Height:      height,
		Paint:       paint.Screen,
	}.Entry()
})
