package web

import (
	"strconv"

	"marlpit/envs"
	"marlpit/envs/ui"
)

var (
	_ = add[choicesPage, choicesOne](ui.Template{
		Name: "choices-one", Summary: "choose one of several options", Apps: []string{"choices"},
		Kind: ui.Operate, Level: 1, MaxTurns: 5, Easy: true,
	})
	_ = add[choicesPage, choicesSurvey](ui.Template{
		Name: "choices-survey", Summary: "fill in a survey of four questions", Apps: []string{"choices"},
		Kind: ui.Several, Level: 2, MaxTurns: 12,
	})
	_ = add[choicesPage, choicesParity](ui.Template{
		Name: "choices-parity", Summary: "say of numbers whether they are odd or even", Apps: []string{"choices"},
		Kind: ui.Several, Level: 2, MaxTurns: 14, HeldOut: true,
	})
)

// choicesPage are questions with radio buttons.
type choicesPage struct {
	Form
	Questions []question
}

// question is one question with its options, one of which may be chosen.
type question struct {
	Text    string
	Options []string
	Chosen  string
}

var survey = []question{
	{Text: "Size", Options: []string{"small", "medium", "large"}},
	{Text: "Delivery", Options: []string{"post", "courier", "pick up"}},
	{Text: "Payment", Options: []string{"card", "cash", "invoice"}},
	{Text: "Wrapping", Options: []string{"plain", "gift", "none"}},
	{Text: "Roast", Options: []string{"light", "middle", "dark"}},
	{Text: "Seat", Options: []string{"aisle", "window", "any"}},
	{Text: "Speed", Options: []string{"slow", "normal", "fast"}},
	{Text: "Season", Options: []string{"spring", "summer", "winter"}},
}

func (s *choicesPage) fill(r *envs.Rand) {
	*s = choicesPage{Questions: append(s.Questions[:0], ui.Draw(r, survey, 4)...)}
}

// App implements ui.Sim.
func (s *choicesPage) App() string { return "choices" }

// View implements ui.Sim.
func (s *choicesPage) View(b *ui.Builder) {
	b.Heading("Questions")
	b.Scroll("questions", submitHeight)
	for i := range s.Questions {
		q := &s.Questions[i]
		b.Label(q.Text)
		if len(q.Options) > 0 {
			b.Row(len(q.Options))
		}
		for k, o := range q.Options {
			b.Radio("option", i*keysPerGroup+k, o, q.Chosen == o).Describe(q.Text)
		}
	}
	b.End()
	s.submit(b)
}

// Update implements ui.Sim.
func (s *choicesPage) Update(e ui.Event) {
	i, k := e.Key/keysPerGroup, e.Key%keysPerGroup
	if e.Is(ui.Click, "option") && within(i, len(s.Questions)) && within(k, len(s.Questions[i].Options)) {
		s.Questions[i].Chosen = s.Questions[i].Options[k]
	}
	s.submits(e)
}

// wantedChoices are the options to choose, question by question.
type wantedChoices struct{ Chosen []string }

// Want implements ui.Wanter.
func (j *wantedChoices) Want(s *choicesPage) {
	for i, c := range j.Chosen {
		s.Questions[i].Chosen = c
	}
	s.Submitted = true
}

// Solve implements ui.Job.
func (j *wantedChoices) Solve(s *choicesPage, x *ui.Pilot) {
	for i := range min(len(j.Chosen), len(s.Questions)) {
		for k, o := range s.Questions[i].Options {
			if o == j.Chosen[i] && s.Questions[i].Chosen != o {
				x.Tap("option", i*keysPerGroup+k)
			}
		}
	}
	x.Tap("submit", 0)
}

// choicesOne asks for one option of one question.
type choicesOne struct{ wantedChoices }

// Setup implements ui.Job.
func (j *choicesOne) Setup(s *choicesPage, t *ui.Task) {
	s.Questions = s.Questions[:1]
	q := s.Questions[0]
	j.Chosen = []string{ui.Pick(t.Rand, q.Options)}
	t.Say("Choose "+quoted(j.Chosen[0])+" and submit.",
		"Set "+q.Text+" to "+quoted(j.Chosen[0])+" and press Submit.")
}

// choicesSurvey asks for an option of each question.
type choicesSurvey struct{ wantedChoices }

// Setup implements ui.Job.
func (j *choicesSurvey) Setup(s *choicesPage, t *ui.Task) {
	j.Chosen = nil
	var all []string
	for _, q := range s.Questions {
		j.Chosen = append(j.Chosen, ui.Pick(t.Rand, q.Options))
		all = append(all, q.Text+": "+j.Chosen[len(j.Chosen)-1])
	}
	t.Say("Fill in the form: "+listed(all)+". Then submit.",
		"Answer with "+listed(ui.Draw(t.Rand, all, len(all)))+", and press Submit.")
}

// choicesParity asks which numbers are odd.
type choicesParity struct{ wantedChoices }

// Setup implements ui.Job.
func (j *choicesParity) Setup(s *choicesPage, t *ui.Task) {
	s.Questions, j.Chosen = s.Questions[:0], nil
	parity := []string{"even", "odd"}
	for range 5 {
		n := t.Rand.Intn(199) - 99
		s.Questions = append(s.Questions, question{Text: strconv.Itoa(n), Options: parity})
		j.Chosen = append(j.Chosen, parity[n&1])
	}
	first := s.Questions[0].Text
	t.Say("Say of each number from "+first+" on whether it is odd or even, and submit.",
		"Mark "+first+" and the other numbers as odd or even. Then press Submit.")
}
