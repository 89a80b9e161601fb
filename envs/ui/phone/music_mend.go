package phone

import (
	"slices"

	"marlpit/envs/ui"
)

// toward implements mender.
func (a *Music) toward(p, want *Phone, x *ui.Pilot) bool {
	step := a.lists(&want.Music)
	if step == nil {
		step = a.sounds(&want.Music)
	}
	switch {
	case step == nil:
		return false
	case p.Shown != "music":
		x.Open("music")
	default:
		step(x)
	}
	return true
}

// lists is the next step of what concerns playlists, which are told by their names.
func (a *Music) lists(w *Music) func(x *ui.Pilot) {
	for _, l := range a.Playlists {
		if w.has(l.Name) {
			continue
		}
		if to := w.list(l.ID); to != nil && !a.has(to.Name) {
			return func(x *ui.Pilot) { a.solveRename(x, l.ID, to.Name) }
		}
		return func(x *ui.Pilot) { a.solveDelete(x, l.ID) }
	}
	for _, to := range w.Playlists {
		l := a.called(to.Name)
		if l == nil {
			return func(x *ui.Pilot) { a.solveNew(x, to.Name) }
		}
		k := 0 // how many songs are right
		for k < len(l.Songs) && k < len(to.Songs) && l.Songs[k] == to.Songs[k] {
			k++
		}
		switch {
		case k < len(l.Songs):
			return func(x *ui.Pilot) {
				if a.inList(x, l.ID) {
					x.Tap("out", l.Songs[k])
				}
			}
		case k < len(to.Songs):
			return func(x *ui.Pilot) { a.solveAdd(x, to.Songs[k], l.ID) }
		}
	}
	return nil
}

// sounds is the next step of what concerns songs and the player.
func (a *Music) sounds(w *Music) func(x *ui.Pilot) {
	for i := range min(len(a.Songs), len(w.Songs)) {
		if s := &a.Songs[i]; s.Liked != w.Songs[i].Liked {
			return func(x *ui.Pilot) {
				if a.menu(x, s) {
					x.Tap("like", 0)
				}
			}
		}
	}
	inPlayer := func(on string) func(x *ui.Pilot) {
		return func(x *ui.Pilot) {
			if a.player(x) {
				x.Tap(on, 0)
			}
		}
	}
	switch {
	case w.Song == 0 && a.Song != 0:
		return inPlayer("stop")
	case a.Song != w.Song || a.From != w.From:
		return func(x *ui.Pilot) { a.solvePlay(x, w) }
	case a.Playing != w.Playing:
		return inPlayer("playing")
	case a.Shuffle != w.Shuffle:
		return inPlayer("shuffle")
	case a.Repeat != w.Repeat:
		return func(x *ui.Pilot) {
			x.Tap("again", index(repeats, w.Repeat))
			if a.player(x) {
				x.Tap("repeat", 0)
			}
		}
	}
	return nil
}

// tab leads to a part of the library.
func (a *Music) tab(x *ui.Pilot, tab int) bool {
	switch {
	case a.Screen != "":
		x.Back()
	case a.Tab != tab:
		x.Tap("tab", tab)
	default:
		return true
	}
	return false
}

// library leads to a song in the library.
func (a *Music) library(x *ui.Pilot, s *Song) bool {
	if a.Screen == "" && a.Tab < 2 && a.listed(s) {
		return true
	}
	if a.Screen == "" && a.Search != "" {
		x.Back()
	}
	return a.tab(x, 0)
}

// menu leads to the menu of a song.
func (a *Music) menu(x *ui.Pilot, s *Song) bool {
	if a.Screen == "menu" && a.Open == s.ID {
		return true
	}
	if a.library(x, s) {
		x.Hold("song", s.ID)
	}
	return false
}

// inList leads to the screen of a playlist.
func (a *Music) inList(x *ui.Pilot, id int) bool {
	if a.Screen == "list" && a.List == id {
		return true
	}
	if a.tab(x, 2) {
		x.Tap("list", id)
	}
	return false
}

// player leads to the player.
func (a *Music) player(x *ui.Pilot) bool {
	if a.Screen == "player" {
		return true
	}
	x.Tap("player", 0)
	if a.Screen != "" && a.Screen != "list" {
		x.Back()
	}
	if a.song(a.Song) == nil && len(a.Songs) > 0 { // the way leads over a song
		if s := &a.Songs[0]; a.library(x, s) {
			x.Tap("song", s.ID)
		}
	}
	return false
}

func (a *Music) solvePlay(x *ui.Pilot, w *Music) {
	l := a.called(w.From)
	s := a.song(w.Song)
	switch {
	case l != nil && a.inList(x, l.ID), l == nil && s != nil && a.library(x, s):
		x.Tap("song", w.Song)
	}
}

func (a *Music) solveNew(x *ui.Pilot, name string) {
	if a.Screen == "new" && a.Tab == 2 {
		if a.Draft != name {
			x.Type("name", 0, name)
		}
		x.Tap("make", 0)
	}
	if a.tab(x, 2) {
		x.Tap("new", 0)
	}
}

func (a *Music) solveRename(x *ui.Pilot, id int, name string) {
	if a.Screen == "rename" && a.List == id {
		if a.Draft != name {
			x.Type("name", 0, name)
		}
		x.Tap("save", 0)
	}
	if a.inList(x, id) {
		x.Tap("rename", 0)
	}
}

func (a *Music) solveDelete(x *ui.Pilot, id int) {
	if a.Screen == "delete" && a.List == id {
		x.Tap("sure", 0)
	}
	if a.inList(x, id) {
		x.Tap("delete", 0)
	}
}

func (a *Music) solveAdd(x *ui.Pilot, song, list int) {
	s, l := a.song(song), a.list(list)
	switch {
	case s == nil || l == nil || slices.Contains(l.Songs, song):
	case a.Screen == "add" && a.Open == song:
		x.Tap("to", list)
	case a.menu(x, s):
		x.Tap("add", 0)
	}
}
