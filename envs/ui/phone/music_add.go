package phone

import (
	"slices"

	"marlpit/envs/ui"
)

var _ = add[addSong](ui.Template{
	Name: "music-add", Summary: "add a song to a playlist", Apps: []string{"music"},
	Kind: ui.Edit, Level: 1, MaxTurns: 12,
})

// addSong asks for a song to be added to a playlist.
type addSong struct {
	List string
	Song int
	mended
}

// Setup implements ui.Job.
func (a *addSong) Setup(p *Phone, t *ui.Task) {
	l := ui.Pick(t.Rand, p.Music.Playlists)
	s := ui.Pick(t.Rand, p.Music.Songs)
	for slices.Contains(l.Songs, s.ID) {
		s = ui.Pick(t.Rand, p.Music.Songs)
	}
	a.List, a.Song = l.Name, s.ID
	t.Say("Add the song \""+s.Title+"\" to the playlist \""+a.List+"\".",
		"The playlist "+a.List+" should end with "+s.Title+". Add it.")
	t.Offer(s.Title, a.List)
}

// Want implements ui.Wanter.
func (a *addSong) Want(p *Phone) {
	l := p.Music.called(a.List)
	l.Songs = append(l.Songs, a.Song)
}
