package phone

import "marlpit/envs/ui"

var _ = add[askedByMail](ui.Template{
	Name: "tasks-mail", Summary: "make a task of what a mail asks for, due when it says", Apps: []string{"tasks", "mail"},
	Kind: ui.Transfer, Level: 3, MaxTurns: 32,
})

// askedByMail asks for a task whose title and day stand in a mail.
type askedByMail struct {
	Letter, Due int
	Title       string
}

// Setup implements ui.Job.
func (a *askedByMail) Setup(p *Phone, t *ui.Task) {
	a.Title = fresh(t, todoTitles, p.Tasks.has)
	a.Due = p.Today + 2 + t.Rand.Intn(25)
	who := ui.Pick(t.Rand, p.Contacts.People)
	subject := ui.Pick(t.Rand, []string{"A favour", "Could you help?", "Before I forget", "Something to do"})
	a.Letter = p.Mail.put(Letter{Folder: boxes[0], From: who.Mail, To: myAddress, Subject: subject,
		Body: "Could you do this by " + ui.Date(a.Due) + "? " + a.Title, Day: p.Today, Minute: 9*60 + 5})
	t.Say("In the mail \""+subject+"\", "+who.Name+" asks me to do something. Add it to my tasks, list Work, with the day as its due date.",
		"Make a task on the list Work of what the mail \""+subject+"\" asks for, in the words used there, and due on the day it names.")
	t.Offer(a.Title, fresh(t, todoTitles, p.Tasks.has), ui.Date(a.Due), subject)
}

// Want implements ui.Wanter.
func (a *askedByMail) Want(p *Phone) {
	p.Tasks.put(Todo{Title: a.Title, List: "Work", Priority: priorities[0], Due: a.Due})
}

// Solve implements ui.Job.
func (a *askedByMail) Solve(p *Phone, x *ui.Pilot) {
	if p.Tasks.has(a.Title) || readFirst(p, x, a.Letter) {
		finish(p, x)
	}
}
