package web

import "marlpit/envs/ui"

// Update implements ui.Sim.
func (s *bankPage) Update(e ui.Event) {
	switch {
	case s.Tab == 2 && s.Choosing:
		if e.Is(ui.Click, "option") && within(e.Key, len(s.Accounts)) {
			s.Draft.From, s.Choosing = s.Accounts[e.Key].Name, false
		}
		s.Choosing = s.Choosing && e.Kind != ui.Back
	case s.Tab == 2 && s.Asked:
		switch {
		case e.Kind == ui.Back, e.Is(ui.Click, "change"):
			s.Asked = false
		case e.Is(ui.Click, "confirm") && !s.short():
			s.Paid, s.Done = s.Draft, true
		}
	case e.Is(ui.Click, "tab") && within(e.Key, len(bankTabs)):
		s.Tab, s.Choosing, s.Asked = e.Key, false, false
	case s.Tab == 1 && e.Is(ui.Click, "bill"):
		s.Bill = e.Key + 1
	case s.Tab == 1 && (e.Kind == ui.Back || e.Is(ui.Click, "bills")):
		s.Bill = 0
	default:
		s.updateDraft(e)
	}
}

func (s *bankPage) updateDraft(e ui.Event) {
	if s.Tab != 2 {
		if !within(s.Tab, len(bankTabs)) {
			s.Tab = 0
		}
		return
	}
	switch {
	case e.Is(ui.Click, "from"):
		s.Choosing = true
	case e.Is(ui.Click, "go"):
		s.Asked = true
	case e.Is(ui.Input, "to"):
		s.Draft.To = e.Text
	case e.Is(ui.Input, "amount"):
		s.Draft.Amount = e.Text
	case e.Is(ui.Input, "reference"):
		s.Draft.Reference = e.Text
	}
}

// payment is a transfer to make.
type payment struct{ Pay transfer }

// Want implements ui.Wanter.
func (j *payment) Want(s *bankPage) { s.Paid = j.Pay }

// Solve implements ui.Job.
func (j *payment) Solve(s *bankPage, x *ui.Pilot) {
	if j.enter(s, x) {
		x.Tap("confirm", 0)
	}
}

// enter enters the payment, and says whether the page asks if it is right.
func (j *payment) enter(s *bankPage, x *ui.Pilot) bool {
	switch d, want := &s.Draft, &j.Pay; {
	case s.Tab == 2 && s.Choosing && d.From == want.From:
		x.Back()
	case s.Tab == 2 && s.Choosing:
		for i := range s.Accounts {
			if s.Accounts[i].Name == want.From {
				x.Tap("option", i)
			}
		}
	case s.Tab == 2 && s.Asked && *d == *want:
		return true
	case s.Tab == 2 && s.Asked:
		x.Tap("change", 0)
	case s.Tab != 2:
		x.Tap("tab", 2)
	case d.To != want.To:
		x.Type("to", 0, want.To)
	case d.Amount != want.Amount:
		x.Type("amount", 0, want.Amount)
	case d.Reference != want.Reference:
		x.Type("reference", 0, want.Reference)
	case d.From != want.From:
		x.Tap("from", 0)
	}
	x.Tap("go", 0)
	return false
}
