package phone

import "marlpit/envs/ui"

var _ = add[party](ui.Template{
	Name: "music-party", Summary: "play a playlist from its first song, shuffled and repeated", Apps: []string{"music"},
	Kind: ui.Setting, Level: 3, MaxTurns: 18,
})

// party asks for a playlist to be played, shuffled and repeated.
type party struct {
	List string
	mended
}

// Setup implements ui.Job.
func (a *party) Setup(p *Phone, t *ui.Task) {
	a.List = ui.Pick(t.Rand, p.Music.Playlists).Name
	t.Say("Start the playlist \""+a.List+"\" with its first song, turn shuffle on and set repeat to all.",
		"Play "+a.List+" from the first song on. Shuffle should be on, and everything be repeated.")
	t.Offer(a.List, ui.Pick(t.Rand, p.Music.Playlists).Name)
}

// Want implements ui.Wanter.
func (a *party) Want(p *Phone) {
	k := &p.Music
	k.play(k.called(a.List).Songs[0], a.List)
	k.Shuffle, k.Repeat = true, repeats[1]
}
