package phone

import "marlpit/envs/ui"

var _ = add[renamePlaylist](ui.Template{
	Name: "music-rename", Summary: "rename a playlist", Apps: []string{"music"},
	Kind: ui.Edit, Level: 1, MaxTurns: 14,
})

// renamePlaylist asks for another name of a playlist.
type renamePlaylist struct {
	Old, New string
	mended
}

// Setup implements ui.Job.
func (a *renamePlaylist) Setup(p *Phone, t *ui.Task) {
	a.Old, a.New = ui.Pick(t.Rand, p.Music.Playlists).Name, fresh(t, playlistNames, p.Music.has)
	t.Say("Rename the playlist \""+a.Old+"\" to \""+a.New+"\".",
		"The playlist "+a.Old+" should be called "+a.New+".")
	t.Offer(a.New, a.Old, fresh(t, playlistNames, p.Music.has))
}

// Want implements ui.Wanter.
func (a *renamePlaylist) Want(p *Phone) { p.Music.called(a.Old).Name = a.New }
