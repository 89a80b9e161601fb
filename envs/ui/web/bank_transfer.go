package web

import (
	"strings"

	"marlpit/envs/ui"
)

var _ = add[bankPage, bankTransfer](ui.Template{
	Name: "bank-transfer", Summary: "send money to somebody", Apps: []string{"bank"},
	Kind: ui.Create, Level: 2, MaxTurns: 18,
})

// bankTransfer asks for a transfer of which all is told.
type bankTransfer struct{ payment }

// Setup implements ui.Job.
func (j *bankTransfer) Setup(s *bankPage, t *ui.Task) {
	notes := ui.Draw(t.Rand, []string{"Rent", "Concert", "Thank you", "Lunch", "Repair"}, 2)
	cents := 500 + 25*t.Rand.Intn(1000)
	j.Pay = transfer{ui.Pick(t.Rand, s.Accounts).Name, s.Names[0], ui.Cents(cents), notes[0]}
	t.Offer(s.Names[0], s.Names[1], j.Pay.Amount, ui.Cents(cents*10), ui.Cents(cents+100), notes[0], notes[1])
	from := strings.ToLower(j.Pay.From)
	t.Say("Transfer "+j.Pay.Amount+" from the "+from+" account to "+j.Pay.To+" with the reference "+quoted(notes[0])+".",
		j.Pay.To+" gets "+j.Pay.Amount+" from my "+from+" account. Reference: "+quoted(notes[0])+". Send the money.")
}
