package web

import (
	"marlpit/envs"
	"marlpit/envs/ui"
)

// pollPage asks its readers' opinion; voting ends the episode.
type pollPage struct {
	Base
	Polls   []poll
	At      int  `ui:"view"` // the poll that is shown
	Results bool `ui:"view"`
	Chosen  int  `ui:"view"` // option from 1, 0 for none
}

// poll is a question with what people have chosen.
type poll struct {
	Text    string
	Options []pollOption
	Mine    int // from 1, 0 for none
}

// pollOption is one answer.
type pollOption struct {
	Text  string
	Votes int
}

func (s *pollPage) fill(r *envs.Rand) {
	*s = pollPage{}
	kinds := [][]string{fruits, animals, tools}
	for i, text := range []string{"Which fruit is the best?", "Which animal is the cleverest?", "Which tool would you miss?"} {
		votes := twoDigits(r, 4)
		p := poll{Text: text}
		for k, o := range ui.Draw(r, kinds[i], 4) {
			p.Options = append(p.Options, pollOption{o, votes[k]})
		}
		s.Polls = append(s.Polls, p)
	}
}

// App implements ui.Sim.
func (s *pollPage) App() string { return "poll" }

// View implements ui.Sim.
func (s *pollPage) View(b *ui.Builder) {
	b.Heading("You decide")
	if within(s.At, len(s.Polls)) {
		p := &s.Polls[s.At]
		b.Label(p.Text)
		for i := range p.Options {
			if o := &p.Options[i]; s.Results {
				b.Label(b.Cat(o.Text, ": ", b.Int(o.Votes), " votes"))
			} else {
				b.Radio("option", i, o.Text, s.Chosen == i+1)
			}
		}
		b.Row(2)
		if s.Results {
			b.Button("results", 0, "Back to the question")
		} else {
			b.Button("results", 0, "Results")
		}
		b.Button("vote", 0, "Vote").Disable(s.Chosen == 0 || s.Results)
	}
	viewPager(b, s.At, len(s.Polls))
}

// Update implements ui.Sim.
func (s *pollPage) Update(e ui.Event) {
	if at := turnPage(e, s.At, len(s.Polls)); at != s.At {
		s.At, s.Chosen, s.Results = at, 0, false
	}
	if !within(s.At, len(s.Polls)) {
		return
	}
	switch p := &s.Polls[s.At]; {
	case e.Is(ui.Click, "results"):
		s.Results = !s.Results
	case e.Is(ui.Click, "option") && within(e.Key, len(p.Options)):
		s.Chosen = e.Key + 1
	case e.Is(ui.Click, "vote"):
		p.Mine, s.Done = s.Chosen, true
	}
}
