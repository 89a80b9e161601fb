package phone

import "marlpit/envs/ui"

func (c *Contacts) update(p *Phone, e ui.Event) bool {
	switch q := c.person(c.Open); {
	case e.Kind == ui.Back:
		return c.back()
	case e.Is(ui.Click, "close"), e.Is(ui.Click, "cancel"):
		c.back()
	case c.Screen == "edit":
		c.updateEdit(e, q)
	case e.Is(ui.Input, "search"):
		c.Search = e.Text
	case e.Is(ui.Click, "all"):
		c.Starred = false
	case e.Is(ui.Click, "starred"):
		c.Starred = true
	case e.Is(ui.Click, "new"):
		c.Screen, c.Open, c.Draft = "edit", 0, Person{}
	case e.Is(ui.Click, "person"):
		c.Screen, c.Open = "card", e.Key
	case e.Is(ui.Press, "person"):
		c.Screen, c.Open = "menu", e.Key
	case q != nil:
		c.updatePerson(p, e, q)
	}
	return true
}

// back leaves a screen; false where there is none to leave.
func (c *Contacts) back() bool {
	switch {
	case c.Screen == "delete" && !c.FromMenu, c.Screen == "edit" && c.person(c.Open) != nil:
		c.Screen = "card"
	case c.Screen == "" && c.Search == "" && !c.Starred:
		return false
	case c.Screen != "":
		c.Screen, c.Open, c.FromMenu = "", 0, false
	default:
		c.open()
	}
	return true
}

// updatePerson handles what happens to the person shown.
func (c *Contacts) updatePerson(p *Phone, e ui.Event, q *Person) {
	switch {
	case e.Is(ui.Click, "message"):
		p.show("messages")
		p.Messages.to(q.Number)
	case e.Is(ui.Click, "favorite"):
		q.Favorite = !q.Favorite
		if c.Screen == "menu" {
			c.back()
		}
	case e.Is(ui.Click, "edit"):
		c.Screen, c.Draft = "edit", *q
	case e.Is(ui.Click, "delete"):
		c.FromMenu = c.Screen == "menu"
		c.Screen = "delete"
	case e.Is(ui.Click, "sure") && c.Screen == "delete":
		c.drop(q.ID)
		c.Screen, c.Open, c.FromMenu = "", 0, false
	}
}

func (c *Contacts) updateEdit(e ui.Event, q *Person) {
	d := &c.Draft
	switch {
	case e.Is(ui.Input, "name"):
		d.Name = e.Text
	case e.Is(ui.Input, "number"):
		d.Number = e.Text
	case e.Is(ui.Input, "mail"):
		d.Mail = e.Text
	case e.Is(ui.Input, "company"):
		d.Company = e.Text
	case e.Is(ui.Click, "save") && d.Name != "" && q != nil:
		d.ID, d.Favorite = q.ID, q.Favorite
		*q = *d
		c.Screen = "card"
	case e.Is(ui.Click, "save") && d.Name != "":
		c.put(*d)
		c.open()
	}
}
