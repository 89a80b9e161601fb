package web

import (
	"strings"

	"marlpit/envs"
	"marlpit/envs/ui"
)

// registerPage is a form that says what is wrong with it, and is accepted only
// when nothing is.
type registerPage struct {
	Form
	Entries  []Entry // as registerLabels
	Country  string
	Accepted bool // of the rules
	Tried    bool `ui:"view"` // the messages are shown
	Choosing bool `ui:"view"` // the list of countries is open
}

// The fields of the form.
const (
	regUser = iota
	regMail
	regPassword
	regRepeat
)

var (
	registerLabels = []string{"User name", "E-mail", "Password", "Repeat the password"}
	countries      = []string{"Austria", "Brazil", "Canada", "Denmark", "Estonia", "France", "Ghana", "Hungary"}
)

func (s *registerPage) fill(_ *envs.Rand) {
	*s = registerPage{}
	for _, l := range registerLabels {
		s.Entries = append(s.Entries, Entry{Label: l})
	}
}

// App implements ui.Sim.
func (s *registerPage) App() string { return "register" }

// wrong is what is wrong with one of the fields; "" where nothing is.
func (s *registerPage) wrong(i int) string {
	switch v := s.Entries[i].Value; i {
	case regUser:
		if len(v) < 4 || strings.Contains(v, " ") {
			return "At least four letters, no spaces"
		}
	case regMail:
		at := strings.IndexByte(v, '@')
		if at < 1 || !strings.Contains(v[at:], ".") {
			return "This is no e-mail address"
		}
	case regPassword:
		if len(v) < 8 || !strings.ContainsAny(v, "0123456789") {
			return "At least eight letters and a digit"
		}
	case regRepeat:
		if v == "" || v != s.Entries[regPassword].Value {
			return "The passwords differ"
		}
	}
	return ""
}

// fine says whether the form can be accepted.
func (s *registerPage) fine() bool {
	for i := range s.Entries {
		if s.wrong(i) != "" {
			return false
		}
	}
	return len(s.Entries) == len(registerLabels) && s.Country != "" && s.Accepted
}

// View implements ui.Sim.
func (s *registerPage) View(b *ui.Builder) {
	b.Heading("Open an account")
	b.Scroll("form", submitHeight)
	for i := range s.Entries {
		b.Field("entry", i, s.Entries[i].Label, s.Entries[i].Value)
		if message := s.wrong(i); s.Tried && message != "" {
			b.Label(message)
		}
	}
	b.Select("country", 0, "Country", s.Country)
	if s.Tried && s.Country == "" {
		b.Label("Choose a country")
	}
	b.Check("accept", 0, "I accept the rules", s.Accepted)
	if s.Tried && !s.Accepted {
		b.Label("The rules have to be accepted")
	}
	b.End()
	b.Button("submit", 0, "Open the account")
	if s.Choosing {
		viewOptions(b, "Country", countries, s.Country)
	}
}

// Update implements ui.Sim.
func (s *registerPage) Update(e ui.Event) {
	switch {
	case s.Choosing:
		if e.Is(ui.Click, "option") && within(e.Key, len(countries)) {
			s.Country, s.Choosing = countries[e.Key], false
		}
		s.Choosing = s.Choosing && e.Kind != ui.Back
	case e.Is(ui.Click, "country"):
		s.Choosing = true
	case e.Is(ui.Click, "accept"):
		s.Accepted = !s.Accepted
	case e.Is(ui.Click, "submit"):
		if s.Tried = true; s.fine() {
			s.send()
		}
	default:
		updateEntries(e, s.Entries)
	}
}
