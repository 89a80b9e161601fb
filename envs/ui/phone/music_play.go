package phone

import "marlpit/envs/ui"

var _ = add[playSong](ui.Template{
	Name: "music-play", Summary: "play a song of the library", Apps: []string{"music"},
	Kind: ui.Operate, Level: 1, MaxTurns: 10,
})

// playSong asks for a song to be played.
type playSong struct {
	Song int
	mended
}

// Setup implements ui.Job.
func (a *playSong) Setup(p *Phone, t *ui.Task) {
	s := ui.Pick(t.Rand, p.Music.Songs)
	a.Song = s.ID
	t.Say("Play the song \""+s.Title+"\" from the library.",
		"I'd like to hear "+s.Title+" by "+s.Artist+", straight from the library.")
	t.Offer(s.Title, s.Artist, ui.Pick(t.Rand, p.Music.Songs).Title)
}

// Want implements ui.Wanter.
func (a *playSong) Want(p *Phone) { p.Music.play(a.Song, "") }
