package web

import (
	"slices"
	"strings"

	"marlpit/envs"
	"marlpit/envs/ui"
)

var (
	_ = add[textPage, textOne](ui.Template{
		Name: "text-one", Summary: "type a word into a field", Apps: []string{"text"},
		Kind: ui.Create, Level: 1, MaxTurns: 6, Easy: true,
	})
	_ = add[textPage, textTwice](ui.Template{
		Name: "text-twice", Summary: "type a password and repeat it", Apps: []string{"text"},
		Kind: ui.Create, Level: 1, MaxTurns: 8, Easy: true,
	})
	_ = add[textPage, textLabels](ui.Template{
		Name: "text-labels", Summary: "type words into the fields they belong in", Apps: []string{"text"},
		Kind: ui.Several, Level: 2, MaxTurns: 12,
	})
	_ = add[textPage, textChange](ui.Template{
		Name: "text-transform", Summary: "type words in capitals, small letters or backwards", Apps: []string{"text"},
		Kind: ui.Create, Level: 2, MaxTurns: 8, Easy: true, HeldOut: true,
	})
)

// textPage has fields for text.
type textPage struct {
	Form
	Title   string
	Hint    string
	Entries []Entry
	Secret  bool // the fields show dots
}

func (s *textPage) fill(_ *envs.Rand) {
	*s = textPage{Title: "Enter", Entries: []Entry{{Label: "Word"}}}
}

// App implements ui.Sim.
func (s *textPage) App() string { return "text" }

// View implements ui.Sim.
func (s *textPage) View(b *ui.Builder) {
	b.Heading(s.Title)
	if s.Hint != "" {
		b.Label(s.Hint)
	}
	for i := range s.Entries {
		b.Field("entry", i, s.Entries[i].Label, s.Entries[i].Value).Set(ui.Secret, s.Secret)
	}
	s.submit(b)
}

// Update implements ui.Sim.
func (s *textPage) Update(e ui.Event) {
	updateEntries(e, s.Entries)
	s.submits(e)
	if e.Is(ui.Enter, "entry") {
		s.send()
	}
}

// wantedTexts are the contents to type, field by field.
type wantedTexts struct{ Texts []string }

// Want implements ui.Wanter.
func (j *wantedTexts) Want(s *textPage) {
	wantEntries(s.Entries, j.Texts)
	s.Submitted = true
}

// Solve implements ui.Job.
func (j *wantedTexts) Solve(s *textPage, x *ui.Pilot) { typeEntries(x, s.Entries, j.Texts) }

// textOne asks for a word.
type textOne struct{ wantedTexts }

// Setup implements ui.Job.
func (j *textOne) Setup(_ *textPage, t *ui.Task) {
	words := ui.Draw(t.Rand, plain, 4)
	j.Texts = words[:1]
	t.Say("Enter "+quoted(words[0])+" and submit.", "Type "+quoted(words[0])+" into the field and press Submit.",
		"Submit the word "+quoted(words[0])+".")
	t.Offer(words...)
}

// textTwice asks for a password in two fields.
type textTwice struct{ wantedTexts }

// Setup implements ui.Job.
func (j *textTwice) Setup(s *textPage, t *ui.Task) {
	s.Title, s.Secret = "New password", true
	s.Entries = []Entry{{Label: "Password"}, {Label: "Repeat the password"}}
	var words []string
	for _, w := range ui.Draw(t.Rand, plain, 6) {
		words = append(words, w+string(rune('0'+t.Rand.Intn(10)))+string(rune('0'+t.Rand.Intn(10))))
	}
	j.Texts = []string{words[0], words[0]}
	t.Say("Set the password "+quoted(words[0])+": enter it in both fields and submit.",
		"Enter "+quoted(words[0])+" as the new password, repeat it, and press Submit.")
	t.Offer(words...)
}

// textLabels asks for words in fields of different labels.
type textLabels struct{ wantedTexts }

// Setup implements ui.Job.
func (j *textLabels) Setup(s *textPage, t *ui.Task) {
	s.Title = "About you"
	from := map[string][]string{"First name": people, "City": cities, "Favourite animal": animals, "Favourite fruit": fruits}
	s.Entries, j.Texts = nil, nil
	var parts []string
	for _, label := range ui.Draw(t.Rand, []string{"First name", "City", "Favourite animal", "Favourite fruit"}, 3) {
		words := ui.Draw(t.Rand, from[label], 2)
		s.Entries = append(s.Entries, Entry{Label: label})
		j.Texts = append(j.Texts, words[0])
		parts = append(parts, words[0]+" as "+strings.ToLower(label))
		t.Offer(words...)
	}
	shuffled := ui.Draw(t.Rand, parts, len(parts))
	t.Say("Enter "+listed(shuffled)+", and submit.", "Fill in the form with "+listed(shuffled)+". Then press Submit.")
}

// textChange asks for words that are written otherwise than the page shows them.
type textChange struct{ wantedTexts }

// Setup implements ui.Job.
func (j *textChange) Setup(s *textPage, t *ui.Task) {
	words := ui.Draw(t.Rand, fruits, 2)
	s.Hint = words[0] + ", " + words[1]
	s.Entries = []Entry{{Label: "First word"}, {Label: "Second word"}}
	ways := []func(string) string{strings.ToUpper, strings.ToLower, backwards}
	way := t.Rand.Intn(len(ways))
	j.Texts = []string{ways[way](words[0]), ways[way](words[1])}
	how := [...]string{"in capital letters", "in small letters", "backwards, in small letters"}[way]
	t.Say("Enter the two words of the page "+how+", and submit.",
		"Type "+words[0]+" and "+words[1]+" into the two fields, but "+how+". Then press Submit.")
	for _, w := range words {
		for _, f := range ways {
			t.Offer(f(w))
		}
		t.Offer(w)
	}
}

// backwards is a word from its last letter to its first, in small letters.
func backwards(word string) string {
	b := []byte(strings.ToLower(word))
	slices.Reverse(b)
	return string(b)
}
