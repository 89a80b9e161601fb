package web

import "marlpit/envs/ui"

var _ = add[registerPage, registerMend](ui.Template{
	Name: "register-mend", Summary: "correct a registration form that was refused", Apps: []string{"register"},
	Kind: ui.Edit, Level: 2, MaxTurns: 12, HeldOut: true,
})

// registerMend asks to correct what the page objects to; the rest is right.
type registerMend struct{ account }

// Setup implements ui.Job.
func (j *registerMend) Setup(s *registerPage, t *ui.Task) {
	j.draw(t)
	wantEntries(s.Entries, j.Texts)
	s.Country, s.Accepted, s.Tried = j.Country, t.Rand.Intn(2) == 0, true
	mail := j.Texts[regMail]
	if t.Rand.Intn(2) == 0 {
		s.Entries[regUser].Value = j.Texts[regUser][:3]
	} else {
		s.Entries[regMail].Value = mail[:len(mail)/2] + " " + mail[len(mail)/2:len(mail)-8]
	}
	s.Entries[regRepeat].Value = j.Texts[regRepeat][1:]
	t.Say("The form was refused. Correct what the page complains about and send it: the user is "+j.Texts[regUser]+", the e-mail "+mail+", the password "+j.Texts[regPassword]+"; the rest is right.",
		"Put the form right and open the account. User name "+j.Texts[regUser]+", e-mail "+mail+", password "+j.Texts[regPassword]+", country "+j.Country+".")
}
