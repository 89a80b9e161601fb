package phone

import "marlpit/envs/ui"

var _ = add[wakeForPickup](ui.Template{
	Name: "messages-pickup", Summary: "set an alarm some time before what a message says", Apps: []string{"messages", "clock"},
	Kind: ui.Transfer, Level: 3, MaxTurns: 26, HeldOut: true,
})

// wakeForPickup asks for an alarm at a time that has to be worked out.
type wakeForPickup struct {
	Number, Label string
	Minute        int
}

// Setup implements ui.Job.
func (a *wakeForPickup) Setup(p *Phone, t *ui.Task) {
	r := t.Rand
	k := 1 + r.Intn(4) // of lengths
	leave := 360 + 5*r.Intn(100)
	a.Number, a.Label, a.Minute = drawNumbers(r, p, 1)[0], ui.Pick(r, []string{"Ride", "Get ready", "Early start"}), leave-lengths[k]
	p.Messages.receive(p, a.Number, "I pick you up at "+ui.Clock(leave)+".")
	name, word := p.Contacts.nameOf(a.Number), lengthWords[k]
	t.Say(name+" wrote when I am picked up. Set an alarm "+word+" before that, with the label \""+a.Label+"\".",
		"Let an alarm labelled \""+a.Label+"\" ring once, "+word+" before "+name+" comes for me; the time stands in the messages.")
	t.Offer(a.Label, ui.Clock(leave), ui.Clock(a.Minute), name)
}

// Want implements ui.Wanter.
func (a *wakeForPickup) Want(p *Phone) {
	p.Clock.put(Alarm{Minute: a.Minute, Label: a.Label, On: true})
}

// Solve implements ui.Job.
func (a *wakeForPickup) Solve(p *Phone, x *ui.Pilot) {
	if repaired(p, x, &p.Messages) && p.Clock.labelled(a.Label) == nil && p.Clock.Screen != "alarm" && !p.Messages.shows(a.Number) &&
		p.Messages.look(p, x, a.Number) {
		return
	}
	finish(p, x)
}
