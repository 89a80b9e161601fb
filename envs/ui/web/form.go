package web

import "marlpit/envs/ui"

// Form is the Base of pages that a submit button ends; embed it in Base's place.
type Form struct {
	Base
	Submitted bool
}

// submitHeight is the room that submit needs below a part that scrolls.
const submitHeight = 52

// submit adds the button.
func (f *Form) submit(b *ui.Builder) { b.Button("submit", 0, "Submit") }

// submits sends the form where the event is a click on the button.
func (f *Form) submits(e ui.Event) {
	if e.Is(ui.Click, "submit") {
		f.send()
	}
}

// send ends the page with what was entered.
func (f *Form) send() { f.Submitted, f.Done = true, true }

// Entry is a field for text with its label and content.
type Entry struct {
	Label, Value string
}

// viewEntries adds the fields.
func viewEntries(b *ui.Builder, entries []Entry) {
	for i := range entries {
		b.Field("entry", i, entries[i].Label, entries[i].Value)
	}
}

// updateEntries takes what is typed into one of the fields.
func updateEntries(e ui.Event, entries []Entry) {
	if e.Is(ui.Input, "entry") && within(e.Key, len(entries)) {
		entries[e.Key].Value = e.Text
	}
}

// typeEntries types the first field that isn't as wanted, else submits.
func typeEntries(x *ui.Pilot, entries []Entry, want []string) {
	for i := range min(len(entries), len(want)) {
		if entries[i].Value != want[i] {
			x.Type("entry", i, want[i])
			return
		}
	}
	x.Tap("submit", 0)
}

// wantEntries makes the contents what is wanted.
func wantEntries(entries []Entry, want []string) {
	for i := range want {
		entries[i].Value = want[i]
	}
}

// within says whether a key is an index of a list of n.
func within(key, n int) bool { return key >= 0 && key < n }

// pad fills a row of columns, of which used have been filled so far, with empty space.
func pad(b *ui.Builder, columns, used int) {
	for ; used%columns != 0; used++ {
		b.Label("")
	}
}

// commas is the words in the builder's memory, with commas between them.
func commas(b *ui.Builder, words []string) string {
	out := ""
	for i, w := range words {
		if i > 0 {
			out = b.Cat(out, ", ", w)
		} else {
			out = b.Cat(w)
		}
	}
	return out
}
