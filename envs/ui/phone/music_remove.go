package phone

import (
	"slices"

	"marlpit/envs/ui"
)

var _ = add[removeSongs](ui.Template{
	Name: "music-remove", Summary: "take an artist's songs out of a playlist", Apps: []string{"music"},
	Kind: ui.Several, Level: 3, MaxTurns: 20, HeldOut: true,
})

// removeSongs asks for an artist's songs to be taken out of a playlist, which itself names no artists.
type removeSongs struct {
	List, Artist string
	mended
}

// Setup implements ui.Job.
func (a *removeSongs) Setup(p *Phone, t *ui.Task) {
	l := ui.Pick(t.Rand, p.Music.Playlists)
	a.List, a.Artist = l.Name, p.Music.song(ui.Pick(t.Rand, l.Songs)).Artist
	t.Say("Take all songs by "+a.Artist+" out of the playlist \""+a.List+"\".",
		"I'm tired of "+a.Artist+": none of their songs should be left in the playlist "+a.List+".")
	t.Offer(a.Artist, a.List)
}

// Want implements ui.Wanter.
func (a *removeSongs) Want(p *Phone) {
	l := p.Music.called(a.List)
	l.Songs = slices.DeleteFunc(l.Songs, func(id int) bool { return p.Music.song(id).Artist == a.Artist })
}
