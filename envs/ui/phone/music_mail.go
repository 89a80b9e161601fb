package phone

import "marlpit/envs/ui"

var _ = add[mailedSongs](ui.Template{
	Name: "music-mail", Summary: "make the playlist that a mail proposes", Apps: []string{"music", "mail"},
	Kind: ui.Transfer, Level: 3, MaxTurns: 40,
})

// mailedSongs asks for a playlist of the songs that stand in a mail.
type mailedSongs struct {
	Letter int
	Name   string
	Songs  [2]int
}

// Setup implements ui.Job.
func (a *mailedSongs) Setup(p *Phone, t *ui.Task) {
	a.Name = fresh(t, playlistNames, p.Music.has)
	songs := ui.Draw(t.Rand, p.Music.Songs, 3)
	a.Songs = [2]int{songs[0].ID, songs[1].ID}
	who := ui.Pick(t.Rand, p.Contacts.People)
	a.Letter = p.Mail.put(Letter{Folder: boxes[0], From: who.Mail, To: myAddress, Subject: "Songs for " + a.Name,
		Body: "Start with " + songs[0].Title + ", then " + songs[1].Title + ". Leave out " + songs[2].Title + ".", Day: p.Today - 1, Minute: 700})
	t.Say(who.Name+" proposes two songs in a mail. Make a playlist \""+a.Name+"\" of them, in the order of the mail.",
		"Create the playlist "+a.Name+" with just the songs that the mail from "+who.Name+" about it asks for, in that order.")
	t.Offer(a.Name, ui.Pick(t.Rand, playlistNames), songs[0].Title, songs[1].Title, songs[2].Title)
}

// Want implements ui.Wanter.
func (a *mailedSongs) Want(p *Phone) {
	p.Music.put(Playlist{Name: a.Name, Songs: []int{a.Songs[0], a.Songs[1]}})
}

// Solve implements ui.Job.
func (a *mailedSongs) Solve(p *Phone, x *ui.Pilot) {
	if !p.Music.has(a.Name) && !readFirst(p, x, a.Letter) {
		return
	}
	finish(p, x)
}

// readFirst leads to a letter that has to be read before the rest is known: true once it is on the mail's screen.
func readFirst(p *Phone, x *ui.Pilot, letter int) bool {
	l := p.Mail.letter(letter)
	switch {
	case l == nil || p.Mail.Screen == "read" && p.Mail.Open == letter:
		return true
	case p.Shown != "mail":
		x.Open("mail")
	default:
		p.Mail.read(x, l)
	}
	return false
}
