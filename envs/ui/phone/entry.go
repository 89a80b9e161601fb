package phone

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
		ID:          "phone-v1",
		Summary:     "A simulated phone with its apps: agents talk in rounds and vote on what to do.",
		Card:        card,
		Templates:   templates,
		HeldOutApps: []string{"notes", "music"},
		Apps:        names,
		Width:       ui.DefaultWidth,
		Height:      ui.DefaultHeight,
		Paint:       paint.Screen,
	}.Entry()
})
