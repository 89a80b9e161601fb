package web

import (
	"marlpit/envs"
	"marlpit/envs/ui"
)

// width and height are a page's size in pixels.
const (
	width  = 320
	height = 480
)

// templates are all task templates; each page's file adds its own.
var templates []ui.Template

// page is a pointer to a page's state: a simulation that ends the episode itself.
type page[S any] interface {
	*S
	ui.Sim
	ui.Ender
	ui.Sizer
	fill(r *envs.Rand) // a seeded content
}

// Base is what every page has; embed it.
type Base struct {
	Done bool `ui:"view"` // what ends the page's episode has been done
}

// Ended implements ui.Ender.
func (b *Base) Ended() bool { return b.Done }

// Size implements ui.Sizer.
func (b *Base) Size() (int, int) { return width, height }

// add adds a template whose page is S and whose job is J. A task is one file that calls it:
//
//	var _ = add[clickButtonPage, clickButton](ui.Template{Name: "click-button", …})
func add[S, J any, PS page[S], PJ interface {
	*J
	ui.Job[S]
}](t ui.Template) struct{} {
	templates = append(templates, ui.Define[S, J, PS, PJ](t, func(s *S, r *envs.Rand) { PS(s).fill(r) }))
	return struct{}{}
}
