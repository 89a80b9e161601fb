package phone

import (
	"slices"

	"marlpit/envs/ui"
)

var _ = add[aboutPhone](ui.Template{
	Name: "settings-about", Summary: "look up the version and the serial number", Apps: []string{"settings"},
	Kind: ui.Find, Level: 1, MaxTurns: 8, Easy: true,
})

// aboutPhone asks for facts of the phone.
type aboutPhone struct{ Answer string }

// Setup implements ui.Job.
func (a *aboutPhone) Setup(p *Phone, t *ui.Task) {
	s := &p.Settings
	a.Answer = s.Version + ", " + s.Serial
	t.Say("What are the software version and the serial number of the phone \""+s.Name+"\"? Answer with version and serial.",
		"For the repair shop of "+s.Name+": give me version and serial number, in this order.")
	t.Answer("version", s.Version)
	t.Answer("serial", s.Serial)
	back := []byte(s.Serial)
	slices.Reverse(back)
	t.Offer(a.Answer, s.Version+", "+string(back), "1"+s.Version+", "+s.Serial, s.Serial+", "+s.Version)
}

// Solve implements ui.Job.
func (a *aboutPhone) Solve(p *Phone, x *ui.Pilot) {
	switch {
	case mend(p, x):
	case x.Answered() == a.Answer:
		x.Complete()
	case p.Shown != "settings":
		x.Open("settings")
	case p.Settings.in(x, "About phone"):
		x.Answer(a.Answer)
	}
}
