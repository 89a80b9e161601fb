package phone

import "marlpit/envs/ui"

var _ = add[newPlaylist](ui.Template{
	Name: "music-new", Summary: "make a playlist of two songs, in order", Apps: []string{"music"},
	Kind: ui.Create, Level: 3, MaxTurns: 34,
})

// newPlaylist asks for a playlist of two songs.
type newPlaylist struct {
	Name  string
	Songs [2]int
	mended
}

// Setup implements ui.Job.
func (a *newPlaylist) Setup(p *Phone, t *ui.Task) {
	a.Name = fresh(t, playlistNames, p.Music.has)
	two := ui.Draw(t.Rand, p.Music.Songs, 2)
	a.Songs = [2]int{two[0].ID, two[1].ID}
	t.Say("Make a playlist \""+a.Name+"\" with the songs \""+two[0].Title+"\" and \""+two[1].Title+"\", in this order.",
		"Create the playlist "+a.Name+". Add "+two[0].Title+" to it first, then "+two[1].Title+".")
	t.Offer(a.Name, ui.Pick(t.Rand, playlistNames), two[0].Title, two[1].Title)
}

// Want implements ui.Wanter.
func (a *newPlaylist) Want(p *Phone) {
	p.Music.put(Playlist{Name: a.Name, Songs: []int{a.Songs[0], a.Songs[1]}})
}
