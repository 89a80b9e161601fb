package phone

import "marlpit/envs/ui"

var _ = add[deletePlaylist](ui.Template{
	Name: "music-delete", Summary: "delete a playlist", Apps: []string{"music"},
	Kind: ui.Delete, Level: 1, MaxTurns: 12,
})

// deletePlaylist asks for a playlist to be deleted.
type deletePlaylist struct {
	List string
	mended
}

// Setup implements ui.Job.
func (a *deletePlaylist) Setup(p *Phone, t *ui.Task) {
	a.List = ui.Pick(t.Rand, p.Music.Playlists).Name
	t.Say("Delete the playlist \""+a.List+"\".", "I don't listen to "+a.List+" any more. Remove that playlist.")
	t.Offer(a.List)
}

// Want implements ui.Wanter.
func (a *deletePlaylist) Want(p *Phone) { p.Music.remove(p.Music.called(a.List).ID) }
