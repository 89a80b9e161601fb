package phone

import (
	"slices"

	"marlpit/envs/ui"
)

const playerBar = 44 // pixels kept for what is being played

func (a *Music) view(_ *Phone, b *ui.Builder) {
	l := a.list(a.List)
	switch {
	case a.Screen == "player" || a.Screen == "repeat":
		a.viewPlayer(b)
	case l != nil && (a.Screen == "list" || a.Screen == "rename" || a.Screen == "delete"):
		a.viewList(b, l)
	default:
		a.viewLibrary(b)
	}
}

func (a *Music) viewLibrary(b *ui.Builder) {
	b.Heading("Music")
	b.Row(3)
	b.Tab("tab", 0, "Songs", a.Tab == 0)
	b.Tab("tab", 1, "Liked", a.Tab == 1)
	b.Tab("tab", 2, "Playlists", a.Tab == 2)
	if a.Tab == 2 {
		b.Button("new", 0, "New playlist")
		b.Scroll("lists", playerBar)
		for i := range a.Playlists {
			l := &a.Playlists[i]
			b.Item("list", l.ID, l.Name, b.Cat(b.Int(len(l.Songs)), " songs"))
		}
	} else {
		b.Field("search", 0, "Search", a.Search)
		b.Scroll("songs", playerBar)
		for i := range a.Songs {
			if s := &a.Songs[i]; a.listed(s) {
				a.viewSong(b, s)
			}
		}
	}
	b.End()
	a.viewBar(b)
	s := a.song(a.Open)
	switch {
	case a.Screen == "new":
		a.viewName(b, "New playlist", "make", 0)
	case s == nil:
	case a.Screen == "menu":
		menu(b, s.Title)
		b.Check("like", 0, "Liked", s.Liked)
		b.Button("add", 0, "Add to playlist")
	case a.Screen == "add":
		menu(b, b.Cat("Add ", s.Title, " to"))
		b.Scroll("targets", 0)
		for i := range a.Playlists {
			l := &a.Playlists[i]
			b.Option("to", l.ID, l.Name, false).Disable(slices.Contains(l.Songs, s.ID))
		}
		b.End()
	}
}

// viewSong lists a song.
func (a *Music) viewSong(b *ui.Builder, s *Song) {
	liked := ""
	if s.Liked {
		liked = ", liked"
	}
	b.Item("song", s.ID, s.Title, b.Cat(s.Artist, ", ", b.Clock(s.Seconds), liked)).Long().Select(s.ID == a.Song)
}

// viewBar shows below everything what is being played.
func (a *Music) viewBar(b *ui.Builder) {
	if s := a.song(a.Song); s != nil {
		b.Row(2)
		b.Button("player", 0, s.Title).Describe("in the player")
		b.Icon("playing", 0, playWord(a.Playing))
	}
}

func (a *Music) viewList(b *ui.Builder, l *Playlist) {
	b.Heading(l.Name)
	b.Row(2)
	b.Button("rename", 0, "Rename")
	b.Button("delete", 0, "Delete")
	b.Scroll("songs", playerBar)
	for _, id := range l.Songs {
		if s := a.song(id); s != nil {
			b.Row(2)
			b.Item("song", s.ID, s.Title, b.Clock(s.Seconds)).Select(s.ID == a.Song)
			b.Button("out", s.ID, "Remove").Describe(s.Title)
		}
	}
	b.End()
	a.viewBar(b)
	switch a.Screen {
	case "rename":
		a.viewName(b, "Rename playlist", "save", l.ID)
	case "delete":
		sure(b, b.Cat("Delete ", l.Name, "?"))
	}
}

func (a *Music) viewPlayer(b *ui.Builder) {
	b.Heading("Player")
	if s := a.song(a.Song); s != nil {
		b.Label(s.Title).Describe("title")
		b.Label(s.Artist).Describe("artist")
		b.Label(b.Clock(s.Seconds)).Describe("length")
	}
	if a.From != "" {
		b.Label(a.From).Describe("playlist")
	}
	b.Row(3)
	b.Icon("before", 0, "Previous")
	b.Icon("playing", 0, playWord(a.Playing))
	b.Icon("next", 0, "Next")
	b.Button("stop", 0, "Stop").Disable(a.Song == 0)
	b.Switch("shuffle", 0, "Shuffle", a.Shuffle)
	b.Select("repeat", 0, "Repeat", a.Repeat)
	if a.Screen == "repeat" {
		choose(b, "again", "Repeat", repeats, a.Repeat)
	}
}

func (a *Music) viewName(b *ui.Builder, title, on string, id int) {
	b.Dialog(title)
	b.Field("name", 0, "Name", a.Draft)
	b.Row(2)
	b.Button("close", 0, "Cancel")
	b.Button(on, 0, "OK").Disable(!a.free(a.Draft, id))
}

func playWord(playing bool) string {
	if playing {
		return "Pause"
	}
	return "Play"
}
