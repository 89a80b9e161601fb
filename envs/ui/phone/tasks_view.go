package phone

import "marlpit/envs/ui"

func (a *Tasks) view(_ *Phone, b *ui.Builder) {
	t := a.item(a.Open)
	switch {
	case a.Screen == "edit":
		a.viewEdit(b)
		return
	case t != nil && a.Screen == "show":
		b.Heading(t.Title)
		b.Label(t.List).Describe("list")
		b.Label(t.Priority).Describe("priority")
		b.Label(dueWords(b, t)).Describe("due")
		b.Label(t.Note).Describe("note")
		b.Check("done", 0, "Completed", t.Done)
		b.Row(2)
		b.Button("edit", 0, "Edit")
		b.Button("delete", 0, "Delete")
		return
	}
	a.viewList(b)
	switch {
	case a.Screen == "filter":
		choose(b, "in", "Show list", listsOrAll, a.Filter)
	case a.Screen == "clear":
		sure(b, "Delete all completed tasks?")
	case t == nil:
	case a.Screen == "menu":
		menu(b, t.Title)
		b.Check("done", 0, "Completed", t.Done)
		b.Button("edit", 0, "Edit")
		b.Button("delete", 0, "Delete")
	case a.Screen == "delete":
		sure(b, b.Cat("Delete ", t.Title, "?"))
	}
}

func (a *Tasks) viewList(b *ui.Builder) {
	b.Heading("Tasks")
	b.Row(2)
	b.Button("new", 0, "Add task")
	shown := a.Filter
	if shown == "" {
		shown = listsOrAll[0]
	}
	b.Select("filter", 0, "List", shown)
	b.Row(2)
	b.Tab("tab", 0, "To do", !a.Done)
	b.Tab("tab", 1, "Completed", a.Done)
	b.Field("search", 0, "Search", a.Search)
	if a.Done {
		b.Button("clear", 0, "Clear completed")
	}
	b.Scroll("items", 0)
	for i := range a.Items {
		if t := &a.Items[i]; a.listed(t) {
			b.Item("item", t.ID, t.Title, b.Cat(dueWords(b, t), ", priority ", t.Priority)).Long()
		}
	}
	b.End()
}

func (a *Tasks) viewEdit(b *ui.Builder) {
	d := &a.Draft
	if a.Open == 0 {
		b.Heading("New task")
	} else {
		b.Heading("Edit task")
	}
	b.Field("title", 0, "Title", d.Title)
	b.Field("note", 0, "Note", d.Note)
	b.Row(2)
	b.Select("list", 0, "List", d.List)
	b.Select("priority", 0, "Priority", d.Priority)
	b.Row(2)
	b.Select("due", 0, "Due", dueWords(b, d))
	b.Button("undue", 0, "No date").Disable(d.Due < 0)
	b.Row(2)
	b.Button("close", 0, "Cancel")
	b.Button("save", 0, "Save").Disable(d.Title == "")
	switch a.Pick {
	case "list":
		choose(b, "in", "List", todoLists, d.List)
	case "priority":
		choose(b, "of", "Priority", priorities, d.Priority)
	case "due":
		viewDays(b, a.Month, d.Due)
	}
}

func dueWords(b *ui.Builder, t *Todo) string {
	if t.Due < 0 {
		return "no date"
	}
	return b.Date(t.Due)
}
