package phone

import (
	"slices"

	"marlpit/envs/ui"
)

var _ = add[missingSong](ui.Template{
	Name: "music-missing", Summary: "add a song that isn't in the library", Apps: []string{"music"},
	Kind: ui.Infeasible, Level: 2, MaxTurns: 8, Easy: true, HeldOut: true,
})

// missingSong asks for a song that the library doesn't have.
type missingSong struct{ Title string }

// Setup implements ui.Job.
func (a *missingSong) Setup(p *Phone, t *ui.Task) {
	a.Title = fresh(t, songTitles, func(title string) bool {
		return slices.ContainsFunc(p.Music.Songs, func(s Song) bool { return s.Title == title })
	})
	list := ui.Pick(t.Rand, p.Music.Playlists).Name
	t.Say("Add the song \""+a.Title+"\" to the playlist \""+list+"\".",
		"The playlist "+list+" should have "+a.Title+" in it.")
	t.Offer(a.Title, list)
	t.Infeasible = true
}

// Solve implements ui.Job.
func (a *missingSong) Solve(p *Phone, x *ui.Pilot) {
	switch k := &p.Music; {
	case mend(p, x):
	case p.Shown != "music":
		x.Open("music")
	case !k.tab(x, 0):
	case k.Search != a.Title:
		x.Type("search", 0, a.Title)
	default:
		x.Infeasible()
	}
}
