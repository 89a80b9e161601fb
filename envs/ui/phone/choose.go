package phone

import "marlpit/envs/ui"

// choose covers the screen with the options of a select, to be clicked as on, 0 ….
func choose(b *ui.Builder, on, title string, options []string, chosen string) {
	b.Dialog(title)
	b.Scroll(on, 0)
	for i, o := range options {
		b.Option(on, i, o, o == chosen)
	}
	b.End()
}

// chosen is the option that a click on an open select hit; ok is false where it hit none.
func chosen(e ui.Event, on string, options []string) (option string, ok bool) {
	if !e.Is(ui.Click, on) || e.Key < 0 || e.Key >= len(options) {
		return "", false
	}
	return options[e.Key], true
}

// index is where in options an option stands, or -1.
func index(options []string, option string) int {
	for i, o := range options {
		if o == option {
			return i
		}
	}
	return -1
}

// menu covers the screen with a menu, and a way to close it.
func menu(b *ui.Builder, title string) {
	b.Dialog(title)
	b.Icon("close", 0, "Close")
}

// sure covers the screen with a question before something is taken away.
func sure(b *ui.Builder, question string) {
	b.Dialog(question)
	b.Row(2)
	b.Button("close", 0, "Cancel")
	b.Button("sure", 0, "Delete")
}
