package phone

import (
	"testing"

	"marlpit/envs/ui"
)

// do lets things happen to a phone.
func do(p *Phone, events ...ui.Event) {
	for _, e := range events {
		p.Update(e)
	}
}

func tapped(on string, key int) ui.Event { return ui.Event{Kind: ui.Click, On: on, Key: key} }
func held(on string, key int) ui.Event   { return ui.Event{Kind: ui.Press, On: on, Key: key} }
func input(on, text string) ui.Event     { return ui.Event{Kind: ui.Input, On: on, Text: text} }

func TestParseCents(t *testing.T) {
	for s, want := range map[string]int{"12": 1200, "12.5": 1250, "12.50": 1250, "0.05": 5, "99999.99": maxCents} {
		if n, ok := parseCents(s); n != want || !ok {
			t.Errorf("parseCents(%q) = %d, %t, want %d", s, n, ok, want)
		}
	}
	for _, s := range []string{"", ".", ".5", "12.", "12.505", "1,50", "-3", "1e3", "100000", "99999999999999999999", "1.2.3", "12 "} {
		if n, ok := parseCents(s); ok {
			t.Errorf("parseCents(%q) = %d, want it refused", s, n)
		}
	}
}

func TestExpenseIsEntered(t *testing.T) {
	p := filled(t, "expenses")
	k := &p.Expenses
	n, food := len(k.Entries), k.total("Food", monthOf(p.Today))
	do(p, tapped("new", 0), input("name", "Soup"), input("amount", "four"), tapped("save", 0))
	if len(k.Entries) != n {
		t.Fatal("an amount that isn't a number was saved")
	}
	do(p, input("amount", "4.2"), tapped("save", 0))
	e := k.named("Soup")
	if e == nil || e.Cents != 420 || e.Category != "Food" || e.Day != p.Today || k.Screen != "" {
		t.Fatalf("got %+v on screen %q", e, k.Screen)
	}
	if k.Entries[0].Day != p.Today {
		t.Errorf("the newest entry is of day %d, want it first: %d", k.Entries[0].Day, p.Today)
	}
	if got := k.total("Food", monthOf(p.Today)); got != food+420 {
		t.Errorf("Food sums up to %d, want %d", got, food+420)
	}
}

func TestFolderKeepsItsFiles(t *testing.T) {
	p := filled(t, "files")
	k := &p.Files
	docs, pics := k.folder("Documents").ID, k.folder("Pictures").ID
	inside := 0
	for _, n := range k.Nodes {
		if n.Folder == "Documents" {
			inside++
		}
	}
	do(p, held("node", docs), tapped("rename", 0), input("name", "Pictures"), tapped("save", 0))
	if k.node(docs).Name != "Documents" {
		t.Fatal("two folders have one name")
	}
	do(p, input("name", "Papers"), tapped("save", 0), held("node", docs), tapped("move", 0), tapped("to", docs))
	if k.node(docs).Folder != "" {
		t.Fatal("a folder was moved into itself")
	}
	do(p, tapped("to", pics))
	got := 0
	for _, n := range k.Nodes {
		if n.Folder == "Papers" {
			got++
		}
	}
	if got != inside || k.node(docs).Folder != "Pictures" {
		t.Fatalf("%d of %d files came along into %q", got, inside, k.node(docs).Folder)
	}
	do(p, held("node", pics), tapped("delete", 0), tapped("sure", 0))
	for _, n := range k.Nodes {
		if n.Folder == "Papers" || n.Folder == "Pictures" {
			t.Errorf("%s is left in the deleted folder %s", n.Name, n.Folder)
		}
	}
}

func TestAirplaneModeSwitchesOff(t *testing.T) {
	p := filled(t, "settings")
	s := &p.Settings
	s.setBluetooth(true)
	s.Gadgets[0].Connected = true
	do(p, tapped("airplane", 0))
	if !s.Airplane || s.Wifi || s.Bluetooth || s.Network != "" || s.Gadgets[0].Connected {
		t.Fatalf("something still sends: %+v", s)
	}
	do(p, tapped("section", 0), tapped("wifi", 0), tapped("network", 2), input("draft", "wrong"), tapped("connect", 0))
	if s.Network != "" || !s.Wrong {
		t.Fatalf("a wrong password led to %q", s.Network)
	}
	do(p, input("draft", s.Networks[2].Secret), tapped("connect", 0))
	if s.Network != s.Networks[2].Name || !s.Networks[2].Saved || s.Pick != "" {
		t.Fatalf("the right password didn't connect: %+v", s)
	}
}

