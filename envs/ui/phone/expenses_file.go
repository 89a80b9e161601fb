package phone

import "marlpit/envs/ui"

var _ = add[listed](ui.Template{
	Name: "expenses-file", Summary: "enter the expenses that a text file lists", Apps: []string{"expenses", "files"},
	Kind: ui.Transfer, Level: 3, MaxTurns: 44, HeldOut: true,
})

// listed asks for two expenses that stand in a file.
type listed struct {
	File     int
	Names    [2]string
	Cents    [2]int
	Category string
}

// Setup implements ui.Job.
func (a *listed) Setup(p *Phone, t *ui.Task) {
	i := t.Rand.Intn(len(categories))
	a.Category = categories[i]
	a.Names[0] = fresh(t, spendings[i], p.Expenses.has)
	a.Names[1] = fresh(t, spendings[i], func(s string) bool { return s == a.Names[0] || p.Expenses.has(s) })
	for k := range a.Cents {
		a.Cents[k] = 300 + 5*t.Rand.Intn(900)
	}
	file := ui.Pick(t.Rand, []string{"receipts.txt", "spent.txt", "till.txt"})
	a.File = p.Files.Next
	p.Files.put(Node{Name: file, Folder: ui.Pick(t.Rand, fileFolders), Size: 1, Day: p.Today,
		Text: a.Names[0] + " " + ui.Cents(a.Cents[0]) + ", " + a.Names[1] + " " + ui.Cents(a.Cents[1])})
	t.Say("The file "+file+" lists two things I paid for. Enter both as expenses of today in the category "+a.Category+".",
		"Look into "+file+", and add each of the two items there to my expenses: today, "+a.Category+".")
	t.Offer(a.Names[0], a.Names[1], ui.Cents(a.Cents[0]), ui.Cents(a.Cents[1]), file)
}

// Want implements ui.Wanter.
func (a *listed) Want(p *Phone) {
	for i, n := range a.Names {
		p.Expenses.put(Expense{Name: n, Cents: a.Cents[i], Category: a.Category, Day: p.Today})
	}
}

// Solve implements ui.Job.
func (a *listed) Solve(p *Phone, x *ui.Pilot) {
	if p.Expenses.has(a.Names[0]) || lookFirst(p, x, a.File) {
		finish(p, x)
	}
}

// lookFirst leads to a file that has to be read before the rest is known: true once it is on the screen of files.
func lookFirst(p *Phone, x *ui.Pilot, file int) bool {
	k := &p.Files
	n := k.node(file)
	switch {
	case n == nil || k.Screen == "show" && k.Open == file:
		return true
	case !away(p, x, "files"):
		k.show(x, n)
	}
	return false
}
