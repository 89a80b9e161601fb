package web

import (
	"slices"
	"strconv"

	"marlpit/envs"
	"marlpit/envs/ui"
)

// Words that sites are filled with, beside those of all pages.
var (
	surnames = []string{"Abel", "Brandt", "Costa", "Dimitrov", "Eriksen", "Farah", "Grau", "Horvat", "Iqbal", "Jansen",
		"Kovac", "Lindt", "Moreau", "Novak", "Okafor", "Petit", "Quist", "Rossi", "Santos", "Weber"}
	sentences = []string{"The train was late again.", "Found a bakery with rye rolls.", "Painting the fence today.",
		"Who has a spare bicycle pump?", "The lake is frozen.", "Tomatoes are ripe at last.", "New strings for my violin.",
		"Rain until Sunday, they say.", "Our cat sleeps in the sink.", "Finished a puzzle of 900 pieces.",
		"The museum is free today.", "Lost a grey glove at the station.", "Soup for twelve tonight.", "My first swim of the year."}
)

// fullNames draws n names of people, no part of which occurs twice.
func fullNames(r *envs.Rand, n int) []string {
	out := ui.Draw(r, people, n)
	for i, s := range ui.Draw(r, surnames, n) {
		out[i] += " " + s
	}
	return out
}

// times is a number of things in words: "1 ticket", "3 tickets".
func times(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return strconv.Itoa(n) + " " + what + "s"
}

// offer offers the texts that aren't on offer yet, as long as there is room.
func offer(t *ui.Task, texts ...string) {
	for _, text := range texts {
		if len(t.Texts) < ui.MaxTexts && !slices.Contains(t.Texts, text) {
			t.Offer(text)
		}
	}
}

// viewOptions covers the page with a list to choose from.
func viewOptions(b *ui.Builder, title string, options []string, chosen string) {
	b.Dialog(title)
	b.Scroll("options", 0)
	for i, o := range options {
		b.Option("option", i, o, o == chosen)
	}
	b.End()
}

// tapOption takes an option of the list that covers the page.
func tapOption(x *ui.Pilot, options []string, want string) {
	for i, o := range options {
		if o == want {
			x.Tap("option", i)
		}
	}
	x.Back()
}

// viewPager adds the buttons that turn the pages of a list, which are numbered from 0.
func viewPager(b *ui.Builder, page, pages int) {
	b.Row(3)
	b.Button("previous", 0, "Previous").Disable(page <= 0)
	b.Label(b.Cat("Page ", b.Int(page+1), " of ", b.Int(max(1, pages))))
	b.Button("next", 0, "Next").Disable(page >= pages-1)
}

// pagerHeight is the room that viewPager needs.
const pagerHeight = 52

// turnPage is the page after an event.
func turnPage(e ui.Event, page, pages int) int {
	switch {
	case e.Is(ui.Click, "previous"):
		page--
	case e.Is(ui.Click, "next"):
		page++
	}
	return max(0, min(page, pages-1))
}

// tapPage turns to a page, where another is shown.
func tapPage(x *ui.Pilot, page, want int) {
	switch {
	case page < want:
		x.Tap("next", 0)
	case page > want:
		x.Tap("previous", 0)
	}
}

// pagesOf is the number of pages that n things fill.
func pagesOf(n, perPage int) int { return (n + perPage - 1) / perPage }
