package web

import (
	"strings"

	"marlpit/envs/ui"
)

var _ = add[bankPage, bankBill](ui.Template{
	Name: "bank-bill", Summary: "read a bill and pay it", Apps: []string{"bank"},
	Kind: ui.Transfer, Level: 3, MaxTurns: 22,
})

// bankBill asks to pay a bill: amount and reference stand in it.
type bankBill struct{ payment }

// Setup implements ui.Job.
func (j *bankBill) Setup(s *bankPage, t *ui.Task) {
	due := ui.Pick(t.Rand, s.Bills)
	j.Pay = transfer{ui.Pick(t.Rand, s.Accounts).Name, due.From, ui.Cents(due.Cents), due.Reference}
	for _, b := range s.Bills {
		t.Offer(b.Reference, ui.Cents(b.Cents))
	}
	t.Offer(due.From, s.Names[0])
	from := strings.ToLower(j.Pay.From)
	t.Say("Pay the bill of the "+due.From+" from the "+from+" account, with the amount and the reference that it gives.",
		"The "+due.From+" has sent a bill. Read it, and transfer what it asks for with its reference. Take the money from the "+from+" account.")
}
