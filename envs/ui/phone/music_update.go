package phone

import (
	"slices"

	"marlpit/envs/ui"
)

func (a *Music) update(_ *Phone, e ui.Event) bool {
	switch {
	case e.Kind == ui.Back, e.Is(ui.Click, "close"):
		return a.back()
	case e.Is(ui.Input, "search"):
		a.Search = e.Text
	case e.Is(ui.Input, "name"):
		a.Draft = e.Text
	case e.Is(ui.Click, "tab") && e.Key >= 0 && e.Key < 3:
		a.Tab = e.Key
	case e.Is(ui.Click, "player"), e.Is(ui.Click, "repeat"):
		a.Screen = e.On
	case e.Is(ui.Click, "playing"):
		a.Playing = !a.Playing && a.song(a.Song) != nil
	case e.Is(ui.Click, "stop"):
		a.Song, a.From, a.Playing = 0, "", false
	case e.Is(ui.Click, "before"):
		a.skip(-1)
	case e.Is(ui.Click, "next"):
		a.skip(1)
	case e.Is(ui.Click, "shuffle"):
		a.Shuffle = !a.Shuffle
	case e.Is(ui.Click, "again"):
		if r, ok := chosen(e, "again", repeats); ok {
			a.Repeat, a.Screen = r, "player"
		}
	case e.Is(ui.Click, "new"):
		a.Screen, a.Draft = "new", ""
	case e.Is(ui.Click, "make") && a.free(a.Draft, 0):
		a.put(Playlist{Name: a.Draft})
		a.Screen = ""
	case e.Is(ui.Click, "list"):
		a.Screen, a.List = "list", e.Key
	default:
		a.onSong(e)
		a.onList(e)
	}
	return true
}

// onSong handles what is done to songs of the library or of the playlist shown.
func (a *Music) onSong(e ui.Event) {
	s := a.song(a.Open)
	switch {
	case e.Is(ui.Click, "song") && a.song(e.Key) != nil:
		from := ""
		if l := a.list(a.List); l != nil && a.Screen == "list" {
			from = l.Name
		}
		a.play(e.Key, from)
	case e.Is(ui.Press, "song"):
		a.Screen, a.Open = "menu", e.Key
	case s == nil:
	case e.Is(ui.Click, "like"):
		s.Liked, a.Screen = !s.Liked, ""
	case e.Is(ui.Click, "add"):
		a.Screen = "add"
	case e.Is(ui.Click, "to"):
		if l := a.list(e.Key); l != nil && !slices.Contains(l.Songs, s.ID) {
			l.Songs, a.Screen = append(l.Songs, s.ID), ""
		}
	}
}

// onList handles what is done to the playlist shown.
func (a *Music) onList(e ui.Event) {
	l := a.list(a.List)
	switch {
	case l == nil:
	case e.Is(ui.Click, "out"):
		if i := slices.Index(l.Songs, e.Key); i >= 0 {
			l.Songs = slices.Delete(l.Songs, i, i+1)
		}
	case e.Is(ui.Click, "rename"):
		a.Screen, a.Draft = "rename", l.Name
	case e.Is(ui.Click, "save") && a.free(a.Draft, l.ID):
		if a.From == l.Name {
			a.From = a.Draft
		}
		l.Name, a.Screen = a.Draft, "list"
	case e.Is(ui.Click, "delete"):
		a.Screen = "delete"
	case e.Is(ui.Click, "sure") && a.Screen == "delete":
		if a.From == l.Name {
			a.From = ""
		}
		a.remove(l.ID)
		a.Screen, a.List = "", 0
	}
}

// free says whether a playlist may have a name: the one of an ID has it already.
func (a *Music) free(name string, id int) bool {
	l := a.called(name)
	return name != "" && (l == nil || l.ID == id)
}

// back leaves what is uppermost.
func (a *Music) back() bool {
	switch a.Screen {
	case "rename", "delete":
		a.Screen = "list"
	case "repeat":
		a.Screen = "player"
	case "":
		if a.Tab == 0 && a.Search == "" {
			return false
		}
		a.open()
	default:
		a.Screen = ""
	}
	return true
}
