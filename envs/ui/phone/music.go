package phone

import (
	"slices"

	"marlpit/envs"
	"marlpit/envs/ui"
)

// Music is the app of songs and lists of them.
type Music struct {
	Songs     []Song
	Playlists []Playlist `ui:"set"`
	Next      int        `ui:"id"` // the next playlist's ID

	Playing bool
	Song    int    // ID of the song in the player, 0 for none
	From    string // the playlist that it was started from, "" for the library
	Shuffle bool
	Repeat  string // one of repeats

	Screen string `ui:"view"` // "" the library, "list" a playlist, "player", and over them "menu", "add", "new", "rename", "delete", "repeat"
	Tab    int    `ui:"view"` // of the library: songs, liked songs, playlists
	Open   int    `ui:"view"` // ID of the song that a menu is about
	List   int    `ui:"view"` // ID of the playlist shown
	Search string `ui:"view"`
	Draft  string `ui:"view"` // the name of a playlist being typed
}

// Song is one song of the library. Its ID is its number there, from 1.
type Song struct {
	ID      int
	Title   string
	Artist  string
	Seconds int
	Liked   bool
}

// Playlist is a list of songs in order.
type Playlist struct {
	ID    int `ui:"id"`
	Name  string
	Songs []int // IDs of songs
}

var (
	repeats       = []string{"off", "all", "one"}
	playlistNames = []string{"Morning", "Running", "Dinner", "Long drive", "Rainy day", "Study", "Dancing", "Sleep", "Workshop", "Picnic"}
	artists       = []string{"The Paper Boats", "Nora Quill", "Salt Harbour", "Velvet Engine"}
	songTitles    = []string{"Blue Ferry", "Seven Lanterns", "Northern Stairs", "Glass Orchard", "Slow Comet", "Harvest Line",
		"Cinnamon Street", "Echo Valley", "Paper Moonlight", "Iron Garden", "Winter Postcard", "Carousel", "Tin Roof Rain",
		"Hollow Hill", "Marble Run", "Open Window", "Last Tram", "Saffron Sky"}
)

func (a *Music) fill(_ *Phone, r *envs.Rand) {
	*a = Music{Songs: a.Songs[:0], Playlists: a.Playlists[:0], Next: 1, Repeat: repeats[0]}
	for i, title := range ui.Draw(r, songTitles, 14) {
		a.Songs = append(a.Songs, Song{ID: i + 1, Title: title, Artist: artists[i%len(artists)], Seconds: 120 + r.Intn(240), Liked: r.Intn(4) == 0})
	}
	for _, name := range ui.Draw(r, playlistNames, 3) {
		a.put(Playlist{Name: name})
		l := &a.Playlists[len(a.Playlists)-1]
		for _, s := range ui.Draw(r, a.Songs, 3+r.Intn(3)) {
			l.Songs = append(l.Songs, s.ID)
		}
	}
}

// open leads to the library.
func (a *Music) open() {
	a.Screen, a.Tab, a.Open, a.List, a.Search, a.Draft = "", 0, 0, 0, "", ""
}

// put adds a playlist under an ID of its own.
func (a *Music) put(l Playlist) {
	a.Playlists = room(a.Playlists)
	k := &a.Playlists[len(a.Playlists)-1]
	*k = Playlist{ID: a.Next, Name: l.Name, Songs: append(emptied(k.Songs), l.Songs...)}
	a.Next++
}

// song is the one of an ID, or nil.
func (a *Music) song(id int) *Song {
	for i := range a.Songs {
		if a.Songs[i].ID == id {
			return &a.Songs[i]
		}
	}
	return nil
}

// list is the playlist of an ID, or nil.
func (a *Music) list(id int) *Playlist {
	for i := range a.Playlists {
		if a.Playlists[i].ID == id {
			return &a.Playlists[i]
		}
	}
	return nil
}

// called is the playlist of a name, or nil.
func (a *Music) called(name string) *Playlist {
	for i := range a.Playlists {
		if a.Playlists[i].Name == name {
			return &a.Playlists[i]
		}
	}
	return nil
}

// has says whether there is a playlist of a name.
func (a *Music) has(name string) bool { return a.called(name) != nil }

func (a *Music) remove(id int) {
	if i := slices.IndexFunc(a.Playlists, func(l Playlist) bool { return l.ID == id }); i >= 0 {
		a.Playlists = discard(a.Playlists, i)
	}
}

// listed says whether the library shows a song.
func (a *Music) listed(s *Song) bool {
	return (a.Tab == 0 || a.Tab == 1 && s.Liked) && (hasFold(s.Title, a.Search) || hasFold(s.Artist, a.Search))
}

// play starts a song of a playlist, or of the library.
func (a *Music) play(song int, from string) { a.Song, a.From, a.Playing = song, from, true }

// skip goes by songs in what is being played, round and round.
func (a *Music) skip(by int) {
	if l := a.called(a.From); l != nil && len(l.Songs) > 0 {
		i := slices.Index(l.Songs, a.Song)
		a.Song = l.Songs[((max(0, i)+by)%len(l.Songs)+len(l.Songs))%len(l.Songs)]
		return
	}
	if n := len(a.Songs); n > 0 {
		i := max(0, slices.IndexFunc(a.Songs, func(s Song) bool { return s.ID == a.Song }))
		a.Song = a.Songs[((i+by)%n+n)%n].ID
	}
}
