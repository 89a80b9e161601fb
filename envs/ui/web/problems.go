package web

import (
	"slices"
	"strconv"

	"marlpit/envs"
	"marlpit/envs/ui"
)

var (
	_ = add[problemsPage, problemsSums](ui.Template{
		Name: "problems-sums", Summary: "add, subtract and multiply", Apps: []string{"problems"},
		Kind: ui.Find, Level: 1, MaxTurns: 10,
	})
	_ = add[problemsPage, problemsBrackets](ui.Template{
		Name: "problems-brackets", Summary: "work out terms with brackets", Apps: []string{"problems"},
		Kind: ui.Find, Level: 2, MaxTurns: 10, HeldOut: true,
	})
	_ = add[problemsPage, problemsAlgebra](ui.Template{
		Name: "problems-algebra", Summary: "solve equations for x", Apps: []string{"problems"},
		Kind: ui.Find, Level: 3, MaxTurns: 10,
	})
	_ = add[problemsPage, problemsSeries](ui.Template{
		Name: "problems-series", Summary: "continue series of numbers", Apps: []string{"problems"},
		Kind: ui.Find, Level: 3, MaxTurns: 10,
	})
)

// problemsPage has problems with a field for each result.
type problemsPage struct {
	Form
	Problems []Entry
}

func (s *problemsPage) fill(_ *envs.Rand) { *s = problemsPage{} }

// App implements ui.Sim.
func (s *problemsPage) App() string { return "problems" }

// View implements ui.Sim.
func (s *problemsPage) View(b *ui.Builder) {
	b.Heading("Problems")
	viewEntries(b, s.Problems)
	s.submit(b)
}

// Update implements ui.Sim.
func (s *problemsPage) Update(e ui.Event) {
	updateEntries(e, s.Problems)
	s.submits(e)
}

// problems is how many there are on the page.
const problems = 3

// results are the right results, problem by problem.
type results struct{ Results []string }

// set draws the problems, as make makes them, and offers results right and wrong.
// It returns what the first problem says.
func (j *results) set(s *problemsPage, t *ui.Task, draw func(r *envs.Rand) (text string, result int)) string {
	s.Problems, j.Results = nil, nil
	for len(s.Problems) < problems {
		text, n := draw(t.Rand)
		if result := strconv.Itoa(n); !slices.Contains(j.Results, result) {
			s.Problems = append(s.Problems, Entry{Label: text})
			j.Results = append(j.Results, result)
		}
	}
	t.Offer(j.Results...)
	for len(t.Texts) < ui.MaxTexts {
		n, _ := strconv.Atoi(ui.Pick(t.Rand, j.Results))
		if wrong := strconv.Itoa(n - 4 + t.Rand.Intn(9)); !slices.Contains(t.Texts, wrong) {
			t.Offer(wrong)
		}
	}
	return s.Problems[0].Label
}

// Want implements ui.Wanter.
func (j *results) Want(s *problemsPage) {
	wantEntries(s.Problems, j.Results)
	s.Submitted = true
}

// Solve implements ui.Job.
func (j *results) Solve(s *problemsPage, x *ui.Pilot) { typeEntries(x, s.Problems, j.Results) }

// problemsSums asks for sums, differences and products.
type problemsSums struct{ results }

// Setup implements ui.Job.
func (j *problemsSums) Setup(s *problemsPage, t *ui.Task) {
	first := j.set(s, t, func(r *envs.Rand) (string, int) {
		a, b := 2+r.Intn(18), 2+r.Intn(11)
		text := strconv.Itoa(a) + [...]string{" + ", " - ", " x "}[r.Intn(3)] + strconv.Itoa(b)
		switch text[len(strconv.Itoa(a))+1] {
		case '+':
			return text, a + b
		case '-':
			return text, a - b
		}
		return text, a * b
	})
	t.Say("Work out "+first+" and the other two problems, enter the results, and submit.",
		"Enter the results of the three problems, the first of which is "+first+". Then press Submit.")
}

// problemsBrackets asks for the values of terms with brackets.
type problemsBrackets struct{ results }

// Setup implements ui.Job.
func (j *problemsBrackets) Setup(s *problemsPage, t *ui.Task) {
	first := j.set(s, t, func(r *envs.Rand) (string, int) {
		a, b, c := 2+r.Intn(8), 2+r.Intn(8), 2+r.Intn(8)
		x, y, z := strconv.Itoa(a), strconv.Itoa(b), strconv.Itoa(c)
		switch r.Intn(3) {
		case 0:
			return x + " x (" + y + " + " + z + ")", a * (b + c)
		case 1:
			return "(" + x + " - " + y + ") x " + z, (a - b) * c
		}
		return x + " - (" + y + " - " + z + ")", a - (b - c)
	})
	t.Say("Enter the values of "+first+" and the other two terms, and submit.",
		"Three terms have brackets, "+first+" is one. Enter their values and press Submit.")
}

// problemsAlgebra asks for the x of equations.
type problemsAlgebra struct{ results }

// Setup implements ui.Job.
func (j *problemsAlgebra) Setup(s *problemsPage, t *ui.Task) {
	first := j.set(s, t, func(r *envs.Rand) (string, int) {
		k, x, c := 2+r.Intn(5), r.Intn(20)-5, 1+r.Intn(20)
		if r.Intn(2) == 0 {
			return strconv.Itoa(k) + "x + " + strconv.Itoa(c) + " = " + strconv.Itoa(k*x+c), x
		}
		return strconv.Itoa(k) + "x - " + strconv.Itoa(c) + " = " + strconv.Itoa(k*x-c), x
	})
	t.Say("Solve "+first+" and the other two equations for x, enter the results, and submit.",
		"What is x, if "+first+"? Enter it, and the x of the two other equations. Then press Submit.")
}

// problemsSeries asks for the next number of series.
type problemsSeries struct{ results }

// Setup implements ui.Job.
func (j *problemsSeries) Setup(s *problemsPage, t *ui.Task) {
	first := j.set(s, t, func(r *envs.Rand) (string, int) {
		at, by, times := 1+r.Intn(9), 2+r.Intn(9), 1
		if r.Intn(2) == 0 {
			by, times = r.Intn(2), 2
		}
		text := ""
		for range 4 {
			text += strconv.Itoa(at) + ", "
			at = at*times + by
		}
		return text + "?", at
	})
	t.Say("Continue "+first+" and the other two series by one number each, and submit.",
		"Which number comes next in "+first+" Enter it, do the same for the other series, and press Submit.")
}
