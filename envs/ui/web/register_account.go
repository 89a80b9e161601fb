package web

import (
	"strconv"
	"strings"

	"marlpit/envs/ui"
)

var _ = add[registerPage, registerAccount](ui.Template{
	Name: "register-account", Summary: "fill in a registration form that checks what one enters", Apps: []string{"register"},
	Kind: ui.Create, Level: 3, MaxTurns: 20,
})

// account is what to register.
type account struct {
	Texts   []string // as registerLabels
	Country string
}

// draw draws an account, offers what has to be typed, and what the page refuses.
func (j *account) draw(t *ui.Task) {
	name := strings.ToLower(ui.Pick(t.Rand, surnames)) + strconv.Itoa(10+t.Rand.Intn(90))
	host := strings.ToLower(ui.Pick(t.Rand, cities)) + ".example"
	words := ui.Draw(t.Rand, plain, 2)
	password := words[0] + "-" + words[1] + strconv.Itoa(t.Rand.Intn(10))
	j.Texts = []string{name, name + "@" + host, password, password}
	j.Country = ui.Pick(t.Rand, countries)
	t.Offer(j.Texts[:regRepeat]...)
	t.Offer(name+" at "+host, words[0], "Mr "+name)
}

// Want implements ui.Wanter.
func (j *account) Want(s *registerPage) {
	wantEntries(s.Entries, j.Texts)
	s.Country, s.Accepted, s.Submitted = j.Country, true, true
}

// Solve implements ui.Job.
func (j *account) Solve(s *registerPage, x *ui.Pilot) {
	switch {
	case s.Choosing && s.Country == j.Country:
		x.Back()
	case s.Choosing:
		tapOption(x, countries, j.Country)
	}
	for i := range min(len(s.Entries), len(j.Texts)) {
		if s.Entries[i].Value != j.Texts[i] {
			x.Type("entry", i, j.Texts[i])
		}
	}
	if s.Country != j.Country {
		x.Tap("country", 0)
	}
	if !s.Accepted {
		x.Tap("accept", 0)
	}
	x.Tap("submit", 0)
}

// registerAccount asks to fill the empty form in.
type registerAccount struct{ account }

// Setup implements ui.Job.
func (j *registerAccount) Setup(_ *registerPage, t *ui.Task) {
	j.draw(t)
	t.Say("Open an account for "+j.Texts[regUser]+" from "+j.Country+" with the e-mail "+j.Texts[regMail]+" and the password "+j.Texts[regPassword]+", and accept the rules.",
		"Register: user name "+j.Texts[regUser]+", e-mail "+j.Texts[regMail]+", password "+j.Texts[regPassword]+", country "+j.Country+". Accept the rules.")
}
