package phone

import "marlpit/envs/ui"

func (p Person) key() int { return p.ID }

func (p Person) plain() Person { p.ID = 0; return p }

// toward implements mender.
func (c *Contacts) toward(p, want *Phone, x *ui.Pilot) bool {
	wrong, right := repair(c.People, want.Contacts.People)
	for i := range want.Contacts.People { // a new one gets its star once it is saved
		if w := &want.Contacts.People[i]; wrong != nil && right == nil && onlyFavorite(*wrong, *w) && copies(c.People, *w) == 0 {
			right = w
		}
	}
	switch {
	case wrong == nil && right == nil:
		return false
	case away(p, x, "contacts"):
	case wrong == nil:
		c.solveWrite(x, 0, right)
	case right == nil || surplus(wrong.Number, right.Number) || surplus(wrong.Mail, right.Mail) || surplus(wrong.Company, right.Company):
		c.solveDelete(x, wrong.ID)
	case onlyFavorite(*wrong, *right):
		c.solveStar(x, wrong.ID)
	default:
		c.solveWrite(x, wrong.ID, right)
	}
	return true
}

func onlyFavorite(a, b Person) bool { a.Favorite = b.Favorite; return a.plain() == b.plain() }

// solveWrite writes w over the person of an id, or as a new one for id 0.
func (c *Contacts) solveWrite(x *ui.Pilot, id int, w *Person) {
	d := &c.Draft
	switch {
	case c.Screen == "edit" && c.Open == id:
		if !enter(x, "name", d.Name, w.Name) && !enter(x, "number", d.Number, w.Number) &&
			!enter(x, "mail", d.Mail, w.Mail) && !enter(x, "company", d.Company, w.Company) {
			x.Tap("save", 0)
		}
	case id == 0 && c.Screen == "":
		x.Tap("new", 0)
	case id != 0 && c.Screen == "card" && c.Open == id:
		x.Tap("edit", 0)
	default:
		c.solveCard(x, id)
	}
}

// solveStar turns a favorite on or off.
func (c *Contacts) solveStar(x *ui.Pilot, id int) {
	if c.Open == id && (c.Screen == "card" || c.Screen == "menu") {
		x.Tap("favorite", 0)
		return
	}
	c.solveCard(x, id)
}

// solveDelete takes the person of an id out.
func (c *Contacts) solveDelete(x *ui.Pilot, id int) {
	switch {
	case c.Open == id && c.Screen == "delete":
		x.Tap("sure", 0)
	case c.Open == id && (c.Screen == "card" || c.Screen == "menu"):
		x.Tap("delete", 0)
	default:
		c.solveCard(x, id)
	}
}

// solveCard opens the card of an id, from anywhere in the app.
func (c *Contacts) solveCard(x *ui.Pilot, id int) {
	if c.Screen == "" && id != 0 {
		x.Tap("person", id)
	}
	x.Back()
}

// shows says whether the card of a person is what the app shows, even behind other apps.
func (c *Contacts) shows(name string) bool {
	q := c.named(name)
	return q != nil && c.Screen == "card" && c.Open == q.ID
}

// look brings the card of a person onto the screen; false where it is there, or nobody
// has the name.
func (c *Contacts) look(p *Phone, x *ui.Pilot, name string) bool {
	q := c.named(name)
	switch {
	case q == nil:
		return false
	case away(p, x, "contacts"):
	case !c.shows(name):
		c.solveCard(x, q.ID)
	default:
		return false
	}
	return true
}
