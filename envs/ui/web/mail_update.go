package web

import (
	"slices"

	"marlpit/envs/ui"
)

// Update implements ui.Sim.
func (s *mailPage) Update(e ui.Event) {
	switch {
	case !within(s.Open-1, len(s.Mails)):
		s.Open, s.Writing = 0, false
		s.updateList(e)
	case s.Writing:
		s.updateDraft(e)
	default:
		s.updateMail(e, &s.Mails[s.Open-1])
	}
}

func (s *mailPage) updateList(e ui.Event) {
	switch {
	case e.Is(ui.Click, "pick"):
		s.Picking = !s.Picking
	case e.Is(ui.Click, "mail") && within(e.Key, len(s.Mails)):
		s.Open = e.Key + 1
	case s.Picking && e.Is(ui.Click, "picked") && within(e.Key, len(s.Mails)):
		s.Mails[e.Key].Picked = !s.Mails[e.Key].Picked
	case s.Picking && e.Is(ui.Click, "deletepicked"):
		s.Mails = slices.DeleteFunc(s.Mails, func(m mail) bool { return m.Picked })
		s.Done = true
	}
}

func (s *mailPage) updateMail(e ui.Event, m *mail) {
	switch {
	case e.Kind == ui.Back, e.Is(ui.Click, "inbox"):
		s.Open = 0
	case e.Is(ui.Click, "reply"):
		s.Writing, s.Draft = true, outgoing{Kind: "Reply", To: m.From, Subject: m.Subject}
	case e.Is(ui.Click, "forward"):
		s.Writing, s.Draft = true, outgoing{Kind: "Forward", Subject: m.Subject}
	case e.Is(ui.Click, "star"):
		m.Starred, s.Done = !m.Starred, true
	case e.Is(ui.Click, "delete"):
		s.Mails = slices.Delete(s.Mails, s.Open-1, s.Open)
		s.Open, s.Done = 0, true
	}
}

func (s *mailPage) updateDraft(e ui.Event) {
	switch {
	case e.Kind == ui.Back, e.Is(ui.Click, "discard"):
		s.Writing = false
	case e.Is(ui.Input, "to"):
		s.Draft.To = e.Text
	case e.Is(ui.Input, "text"):
		s.Draft.Text = e.Text
	case e.Is(ui.Click, "send"):
		s.Sent = append(s.Sent, s.Draft)
		s.Writing, s.Done = false, true
	}
}
