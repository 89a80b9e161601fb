package phone

import "marlpit/envs/ui"

var _ = add[orderCode](ui.Template{
	Name: "mail-order", Summary: "look up the code and the day of a parcel in a mail", Apps: []string{"mail"},
	Kind: ui.Find, Level: 2, MaxTurns: 10, Easy: true,
})

// orderCode asks for facts in one of two mails that are much alike.
type orderCode struct {
	Letter int
	Answer string
}

// shops send parcels.
var shops = []string{"Northbank Books", "Wool and Co", "Green Bicycle", "Tea House Lind", "Lamp Works"}

// Setup implements ui.Job.
func (a *orderCode) Setup(p *Phone, t *ui.Task) {
	two := ui.Draw(t.Rand, shops, 2)
	var words [2][2]string // code and day of each shop
	for i, shop := range two {
		code := secret(t.Rand)
		day := ui.Date(p.Today + 1 + i + t.Rand.Intn(3) + 3*i)
		id := p.Mail.put(Letter{Folder: boxes[0], From: "post@parcels.example", To: myAddress, Subject: "Parcel from " + shop,
			Body: "Your parcel will be at the station on " + day + ". Open the box with the code " + code + ".", Day: p.Today - i, Minute: 9 * 60})
		words[i] = [2]string{code, day}
		if i == 0 {
			a.Letter, a.Answer = id, code+", "+day
		}
	}
	t.Say("With which code do I get the parcel from "+two[0]+", and on which day is it there? Answer with code and day, as in \"Tue 3 Mar\".",
		"A mail tells about the parcel from "+two[0]+". Give me its code and the day.")
	t.Answer("code", words[0][0])
	t.Answer("day", words[0][1])
	t.Offer(a.Answer, words[1][0]+", "+words[1][1], words[0][0]+", "+words[1][1], words[1][0]+", "+words[0][1])
}

// Solve implements ui.Job.
func (a *orderCode) Solve(p *Phone, x *ui.Pilot) {
	switch {
	case mend(p, x):
	case x.Answered() == a.Answer:
		x.Complete()
	case p.Shown != "mail":
		x.Open("mail")
	case p.Mail.read(x, p.Mail.letter(a.Letter)):
		x.Answer(a.Answer)
	}
}