func TestSlidersStopAtTheirEnds(t *testing.T) {
	p := filled(t, "settings")
	for range 20 {
		do(p, ui.Event{Kind: ui.Swipe, On: "brightness", Dir: ui.Right}, ui.Event{Kind: ui.Swipe, On: "level", Key: 1, Dir: ui.Left})
	}
	if s := &p.Settings; s.Brightness != maxLevel || s.Levels[1] != 0 {
		t.Errorf("brightness %d, ring volume %d", s.Brightness, s.Levels[1])
	}
}

func TestDraftIsSentOnce(t *testing.T) {
	p := filled(t, "mail")
	m := &p.Mail
	n := len(m.Letters)
	do(p, tapped("new", 0), input("subject", "Hi"), tapped("send", 0))
	if len(m.Letters) != n {
		t.Fatal("a mail to nobody was sent")
	}
	do(p, tapped("draft", 0))
	d := m.about("Hi")
	if d == nil || d.Folder != "Drafts" {
		t.Fatalf("the draft is %+v", d)
	}
	do(p, tapped("letter", d.ID), tapped("who", 0), tapped("person", p.Contacts.People[1].ID), tapped("send", 0))
	l := m.about("Hi")
	if len(m.Letters) != n+1 || l == nil || l.Folder != "Sent" || l.To != p.Contacts.People[1].Mail || l.From != myAddress || l.Minute != p.Now {
		t.Fatalf("%d letters more; %+v", len(m.Letters)-n, l)
	}
}

func TestReplyGoesToTheSender(t *testing.T) {
	p := filled(t, "mail")
	var in Letter
	for _, l := range p.Mail.Letters {
		if l.Folder == "Inbox" {
			in = l
		}
	}
	do(p, tapped("letter", in.ID), tapped("reply", 0), input("body", "Yes."), tapped("send", 0))
	for _, l := range p.Mail.Letters {
		if l.Prefix == "Re: " && l.To == in.From && l.Subject == in.Subject && l.Body == "Yes." {
			return
		}
	}
	t.Error("no reply was sent")
}

func TestAttachmentIsSavedOnce(t *testing.T) {
	p := filled(t, "mail")
	l := &p.Mail.Letters[0]
	l.Folder, l.Attached, l.Size = "Inbox", "plan.pdf", 7
	n := len(p.Files.Nodes)
	do(p, tapped("letter", l.ID), tapped("keep", 0), tapped("keep", 0))
	if f := p.Files.file("plan.pdf"); f == nil || f.Folder != "Downloads" || f.Size != 7 || len(p.Files.Nodes) != n+1 {
		t.Errorf("%d files more; %+v", len(p.Files.Nodes)-n, f)
	}
}

func TestOnlyCompletedTasksAreCleared(t *testing.T) {
	p := filled(t, "tasks")
	k := &p.Tasks
	open := 0
	for _, i := range k.Items {
		if !i.Done {
			open++
		}
	}
	do(p, tapped("tab", 1), tapped("clear", 0), tapped("sure", 0))
	if len(k.Items) != open || k.Screen != "" {
		t.Errorf("%d tasks are left, %d were open", len(k.Items), open)
	}
}

func TestPlayerGoesRoundInAPlaylist(t *testing.T) {
	p := filled(t, "music")
	k := &p.Music
	l := k.Playlists[0]
	do(p, tapped("list", l.ID), tapped("song", l.Songs[0]))
	if !k.Playing || k.Song != l.Songs[0] || k.From != l.Name {
		t.Fatalf("song %d of %q plays: %t", k.Song, k.From, k.Playing)
	}
	do(p, tapped("before", 0))
	if k.Song != l.Songs[len(l.Songs)-1] {
		t.Errorf("before the first comes song %d, want the last, %d", k.Song, l.Songs[len(l.Songs)-1])
	}
	do(p, tapped("next", 0))
	if k.Song != l.Songs[0] {
		t.Errorf("after the last comes song %d, want the first, %d", k.Song, l.Songs[0])
	}
	do(p, tapped("rename", 0), input("name", k.Playlists[1].Name), tapped("save", 0))
	if k.Playlists[0].Name != l.Name {
		t.Error("two playlists have one name")
	}
}
