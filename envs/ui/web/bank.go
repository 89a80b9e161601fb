package web

import (
	"marlpit/envs"
	"marlpit/envs/ui"
)

// bankPage has accounts, bills and a form for transfers; confirming one ends the episode.
type bankPage struct {
	Base
	Accounts []bankAccount
	Bills    []bill
	Tab      int       `ui:"view"` // 0 accounts, 1 bills, 2 transfer
	Bill     int       `ui:"view"` // being read from 1, 0 for none
	Choosing bool      `ui:"view"` // the list of accounts is open
	Asked    bool      `ui:"view"` // the page asks whether the draft is right
	Draft    transfer  `ui:"view"`
	Paid     transfer  // what was confirmed
	Names    [2]string // two people, so that there are others to pay
}

// bankAccount is one of the accounts.
type bankAccount struct {
	Name  string
	Cents int
}

// bill is something to pay.
type bill struct {
	From, Reference string
	Cents           int
}

// transfer is money sent.
type transfer struct{ From, To, Amount, Reference string }

var bankTabs = []string{"Accounts", "Bills", "Transfer"}

func (s *bankPage) fill(r *envs.Rand) {
	*s = bankPage{}
	for _, name := range ui.Draw(r, []string{"Current", "Savings", "Holiday", "House"}, 3) {
		s.Accounts = append(s.Accounts, bankAccount{name, 50000 + 25*r.Intn(8000)})
	}
	numbers := twoDigits(r, 6)
	for i, from := range ui.Draw(r, []string{"Water works", "City library", "Garage Rossi", "Music school", "Phone company", "Book shop", "Gas supply"}, 3) {
		s.Bills = append(s.Bills, bill{from, "R" + number(numbers[2*i]) + "-" + number(numbers[2*i+1]), 1000 + 5*r.Intn(4000)})
	}
	copy(s.Names[:], fullNames(r, 2))
}

// App implements ui.Sim.
func (s *bankPage) App() string { return "bank" }

// View implements ui.Sim.
func (s *bankPage) View(b *ui.Builder) {
	b.Row(len(bankTabs))
	for i, t := range bankTabs {
		b.Tab("tab", i, t, s.Tab == i)
	}
	switch s.Tab {
	case 0:
		b.Heading("Accounts")
		for i := range s.Accounts {
			b.Label(b.Cat(s.Accounts[i].Name, ": ", b.Cents(s.Accounts[i].Cents)))
		}
	case 1:
		s.viewBills(b)
	default:
		s.viewTransfer(b)
	}
}

func (s *bankPage) viewBills(b *ui.Builder) {
	if within(s.Bill-1, len(s.Bills)) {
		bill := &s.Bills[s.Bill-1]
		b.Heading(b.Cat("Bill of ", bill.From))
		b.Label(b.Cat("Please pay ", b.Cents(bill.Cents)))
		b.Label(b.Cat("Reference: ", bill.Reference))
		b.Link("bills", 0, "All bills")
		return
	}
	b.Heading("Bills")
	for i := range s.Bills {
		b.Item("bill", i, s.Bills[i].From, "unpaid")
	}
}

func (s *bankPage) viewTransfer(b *ui.Builder) {
	b.Field("to", 0, "To", s.Draft.To)
	b.Field("amount", 0, "Amount", s.Draft.Amount)
	b.Field("reference", 0, "Reference", s.Draft.Reference)
	b.Select("from", 0, "From the account", s.Draft.From)
	b.Button("go", 0, "Continue")
	switch {
	case s.Choosing:
		b.Dialog("From the account")
		for i := range s.Accounts {
			b.Option("option", i, s.Accounts[i].Name, s.Accounts[i].Name == s.Draft.From)
		}
	case s.Asked:
		b.Dialog("Is this right?")
		b.Label(b.Cat(s.Draft.Amount, " from ", s.Draft.From, " to ", s.Draft.To))
		b.Label(b.Cat("Reference: ", s.Draft.Reference))
		if s.short() {
			b.Label("There isn't enough money in the account.")
		}
		b.Row(2)
		b.Button("confirm", 0, "Confirm").Disable(s.short())
		b.Button("change", 0, "Change")
	}
}

// short says whether the account hasn't got the money, or there is none such.
func (s *bankPage) short() bool {
	for i := range s.Accounts {
		if s.Accounts[i].Name == s.Draft.From {
			return s.Accounts[i].Cents < parseCents(s.Draft.Amount)
		}
	}
	return true
}

// parseCents reads an amount as ui.Cents writes it; what isn't one is far too much.
func parseCents(amount string) (n int) {
	const tooMuch = 1 << 40
	if len(amount) < 4 || len(amount) > 12 || amount[len(amount)-3] != '.' {
		return tooMuch
	}
	for i := range len(amount) {
		switch c := amount[i]; {
		case i == len(amount)-3:
		case c < '0' || c > '9':
			return tooMuch
		default:
			n = 10*n + int(c-'0')
		}
	}
	return n
}
