package phone

import (
	"slices"
	"strings"

	"marlpit/envs"
	"marlpit/envs/ui"
)

// Contacts is the app of people and their numbers.
type Contacts struct {
	People []Person `ui:"set"`
	Next   int      `ui:"id"` // the next person's ID

	Screen string `ui:"view"` // "" the list, "card", "edit", "delete"
	Open   int    `ui:"view"` // ID of the person shown, 0 for a new one
	Search string `ui:"view"`
	Draft  Person `ui:"view"`
}

// Person is one contact.
type Person struct {
	ID       int `ui:"id"`
	Name     string
	Number   string
	Mail     string
	Favorite bool
}

func (c *Contacts) fill(_ *Phone, r *envs.Rand) {
	c.People, c.Next = c.People[:0], 1
	for _, k := range ui.Draw(r, fullNames, 10+r.Intn(5)) {
		c.put(Person{Name: k, Number: phoneNumber(r), Mail: mailOf(k), Favorite: r.Intn(5) == 0})
	}
	c.open()
}

// put adds a person under an ID of its own, in the order of names.
func (c *Contacts) put(p Person) {
	p.ID = c.Next
	c.Next++
	at, _ := slices.BinarySearchFunc(c.People, p, func(a, b Person) int { return strings.Compare(a.Name, b.Name) })
	c.People = slices.Insert(c.People, at, p)
}

// person is the one of an ID, or nil.
func (c *Contacts) person(id int) *Person {
	for i := range c.People {
		if c.People[i].ID == id {
			return &c.People[i]
		}
	}
	return nil
}

// named is the person of a name, or nil.
func (c *Contacts) named(name string) *Person {
	for i := range c.People {
		if c.People[i].Name == name {
			return &c.People[i]
		}
	}
	return nil
}

func (c *Contacts) open() { c.Screen, c.Open, c.Search, c.Draft = "", 0, "", Person{} }

func (c *Contacts) view(_ *Phone, b *ui.Builder) {
	p := c.person(c.Open)
	switch {
	case c.Screen == "edit":
		b.Heading("Edit contact")
		b.Field("name", 0, "Name", c.Draft.Name)
		b.Field("number", 0, "Number", c.Draft.Number)
		b.Field("mail", 0, "Mail", c.Draft.Mail)
		b.Row(2)
		b.Button("cancel", 0, "Cancel")
		b.Button("save", 0, "Save").Disable(c.Draft.Name == "")
	case c.Screen != "" && p != nil:
		b.Heading(p.Name)
		b.Label(p.Number).Describe("number")
		b.Label(p.Mail).Describe("mail")
		b.Check("favorite", 0, "Favorite", p.Favorite)
		b.Row(2)
		b.Button("edit", 0, "Edit")
		b.Button("delete", 0, "Delete")
		if c.Screen == "delete" {
			b.Dialog(b.Cat("Delete ", p.Name, "?"))
			b.Row(2)
			b.Button("keep", 0, "Cancel")
			b.Button("sure", 0, "Delete")
		}
	default:
		b.Heading("Contacts")
		b.Button("new", 0, "Add contact")
		b.Field("search", 0, "Search", c.Search)
		b.Scroll("people", 0)
		for i := range c.People {
			if q := &c.People[i]; hasFold(q.Name, c.Search) {
				b.Item("person", q.ID, q.Name, "")
			}
		}
		b.End()
	}
}

func (c *Contacts) update(_ *Phone, e ui.Event) bool {
	p := c.person(c.Open)
	switch {
	case e.Kind == ui.Back:
		switch c.Screen {
		case "":
			return false
		case "delete":
			c.Screen = "card"
		case "edit":
			c.Screen = ""
			if p != nil {
				c.Screen = "card"
			}
		default:
			c.open()
		}
	case e.Is(ui.Input, "search"):
		c.Search = e.Text
	case e.Is(ui.Click, "new"):
		c.Screen, c.Open, c.Draft = "edit", 0, Person{}
	case e.Is(ui.Click, "person"):
		c.Screen, c.Open = "card", e.Key
	case e.Is(ui.Input, "name"):
		c.Draft.Name = e.Text
	case e.Is(ui.Input, "number"):
		c.Draft.Number = e.Text
	case e.Is(ui.Input, "mail"):
		c.Draft.Mail = e.Text
	case e.Is(ui.Click, "cancel"):
		return c.update(nil, ui.Event{Kind: ui.Back})
	case e.Is(ui.Click, "save"):
		c.save(p)
	case p == nil: // what follows is about the person shown
	case e.Is(ui.Click, "favorite"):
		p.Favorite = !p.Favorite
	case e.Is(ui.Click, "edit"):
		c.Screen, c.Draft = "edit", *p
	case e.Is(ui.Click, "delete"):
		c.Screen = "delete"
	case e.Is(ui.Click, "keep"):
		c.Screen = "card"
	case e.Is(ui.Click, "sure"):
		c.People = slices.DeleteFunc(c.People, func(q Person) bool { return q.ID == c.Open })
		c.open()
	}
	return true
}

// save keeps the draft: as the person p, or as a new one where p is nil.
func (c *Contacts) save(p *Person) {
	if c.Draft.Name == "" {
		return
	}
	if p != nil {
		c.Draft.ID, c.Draft.Favorite = p.ID, p.Favorite
		*p = c.Draft
		c.Screen = "card"
		return
	}
	c.put(c.Draft)
	c.open()
}
