package phone

import (
	"strings"

	"marlpit/envs/ui"
)

var _ = add[longestSong](ui.Template{
	Name: "music-longest", Summary: "find the longest song of a playlist", Apps: []string{"music"},
	Kind: ui.Find, Level: 2, MaxTurns: 12, Easy: true,
})

// longestSong asks for the longest song of a playlist.
type longestSong struct {
	List   int
	Answer string
}

// Setup implements ui.Job.
func (a *longestSong) Setup(p *Phone, t *ui.Task) {
	l := ui.Pick(t.Rand, p.Music.Playlists)
	a.List = l.ID
	longest := p.Music.song(l.Songs[0])
	for _, id := range l.Songs {
		if s := p.Music.song(id); s.Seconds > longest.Seconds {
			longest = s
		}
	}
	longest.Seconds++ // so that it is alone
	length := ui.Clock(longest.Seconds)
	a.Answer = longest.Title + ", " + length
	t.Say("Which song of the playlist \""+l.Name+"\" is the longest, and how long is it? Answer with title and length.",
		"Tell me title and length of the longest song in my playlist "+l.Name+".")
	t.Answer("title", longest.Title)
	t.Answer("length", length, strings.TrimPrefix(length, "0"))
	t.Offer(a.Answer)
	for _, id := range l.Songs[:3] {
		if s := p.Music.song(id); s != longest {
			t.Offer(s.Title+", "+ui.Clock(s.Seconds), longest.Title+", "+ui.Clock(s.Seconds-1))
		}
	}
}

// Solve implements ui.Job.
func (a *longestSong) Solve(p *Phone, x *ui.Pilot) {
	switch {
	case mend(p, x):
	case x.Answered() == a.Answer:
		x.Complete()
	case p.Shown != "music":
		x.Open("music")
	case p.Music.inList(x, a.List):
		x.Answer(a.Answer)
	}
}
