package web

import "marlpit/envs/ui"

var _ = add[loginPage, loginRemember](ui.Template{
	Name: "login-remember", Summary: "log in and be remembered, or not", Apps: []string{"login"},
	Kind: ui.Setting, Level: 2, MaxTurns: 10, Easy: true, HeldOut: true,
})

// loginRemember asks to log in with the box checked or not, whatever it is at first.
type loginRemember struct{ credentials }

// Setup implements ui.Job.
func (j *loginRemember) Setup(s *loginPage, t *ui.Task) {
	j.draw(t)
	s.Remember = t.Rand.Intn(2) == 0
	if j.Remember = t.Rand.Intn(2) == 0; j.Remember {
		t.Say("Log in as "+j.Texts[0]+" with the password "+j.Texts[1]+" and let the site remember you.",
			"Log in so that you are remembered: the user is "+j.Texts[0]+", the password "+j.Texts[1]+".")
		return
	}
	t.Say("Log in as "+j.Texts[0]+" with the password "+j.Texts[1]+"; the site must not remember you.",
		"Log in without being remembered: the user is "+j.Texts[0]+", the password "+j.Texts[1]+".")
}
