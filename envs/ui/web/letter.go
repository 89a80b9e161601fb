package web

import (
	"strings"

	"marlpit/envs"
	"marlpit/envs/ui"
)

var _ = add[letterPage, letterWords](ui.Template{
	Name: "letter-words", Summary: "read a long text to its end and enter words of it", Apps: []string{"letter"},
	Kind: ui.Find, Level: 2, MaxTurns: 12, Easy: true,
})

// letterPage is a long text with fields below it.
type letterPage struct {
	Form
	Lines   []string
	Entries []Entry
}

func (s *letterPage) fill(r *envs.Rand) {
	*s = letterPage{Entries: []Entry{{Label: "First word of the letter"}, {Label: "Last word of the letter"}}}
	for range 6 {
		words := ui.Draw(r, plain, 14)
		s.Lines = append(s.Lines, strings.Join(words, " ")+".")
	}
}

// App implements ui.Sim.
func (s *letterPage) App() string { return "letter" }

// View implements ui.Sim.
func (s *letterPage) View(b *ui.Builder) {
	viewEntries(b, s.Entries)
	s.submit(b)
	b.Scroll("letter", 0)
	for _, line := range s.Lines {
		b.Label(line)
	}
	b.End()
}

// Update implements ui.Sim.
func (s *letterPage) Update(e ui.Event) {
	updateEntries(e, s.Entries)
	s.submits(e)
}

// letterWords asks for the first and the last word.
type letterWords struct{ Words []string }

// Setup implements ui.Job.
func (j *letterWords) Setup(s *letterPage, t *ui.Task) {
	first, last := strings.Fields(s.Lines[0]), strings.Fields(s.Lines[len(s.Lines)-1])
	j.Words = []string{first[0], strings.TrimSuffix(last[len(last)-1], ".")}
	t.Offer(j.Words[0])
	if j.Words[1] != j.Words[0] {
		t.Offer(j.Words[1])
	}
	t.Offer(drawOther(t.Rand, plain, j.Words, 6)...)
	second := first[1]
	t.Say("Enter the word before "+quoted(second)+", with which the letter starts, and the last word of all. Then submit.",
		"Read the letter, whose second word is "+quoted(second)+", and enter its first and last words. Then press Submit.")
}

// Want implements ui.Wanter.
func (j *letterWords) Want(s *letterPage) {
	wantEntries(s.Entries, j.Words)
	s.Submitted = true
}

// Solve implements ui.Job.
func (j *letterWords) Solve(s *letterPage, x *ui.Pilot) { typeEntries(x, s.Entries, j.Words) }
