package ui_test

import (
	"testing"

	"marlpit/envs/envtest"
	"marlpit/envs/ui"
	"marlpit/envs/ui/paint"
)

var jarWorld = ui.World{
	ID: "jar-v0", Summary: "A jar of names.", Card: "A jar of names.", Templates: templates,
	Width: ui.DefaultWidth, Height: ui.DefaultHeight, Paint: paint.Screen,
}.Entry()

func TestContract(t *testing.T) {
	envtest.Run(t, jarWorld, nil, map[string]any{"agents": 1, "rounds": 1},
		map[string]any{"agents": 3, "rounds": 2, "graph": "random", "edge_update": 0.5, "words": "reworded", "split": "train"})
}
