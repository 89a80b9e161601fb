package ui

// notices have nothing to do with any task; clicking one does nothing.
var notices = [...]string{
	"Battery at 18 %", "A new version can be installed", "Tomorrow: light rain", "Tell us how you like it",
	"Tip: swipe to see more", "You were here 3 hours this week", "Sale: half price until Sunday", "Backup finished",
	"New sounds are ready", "Join the club and save", "2 downloads are done", "Someone is near you",
}

// notice places the notice that is due, below the title and in no row: two
// screens in three have one, and a screen always has the same.
func (b *Builder) notice() {
	if !b.due || len(b.Widgets) == 0 || b.columns > 0 || b.inside >= 0 || b.dialog {
		return
	}
	b.due = false
	h, _ := nextWord(b.Title, 0)
	k := spread(h ^ uint32(b.seed) ^ uint32(b.seed>>32)) //nolint:gosec // any bits will do
	if k%3 > 0 {
		b.add(Widget{Role: Link, Flags: Clickable, On: "notice", Text: notices[k/3%uint32(len(notices))]})
	}
}
