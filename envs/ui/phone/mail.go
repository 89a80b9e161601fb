package phone

import (
	"cmp"
	"slices"

	"marlpit/envs"
	"marlpit/envs/ui"
)

// Mail is the app of letters.
type Mail struct {
	Letters []Letter `ui:"set"` // the newest first
	Next    int      `ui:"id"`  // the next letter's ID

	Folder string `ui:"view"` // one of boxes: the one listed
	Screen string `ui:"view"` // "" the list, "read", "compose", and over the list "menu", "folder", "move", "erase", "empty"
	Open   int    `ui:"view"` // ID of the letter it is about; of "compose", that of the draft, or 0
	Search string `ui:"view"`
	Draft  Letter `ui:"view"`
	Pick   string `ui:"view"` // what is being chosen for the draft: "who", "file" or ""
}

// Letter is one mail.
type Letter struct {
	ID       int `ui:"id"`
	Folder   string
	From     string // an address
	To       string // an address
	Prefix   string // of the subject: "", "Re: " or "Fwd: "
	Subject  string
	Body     string
	Day      int
	Minute   int
	Starred  bool
	Attached string // the name of a file, "" for none
	Size     int    // its size in kB
	Read     bool   `ui:"view"`
}

const myAddress = "me@example.org"

var boxes = []string{"Inbox", "Sent", "Drafts", "Archive", "Trash"}

// smallTalk is what people write about: subject and body.
var smallTalk = [][2]string{
	{"Lunch on Friday", "Shall we try the new place by the river?"},
	{"Your umbrella", "You left it in my hall. I'll bring it along."},
	{"Choir practice", "We start half an hour later than usual."},
	{"Photos of the hike", "The best ones are from the second day."},
	{"Spare key", "It hangs behind the letter box."},
	{"Old records", "Would you like to have them? Else they go to the market."},
	{"Power cut", "They say it lasts until noon."},
	{"Neighbours' party", "It may get loud on Saturday, sorry."},
	{"Garden tools", "The rake is back in the shed."},
	{"Train times", "The early one doesn't run on holidays."},
	{"Reading circle", "Next time we talk about the last three chapters."},
	{"Ladder", "Could I borrow yours at the weekend?"},
	{"Quarterly figures", "Please look at the second table before Monday."},
	{"Office move", "Boxes will be on your desk by Wednesday."},
	{"Bread recipe", "The secret is a cold night in the fridge."},
	{"Lost glove", "Is the left one yours?"},
}

func (a *Mail) fill(p *Phone, r *envs.Rand) {
	*a = Mail{Letters: a.Letters[:0], Next: 1, Folder: boxes[0]}
	for i, s := range ui.Draw(r, smallTalk, 12) {
		l := Letter{Folder: boxes[0], From: ui.Pick(r, p.Contacts.People).Mail, To: myAddress, Subject: s[0], Body: s[1],
			Day: p.Today - 1 - r.Intn(20), Minute: 7*60 + r.Intn(14*60), Starred: r.Intn(5) == 0, Read: r.Intn(3) > 0}
		switch i {
		case 8:
			l.Folder, l.From, l.To = boxes[1], l.To, l.From
		case 9:
			l.Folder = boxes[3]
		case 10, 11:
			l.Folder = boxes[4]
		}
		a.put(l)
	}
}

func (a *Mail) open() {
	*a = Mail{Letters: a.Letters, Next: a.Next, Folder: boxes[0]}
}

// put adds a letter under an ID of its own and returns that.
func (a *Mail) put(l Letter) int {
	l.ID = a.Next
	a.Next++
	a.Letters = append(a.Letters, l)
	a.sort()
	return l.ID
}

// sort puts the newest first.
func (a *Mail) sort() {
	slices.SortStableFunc(a.Letters, func(l, m Letter) int {
		return cmp.Or(cmp.Compare(m.Day, l.Day), cmp.Compare(m.Minute, l.Minute))
	})
}

// letter is the one of an ID, or nil.
func (a *Mail) letter(id int) *Letter {
	for i := range a.Letters {
		if a.Letters[i].ID == id {
			return &a.Letters[i]
		}
	}
	return nil
}

// about is the first letter of a subject, or nil.
func (a *Mail) about(subject string) *Letter {
	for i := range a.Letters {
		if a.Letters[i].Subject == subject {
			return &a.Letters[i]
		}
	}
	return nil
}

// listed says whether the list shows a letter.
func (a *Mail) listed(l *Letter) bool {
	return l.Folder == a.Folder && (hasFold(l.Subject, a.Search) || hasFold(l.From, a.Search) || hasFold(l.To, a.Search))
}

func (a *Mail) remove(id int) {
	a.Letters = slices.DeleteFunc(a.Letters, func(l Letter) bool { return l.ID == id })
}

// compose opens the screen of a draft.
func (a *Mail) compose(id int, draft Letter) {
	a.Screen, a.Open, a.Draft, a.Pick = "compose", id, draft, ""
	a.Draft.ID, a.Draft.From, a.Draft.Starred, a.Draft.Read = 0, myAddress, false, true
}

// file puts the draft into a folder, in place of the draft that it was.
func (a *Mail) file(p *Phone, folder string) {
	if l := a.letter(a.Open); l != nil && l.Folder == boxes[2] {
		a.remove(l.ID)
	}
	a.Draft.Folder, a.Draft.Day, a.Draft.Minute = folder, p.Today, p.Now
	a.put(a.Draft)
	a.Screen, a.Open = "", 0
}
