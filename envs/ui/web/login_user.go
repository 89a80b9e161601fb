package web

import "marlpit/envs/ui"

var _ = add[loginPage, loginUser](ui.Template{
	Name: "login-user", Summary: "log in with a user name and a password", Apps: []string{"login"},
	Kind: ui.Create, Level: 1, MaxTurns: 8, Easy: true,
})

// loginUser asks to log in.
type loginUser struct{ credentials }

// Setup implements ui.Job.
func (j *loginUser) Setup(_ *loginPage, t *ui.Task) {
	j.draw(t)
	t.Say("Log in as "+j.Texts[0]+" with the password "+j.Texts[1]+".",
		"Enter the user name "+j.Texts[0]+" and the password "+j.Texts[1]+", then press Log in.",
		"The password of "+j.Texts[0]+" is "+j.Texts[1]+". Log in.")
}
