package web

import (
	"slices"

	"marlpit/envs"
	"marlpit/envs/ui"
)

// forumPage has threads of posts. All can be taken back until one logs out.
type forumPage struct {
	Form
	Threads []thread
	Open    int    `ui:"view"` // the thread being read from 1, 0 for none
	Draft   string `ui:"view"`
}

// thread is a subject that is talked about.
type thread struct {
	Title string
	Posts []forumPost
}

// forumPost is what somebody wrote.
type forumPost struct {
	Author, Text string
	Votes        int // of others
	Voted        bool
	Mine         bool
}

// threadTitles are what forums talk about.
var threadTitles = []string{"Bread that rises", "Old radios", "Bicycles in winter", "Plants for shade", "Learning to juggle",
	"Night trains", "Paper boats", "Repairing chairs"}

// remarks are what people say about anything.
var remarks = []string{"I agree with that.", "It took me a year.", "Try it with less water.", "The second one is better.",
	"Nobody told me so before.", "Use two hands.", "My neighbour does it daily.", "It depends on the weather.",
	"That was new to me.", "Start with a small one.", "Ask at the library.", "Mine broke last week."}

func (s *forumPage) fill(r *envs.Rand) {
	*s = forumPage{}
	names := ui.Draw(r, people, 4)
	for _, title := range ui.Draw(r, threadTitles, 4) {
		th := thread{Title: title}
		votes := twoDigits(r, 6)
		for i, text := range ui.Draw(r, remarks, 6) {
			by := names[i%len(names)]
			th.Posts = append(th.Posts, forumPost{Author: by, Text: text, Votes: votes[i]})
		}
		r.Shuffle(len(th.Posts), func(i, k int) { th.Posts[i], th.Posts[k] = th.Posts[k], th.Posts[i] })
		s.Threads = append(s.Threads, th)
	}
}

// App implements ui.Sim.
func (s *forumPage) App() string { return "forum" }

// View implements ui.Sim.
func (s *forumPage) View(b *ui.Builder) {
	if !within(s.Open-1, len(s.Threads)) {
		b.Heading("Forum of small things")
		for i := range s.Threads {
			b.Item("thread", i, s.Threads[i].Title, b.Cat(b.Int(len(s.Threads[i].Posts)), " posts"))
		}
		b.Button("submit", 0, "Log out")
		return
	}
	th := &s.Threads[s.Open-1]
	b.Heading(th.Title)
	b.Link("threads", 0, "All threads")
	b.Scroll("posts", 2*submitHeight)
	for i := range th.Posts {
		p := &th.Posts[i]
		b.Label(b.Cat(p.Author, ": ", p.Text))
		b.Row(2)
		if p.Mine {
			b.Label("just now")
			b.Button("remove", i, "Delete").Describe(p.Text)
			continue
		}
		n := p.Votes
		if p.Voted {
			n++
		}
		b.Label(b.Cat(b.Int(n), " votes"))
		b.Button("vote", i, "Vote for it").Describe(p.Author).Select(p.Voted)
	}
	b.End()
	b.Field("draft", 0, "Your reply", s.Draft)
	b.Button("post", 0, "Post the reply").Disable(s.Draft == "")
}

// Update implements ui.Sim.
func (s *forumPage) Update(e ui.Event) {
	if !within(s.Open-1, len(s.Threads)) {
		if s.Open = 0; e.Is(ui.Click, "thread") {
			s.Open, s.Draft = e.Key+1, ""
		}
		s.submits(e)
		return
	}
	th := &s.Threads[s.Open-1]
	switch there := within(e.Key, len(th.Posts)); {
	case e.Kind == ui.Back, e.Is(ui.Click, "threads"):
		s.Open = 0
	case e.Is(ui.Input, "draft"):
		s.Draft = e.Text
	case e.Is(ui.Click, "post") && s.Draft != "":
		th.Posts = append(th.Posts, forumPost{Author: "You", Text: s.Draft, Mine: true})
		s.Draft = ""
	case e.Is(ui.Click, "vote") && there:
		th.Posts[e.Key].Voted = !th.Posts[e.Key].Voted
	case e.Is(ui.Click, "remove") && there && th.Posts[e.Key].Mine:
		th.Posts = slices.Delete(th.Posts, e.Key, e.Key+1)
	}
}

// forumTask is what is wanted of one thread.
type forumTask struct {
	Thread string
	Author string // whose posts get votes, "" for nobody
	Reply  string // "" for none
}

// Want implements ui.Wanter.
func (j *forumTask) Want(s *forumPage) {
	s.Submitted = true
	for i := range s.Threads {
		th := &s.Threads[i]
		if th.Title != j.Thread {
			continue
		}
		for k := range th.Posts {
			th.Posts[k].Voted = th.Posts[k].Author == j.Author
		}
		if j.Reply != "" {
			th.Posts = append(th.Posts, forumPost{Author: "You", Text: j.Reply, Mine: true})
		}
	}
}

// Solve implements ui.Job.
func (j *forumTask) Solve(s *forumPage, x *ui.Pilot) {
	for i := range s.Threads {
		if s.Open == i+1 {
			j.solveThread(s, i, x)
			x.Tap("threads", 0)
		} else if s.Open == 0 && !j.fits(&s.Threads[i]) {
			x.Tap("thread", i)
		}
	}
	x.Tap("submit", 0)
}

// solveThread does what is still to do in the thread that is open.
func (j *forumTask) solveThread(s *forumPage, i int, x *ui.Pilot) {
	th, replied := &s.Threads[i], false
	for k := range th.Posts {
		p := &th.Posts[k]
		switch {
		case !p.Mine && p.Voted != (th.Title == j.Thread && p.Author == j.Author):
			x.Tap("vote", k)
		case p.Mine && (th.Title != j.Thread || p.Text != j.Reply || replied):
			x.Tap("remove", k)
		case p.Mine:
			replied = true
		}
	}
	switch {
	case th.Title != j.Thread || j.Reply == "" || replied:
	case s.Draft != j.Reply:
		x.Type("draft", 0, j.Reply)
	default:
		x.Tap("post", 0)
	}
}

// fits says whether nothing is to do in a thread.
func (j *forumTask) fits(th *thread) bool {
	replies := 0
	for k := range th.Posts {
		p := &th.Posts[k]
		if !p.Mine && p.Voted != (th.Title == j.Thread && p.Author == j.Author) || p.Mine && p.Text != j.Reply {
			return false
		}
		if p.Mine {
			replies++
		}
	}
	if th.Title == j.Thread && j.Reply != "" {
		replies--
	}
	return replies == 0
}
