package phone

import (
	"marlpit/envs"
	"marlpit/envs/ui"
)

// Notes is the app of notes and lists.
type Notes struct {
	Notes []Note `ui:"set"` // shown in this order, pinned ones first
	Next  int    `ui:"id"`  // the next ID, of a note or an entry

	Screen string    `ui:"view"` // "" the list, "note", "edit", "menu", "delete"
	Pick   bool      `ui:"view"` // folders to choose from cover "edit" or "menu"
	Folder string    `ui:"view"` // the list shows this one only; "" all
	Search string    `ui:"view"`
	Open   int       `ui:"view"` // ID of the note shown, 0 for a new one
	Draft  NoteDraft `ui:"view"`
	Entry  string    `ui:"view"` // a new entry, as typed
}

// Note is one note, with a list of things to tick off that may be empty.
type Note struct {
	ID      int `ui:"id"`
	Title   string
	Body    string
	Folder  string
	Pinned  bool
	Entries []Entry `ui:"set"`
}

// Entry is one entry of a note's list.
type Entry struct {
	ID   int `ui:"id"`
	Text string
	Done bool
}

// NoteDraft is what the form of a note holds.
type NoteDraft struct{ Title, Body, Folder string }

var (
	noteFolders = []string{"Home", "Work", "Ideas"}

	// noteTitles and noteBodies are notes without a list.
	noteTitles = []string{"Shed paint", "Bread recipe", "Quiet places", "Speech", "Neighbours", "Garden plan", "Bike repair",
		"Book quotes", "Piano practice", "Meter reading", "Holiday wishes", "Kitchen shelf"}
	noteBodies = []string{"Ask the shop for a second opinion.", "Start with the left side.", "Half an hour is enough.",
		"The old one is in the cellar.", "Compare both before spring.", "Small steps, every week.", "Measure twice.",
		"Better in the morning.", "Needs a new screw.", "See page forty."}

	// listTitles are notes with a list, and listEntries what may be on any.
	listTitles  = []string{"Packing list", "Groceries", "Picnic", "Hardware store"}
	listEntries = []string{"matches", "oranges", "rope", "candles", "oats", "string", "soap", "batteries", "olives", "paper cups",
		"tape", "apples", "sponges", "lentils", "pencils", "tea"}
)

func (n *Notes) fill(_ *Phone, r *envs.Rand) {
	n.Notes, n.Next = n.Notes[:0], 1
	for _, title := range ui.Draw(r, noteTitles, 5+r.Intn(3)) {
		n.put(NoteDraft{title, ui.Pick(r, noteBodies), ui.Pick(r, noteFolders)})
	}
	for _, title := range ui.Draw(r, listTitles, 2) {
		k := n.put(NoteDraft{title, "", ui.Pick(r, noteFolders)})
		for _, text := range ui.Draw(r, listEntries, 4+r.Intn(3)) {
			n.enter(k, text)
			k.Entries[len(k.Entries)-1].Done = r.Intn(3) == 0
		}
	}
	n.open()
}

// put adds a note under an ID of its own.
func (n *Notes) put(d NoteDraft) *Note {
	n.Notes = room(n.Notes)
	k := &n.Notes[len(n.Notes)-1]
	*k = Note{ID: n.Next, Title: d.Title, Body: d.Body, Folder: d.Folder, Entries: emptied(k.Entries)}
	n.Next++
	return k
}

// enter adds an entry to a note's list.
func (n *Notes) enter(k *Note, text string) {
	k.Entries = append(k.Entries, Entry{ID: n.Next, Text: text})
	n.Next++
}

// note is the one of an ID, or nil.
func (n *Notes) note(id int) *Note {
	for i := range n.Notes {
		if n.Notes[i].ID == id {
			return &n.Notes[i]
		}
	}
	return nil
}

// titled is the note of a title, or nil.
func (n *Notes) titled(title string) *Note {
	for i := range n.Notes {
		if n.Notes[i].Title == title {
			return &n.Notes[i]
		}
	}
	return nil
}

func (n *Notes) has(title string) bool { return n.titled(title) != nil }

// drop takes the note of an ID out.
func (n *Notes) drop(id int) {
	for i := range n.Notes {
		if n.Notes[i].ID == id {
			n.Notes = discard(n.Notes, i)
			return
		}
	}
}

// entry is the entry of an ID, or nil.
func (k *Note) entry(id int) *Entry {
	for i := range k.Entries {
		if k.Entries[i].ID == id {
			return &k.Entries[i]
		}
	}
	return nil
}

// named is the entry of a text, or nil.
func (k *Note) named(text string) *Entry {
	for i := range k.Entries {
		if k.Entries[i].Text == text {
			return &k.Entries[i]
		}
	}
	return nil
}

func (k *Note) draft() NoteDraft { return NoteDraft{k.Title, k.Body, k.Folder} }

// listed says whether the list shows a note.
func (n *Notes) listed(k *Note) bool {
	if n.Folder != "" && n.Folder != k.Folder {
		return false
	}
	for i := range k.Entries {
		if hasFold(k.Entries[i].Text, n.Search) {
			return true
		}
	}
	return hasFold(k.Title, n.Search) || hasFold(k.Body, n.Search)
}

func (n *Notes) open() {
	n.Screen, n.Pick, n.Folder, n.Search, n.Open, n.Draft, n.Entry = "", false, "", "", 0, NoteDraft{}, ""
}
