package phone

import (
	"strconv"

	"marlpit/envs/ui"
)

var _ = add[findCode](ui.Template{
	Name: "messages-code", Summary: "tell the code that somebody sent", Apps: []string{"messages"},
	Kind: ui.Find, Level: 1, MaxTurns: 10, Easy: true,
})

// findCode asks for a number out of a message.
type findCode struct{ Number, Code string }

// Setup implements ui.Job.
func (a *findCode) Setup(p *Phone, t *ui.Task) {
	senders := drawNumbers(t.Rand, p, 2)
	what := ui.Draw(t.Rand, []string{"front door", "bike lock", "parcel box", "garage", "locker"}, 2)
	codes := make([]string, 4)
	for i := range codes {
		codes[i] = strconv.Itoa(1000*(1+t.Rand.Intn(8)) + 200*i + t.Rand.Intn(200))
	}
	for i, number := range senders {
		p.Messages.receive(p, number, "The code of the "+what[i]+" is "+codes[i]+".")
		p.Messages.receive(p, number, "Please keep it to yourself.")
	}
	a.Number, a.Code = senders[0], codes[0]
	name := p.Contacts.nameOf(a.Number)
	t.Say("Which code did "+name+" send me for the "+what[0]+"? Answer with the code.",
		name+" wrote to me how to open the "+what[0]+". Tell me the code.")
	t.Answer("code", a.Code)
	t.Offer(codes...)
	t.Offer(name)
}

// Solve implements ui.Job.
func (a *findCode) Solve(p *Phone, x *ui.Pilot) {
	switch {
	case mend(p, x):
	case x.Answered() == a.Code:
		x.Complete()
	case !p.Messages.look(p, x, a.Number):
		x.Answer(a.Code)
	}
}
