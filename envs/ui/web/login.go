package web

import (
	"strconv"

	"marlpit/envs"
	"marlpit/envs/ui"
)

// loginPage is where one logs in.
type loginPage struct {
	Form
	Club     string
	Entries  []Entry // user name and password
	Remember bool
	Followed string // the link that was followed instead
}

// loginLinks lead away from the page.
var loginLinks = []string{"Forgot the password?", "Open an account"}

func (s *loginPage) fill(r *envs.Rand) {
	*s = loginPage{Club: ui.Pick(r, cities) + " " + ui.Pick(r, tools) + " Club",
		Entries: []Entry{{Label: "User name"}, {Label: "Password"}}}
}

// App implements ui.Sim.
func (s *loginPage) App() string { return "login" }

// View implements ui.Sim.
func (s *loginPage) View(b *ui.Builder) {
	b.Heading(s.Club)
	for i := range s.Entries {
		b.Field("entry", i, s.Entries[i].Label, s.Entries[i].Value).Set(ui.Secret, i == 1)
	}
	b.Check("remember", 0, "Remember me", s.Remember)
	b.Button("submit", 0, "Log in")
	for i, l := range loginLinks {
		b.Link("link", i, l)
	}
}

// Update implements ui.Sim.
func (s *loginPage) Update(e ui.Event) {
	updateEntries(e, s.Entries)
	s.submits(e)
	switch {
	case e.Is(ui.Enter, "entry"):
		s.send()
	case e.Is(ui.Click, "remember"):
		s.Remember = !s.Remember
	case e.Is(ui.Click, "link") && within(e.Key, len(loginLinks)):
		s.Followed, s.Done = loginLinks[e.Key], true
	}
}

// credentials are what to log in with.
type credentials struct {
	Texts    []string
	Remember bool
}

// draw draws credentials and offers them among others.
func (j *credentials) draw(t *ui.Task) {
	var users, passwords []string
	for _, p := range ui.Draw(t.Rand, people, 4) {
		users = append(users, p+strconv.Itoa(10+t.Rand.Intn(90)))
	}
	for _, w := range ui.Draw(t.Rand, plain, 4) {
		passwords = append(passwords, w+"-"+strconv.Itoa(100+t.Rand.Intn(900)))
	}
	j.Texts = []string{users[0], passwords[0]}
	t.Offer(users...)
	t.Offer(passwords...)
}

// Want implements ui.Wanter.
func (j *credentials) Want(s *loginPage) {
	wantEntries(s.Entries, j.Texts)
	s.Remember, s.Submitted = j.Remember, true
}

// Solve implements ui.Job.
func (j *credentials) Solve(s *loginPage, x *ui.Pilot) {
	if s.Remember != j.Remember {
		x.Tap("remember", 0)
	}
	typeEntries(x, s.Entries, j.Texts)
}
