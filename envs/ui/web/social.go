package web

import (
	"marlpit/envs"
	"marlpit/envs/ui"
)

// socialPage is a feed of short posts; a button says that one is done.
type socialPage struct {
	Form
	Posts   []post
	Authors []author
	Menu    int `ui:"view"` // the post whose menu is open from 1, 0 for none
}

// post is one entry of the feed.
type post struct {
	Author, Text          string
	Liked, Shared, Hidden bool
}

// author is somebody who writes, and what one has decided about them.
type author struct {
	Name              string
	Followed, Blocked bool
}

func (s *socialPage) fill(r *envs.Rand) {
	*s = socialPage{}
	names := ui.Draw(r, people, 4)
	for _, name := range names {
		s.Authors = append(s.Authors, author{Name: name})
	}
	for i, text := range ui.Draw(r, sentences, 9) {
		by := names[i%len(names)]
		if i >= 2*len(names) {
			by = ui.Pick(r, names)
		}
		s.Posts = append(s.Posts, post{Author: by, Text: text})
	}
	r.Shuffle(len(s.Posts), func(i, k int) { s.Posts[i], s.Posts[k] = s.Posts[k], s.Posts[i] })
}

// App implements ui.Sim.
func (s *socialPage) App() string { return "social" }

// by is the author of a name; nobody where there is none.
func (s *socialPage) by(name string) *author {
	for i := range s.Authors {
		if s.Authors[i].Name == name {
			return &s.Authors[i]
		}
	}
	return nil
}

// View implements ui.Sim.
func (s *socialPage) View(b *ui.Builder) {
	b.Row(2)
	b.Heading("Chatter")
	b.Button("submit", 0, "Done")
	b.Scroll("feed", 0)
	for i := range s.Posts {
		s.viewPost(b, i)
	}
	b.End()
	if !within(s.Menu-1, len(s.Posts)) {
		return
	}
	p := &s.Posts[s.Menu-1]
	b.Dialog(b.Cat("About ", p.Author))
	follow := "Follow "
	if a := s.by(p.Author); a != nil && a.Followed {
		follow = "Unfollow "
	}
	b.Button("follow", 0, b.Cat(follow, p.Author))
	b.Button("block", 0, b.Cat("Block ", p.Author))
	b.Button("hide", 0, "Hide this post")
	b.Button("close", 0, "Close")
}

// viewPost shows one post, or that it is out of sight.
func (s *socialPage) viewPost(b *ui.Builder, i int) {
	p := &s.Posts[i]
	if a := s.by(p.Author); a != nil && a.Blocked {
		b.Row(2)
		b.Label(b.Cat(p.Author, " is blocked"))
		b.Button("unblock", i, "Unblock")
		return
	}
	if p.Hidden {
		b.Row(2)
		b.Label("Hidden post")
		b.Button("show", i, "Show again").Describe(p.Text)
		return
	}
	b.Label(b.Cat(p.Author, ": ", p.Text))
	b.Row(3)
	b.Button("like", i, "Like").Describe(b.Cat("post of ", p.Author)).Select(p.Liked)
	b.Button("share", i, "Pass on").Describe(b.Cat("post of ", p.Author)).Select(p.Shared)
	b.Button("more", i, "More").Describe(b.Cat("about ", p.Author))
}

// Update implements ui.Sim.
func (s *socialPage) Update(e ui.Event) {
	if within(s.Menu-1, len(s.Posts)) {
		s.updateMenu(e)
		return
	}
	s.Menu = 0
	s.submits(e)
	if e.Kind != ui.Click || !within(e.Key, len(s.Posts)) {
		return
	}
	p := &s.Posts[e.Key]
	switch e.On {
	case "like":
		p.Liked = !p.Liked
	case "share":
		p.Shared = !p.Shared
	case "show":
		p.Hidden = false
	case "more":
		s.Menu = e.Key + 1
	case "unblock":
		if a := s.by(p.Author); a != nil {
			a.Blocked = false
		}
	}
}

func (s *socialPage) updateMenu(e ui.Event) {
	p := &s.Posts[s.Menu-1]
	a := s.by(p.Author)
	switch {
	case e.Is(ui.Click, "follow") && a != nil:
		a.Followed = !a.Followed
	case e.Is(ui.Click, "block") && a != nil:
		a.Blocked = true
	case e.Is(ui.Click, "hide"):
		p.Hidden = true
	case e.Kind != ui.Back && !e.Is(ui.Click, "close"):
		return
	}
	s.Menu = 0
}

// feedTask is what the feed has to be: what is asked of the posts and the author.
type feedTask struct {
	Author                string
	Text                  string // of the one post that is meant, "" for all of the author
	Liked, Shared, Hidden bool
	Followed, Blocked     bool
}

// meant says whether a post is meant.
func (j *feedTask) meant(p *post) bool {
	return p.Author == j.Author && (j.Text == "" || p.Text == j.Text)
}

// Want implements ui.Wanter.
func (j *feedTask) Want(s *socialPage) {
	s.Submitted = true
	for i := range s.Posts {
		if p := &s.Posts[i]; j.meant(p) {
			p.Liked, p.Shared, p.Hidden = j.Liked, j.Shared, j.Hidden
		}
	}
	a := s.by(j.Author)
	a.Followed, a.Blocked = j.Followed, j.Blocked
}

// Solve implements ui.Job.
func (j *feedTask) Solve(s *socialPage, x *ui.Pilot) {
	if within(s.Menu-1, len(s.Posts)) {
		p := &s.Posts[s.Menu-1]
		a := s.by(p.Author)
		switch mine := p.Author == j.Author; {
		case a != nil && a.Followed != (mine && j.Followed):
			x.Tap("follow", 0)
		case j.Hidden && j.meant(p) && p.Liked == j.Liked && p.Shared == j.Shared:
			x.Tap("hide", 0)
		case mine && j.Blocked && !j.unread(s):
			x.Tap("block", 0)
		}
		x.Tap("close", 0)
		return
	}
	for i := range s.Posts {
		j.solvePost(s, i, x)
	}
	x.Tap("submit", 0)
}

// solvePost does what is still to do about one post.
func (j *feedTask) solvePost(s *socialPage, i int, x *ui.Pilot) {
	p := &s.Posts[i]
	meant, mine := j.meant(p), p.Author == j.Author
	a := s.by(p.Author)
	if a == nil {
		return
	}
	if a.Blocked {
		if !mine || !j.Blocked || a.Followed || j.unread(s) {
			x.Tap("unblock", i)
		}
		return
	}
	if p.Hidden {
		if !meant || !j.Hidden || p.Liked != j.Liked || p.Shared != j.Shared || a.Followed != j.Followed {
			x.Tap("show", i)
		}
		return
	}
	switch {
	case p.Liked != (meant && j.Liked):
		x.Tap("like", i)
	case p.Shared != (meant && j.Shared):
		x.Tap("share", i)
	case meant && j.Hidden || a.Followed != (mine && j.Followed):
		x.Tap("more", i)
	case mine && j.Blocked && !j.unread(s):
		x.Tap("more", i)
	}
}

// unread says whether posts of the author have to be put right before they are blocked.
func (j *feedTask) unread(s *socialPage) bool {
	for i := range s.Posts {
		if p := &s.Posts[i]; p.Author == j.Author && (p.Liked || p.Shared || p.Hidden) {
			return true
		}
	}
	return false
}
