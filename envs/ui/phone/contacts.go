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

	Screen   string `ui:"view"` // "" the list, "menu", "card", "edit", "delete"
	Open     int    `ui:"view"` // ID of the person shown, 0 for a new one
	Starred  bool   `ui:"view"` // the list shows favorites only
	Search   string `ui:"view"`
	Draft    Person `ui:"view"`
	FromMenu bool   `ui:"view"` // the question whether to delete came from the list's menu
}

// Person is one contact.
type Person struct {
	ID       int `ui:"id"`
	Name     string
	Number   string
	Mail     string
	Company  string
	Favorite bool
}

// companies are where people work.
var companies = []string{"Alder Press", "Blue Kiln", "Copper Lane", "Delta Bikes", "Eastgate School", "Fernway Garden",
	"Granite Legal", "Harbour Bakery"}

func (c *Contacts) fill(_ *Phone, r *envs.Rand) {
	c.People, c.Next = c.People[:0], 1
	for _, k := range ui.Draw(r, fullNames, 10+r.Intn(5)) {
		c.put(Person{Name: k, Number: c.freeNumber(r), Mail: mailOf(k), Company: ui.Pick(r, companies), Favorite: r.Intn(5) == 0})
	}
	c.open()
}

// freeNumber is a number that nobody in the list has.
func (c *Contacts) freeNumber(r *envs.Rand) string {
	for {
		if n := phoneNumber(r); c.numbered(n) == nil {
			return n
		}
	}
}

// freeName is a name that nobody in the list has.
func (c *Contacts) freeName(r *envs.Rand) string {
	for {
		if n := ui.Pick(r, fullNames); c.named(n) == nil {
			return n
		}
	}
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

// numbered is the person of a number, or nil.
func (c *Contacts) numbered(number string) *Person {
	for i := range c.People {
		if c.People[i].Number == number {
			return &c.People[i]
		}
	}
	return nil
}

// drop takes the person of an ID out.
func (c *Contacts) drop(id int) {
	for i := range c.People {
		if c.People[i].ID == id {
			c.People = slices.Delete(c.People, i, i+1)
			return
		}
	}
}

func (c *Contacts) open() {
	c.Screen, c.Open, c.Starred, c.Search, c.Draft, c.FromMenu = "", 0, false, "", Person{}, false
}

func (c *Contacts) view(_ *Phone, b *ui.Builder) {
	p := c.person(c.Open)
	switch {
	case c.Screen == "edit":
		c.viewEdit(b, p != nil)
	case p != nil && (c.Screen == "card" || c.Screen == "delete" && !c.FromMenu):
		viewCard(b, p)
	default:
		c.viewList(b)
	}
	switch {
	case p == nil: // what follows is about somebody
	case c.Screen == "menu":
		menu(b, p.Name)
		b.Button("message", 0, "Send message")
		b.Button("favorite", 0, starWord(p.Favorite))
		b.Button("delete", 0, "Delete")
	case c.Screen == "delete":
		sure(b, b.Cat("Delete ", p.Name, "?"))
	}
}

// starWord is what the menu calls the change of a favorite.
func starWord(favorite bool) string {
	if favorite {
		return "Remove from favorites"
	}
	return "Add to favorites"
}

func (c *Contacts) viewList(b *ui.Builder) {
	b.Heading("Contacts")
	b.Button("new", 0, "Add contact")
	b.Field("search", 0, "Search", c.Search)
	b.Row(2)
	b.Tab("all", 0, "All", !c.Starred)
	b.Tab("starred", 0, "Favorites", c.Starred)
	b.Scroll("people", 0)
	for i := range c.People {
		q := &c.People[i]
		if q.matches(c.Search) && (q.Favorite || !c.Starred) {
			b.Item("person", q.ID, q.Name, "").Long()
		}
	}
	b.End()
}

// matches says whether a search finds the person.
func (p *Person) matches(search string) bool {
	return hasFold(p.Name, search) || hasFold(p.Number, search) || hasFold(p.Company, search)
}

func viewCard(b *ui.Builder, p *Person) {
	b.Heading(p.Name)
	b.Label(p.Number).Describe("number")
	b.Label(p.Mail).Describe("mail")
	b.Label(p.Company).Describe("company")
	b.Check("favorite", 0, "Favorite", p.Favorite)
	b.Row(3)
	b.Button("message", 0, "Message")
	b.Button("edit", 0, "Edit")
	b.Button("delete", 0, "Delete")
}

func (c *Contacts) viewEdit(b *ui.Builder, old bool) {
	if old {
		b.Heading("Edit contact")
	} else {
		b.Heading("New contact")
	}
	b.Field("name", 0, "Name", c.Draft.Name)
	b.Field("number", 0, "Number", c.Draft.Number)
	b.Field("mail", 0, "Mail", c.Draft.Mail)
	b.Field("company", 0, "Company", c.Draft.Company)
	b.Row(2)
	b.Button("cancel", 0, "Cancel")
	b.Button("save", 0, "Save").Disable(c.Draft.Name == "")
}
