package phone

import "marlpit/envs/ui"

var _ = add[likeArtist](ui.Template{
	Name: "music-like", Summary: "like all songs by an artist", Apps: []string{"music"},
	Kind: ui.Several, Level: 2, MaxTurns: 26,
})

// likeArtist asks for all of an artist's songs to be liked; some are already.
type likeArtist struct {
	Artist string
	mended
}

// Setup implements ui.Job.
func (a *likeArtist) Setup(p *Phone, t *ui.Task) {
	a.Artist = ui.Pick(t.Rand, artists)
	first := true
	for i := range p.Music.Songs {
		if s := &p.Music.Songs[i]; s.Artist == a.Artist && first {
			s.Liked, first = false, false
		}
	}
	t.Say("Mark all songs by "+a.Artist+" as liked.",
		"I like everything by "+a.Artist+": see to it that all of it is among my liked songs.")
	t.Offer(a.Artist, ui.Pick(t.Rand, artists))
}

// Want implements ui.Wanter.
func (a *likeArtist) Want(p *Phone) {
	for i := range p.Music.Songs {
		if s := &p.Music.Songs[i]; s.Artist == a.Artist {
			s.Liked = true
		}
	}
}
