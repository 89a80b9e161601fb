package phone

import "marlpit/envs/ui"

var _ = add[sortFolder](ui.Template{
	Name: "files-sort", Summary: "show a folder, sorted by date or size", Apps: []string{"files"},
	Kind: ui.Navigate, Level: 1, MaxTurns: 12,
})

// sortFolder asks for a folder to be shown in an order.
type sortFolder struct {
	Folder string
	Order  int // of orders
}

// Setup implements ui.Job.
func (a *sortFolder) Setup(_ *Phone, t *ui.Task) {
	a.Folder, a.Order = ui.Pick(t.Rand, fileFolders), 1+t.Rand.Intn(2)
	order := orders[a.Order]
	t.Say("Open the folder "+a.Folder+" and sort it by "+order+".",
		"I want to see what is in "+a.Folder+", sorted by "+order+".")
	t.Offer(a.Folder, order)
}

// Want implements ui.Wanter: nothing is to change.
func (a *sortFolder) Want(*Phone) {}

// Check implements ui.Checker.
func (a *sortFolder) Check(p *Phone) string {
	switch k := &p.Files; {
	case p.Shown != "files" || k.Screen != "" || k.Search != "" || k.Folder != a.Folder:
		return "the folder " + a.Folder + " isn't shown"
	case k.Sort != orders[a.Order]:
		return "files are sorted by " + k.Sort
	}
	return ""
}

// Solve implements ui.Job.
func (a *sortFolder) Solve(p *Phone, x *ui.Pilot) {
	switch k := &p.Files; {
	case mend(p, x):
	case away(p, x, "files"):
	case k.Screen == "sort":
		x.Tap("by", a.Order)
	case !k.at(x, a.Folder):
	case k.Sort != orders[a.Order]:
		x.Tap("order", 0)
	default:
		x.Complete()
	}
}
