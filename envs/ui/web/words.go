package web

import (
	"slices"
	"strings"

	"marlpit/envs"
	"marlpit/envs/ui"
)

// Words that pages are filled with, by what they name. No word is in two lists.
var (
	fruits = []string{"Apple", "Apricot", "Banana", "Cherry", "Fig", "Grape", "Kiwi", "Lemon", "Lime", "Mango",
		"Melon", "Orange", "Papaya", "Peach", "Pear", "Plum", "Quince"}
	animals = []string{"Badger", "Beaver", "Camel", "Donkey", "Falcon", "Ferret", "Goose", "Heron", "Lizard", "Moose",
		"Otter", "Panda", "Rabbit", "Salmon", "Tiger", "Weasel", "Zebra"}
	tools = []string{"Anvil", "Chisel", "Clamp", "Drill", "Hammer", "Ladder", "Level", "Mallet", "Pliers", "Ruler",
		"Sander", "Saw", "Shovel", "Spanner", "Tongs", "Trowel", "Vise"}
	cities = []string{"Ankara", "Athens", "Austin", "Bergen", "Berlin", "Bern", "Boston", "Bremen", "Dakar", "Denver",
		"Dublin", "Dubai", "Hamburg", "Hanoi", "Lima", "Lisbon", "London", "Lyon", "Madrid", "Malaga", "Manila",
		"Milan", "Oslo", "Porto", "Prague", "Riga", "Rome", "Sofia", "Toronto", "Turin", "Vienna", "Vilnius", "Warsaw"}
	colours = []string{"red", "blue", "green", "yellow", "black", "white"}
	people  = []string{"Anna", "Boris", "Chen", "Daria", "Emil", "Fatma", "Gustav", "Hilda", "Igor", "Jana",
		"Karim", "Lucia", "Mehmet", "Nora", "Oscar", "Paula", "Rafael", "Selin", "Tomas", "Ursula"}
	rooms = []string{"Attic", "Balcony", "Bathroom", "Bedroom", "Cellar", "Garage", "Hall", "Kitchen", "Library",
		"Office", "Pantry", "Workshop"}
	topics = []string{"Art", "Books", "Cooking", "Dance", "Energy", "Films", "Garden", "Health", "History", "Jobs",
		"Law", "Maths", "Music", "Nature", "Physics", "Sports", "Theatre", "Travel", "Weather"}
	plain = []string{"amber", "basket", "candle", "dollar", "engine", "feather", "gravel", "hollow", "island", "jacket",
		"kettle", "lantern", "meadow", "needle", "oyster", "pepper", "quarry", "ribbon", "saddle", "timber",
		"velvet", "walnut", "yonder", "zipper"}
)

// quoted is a word in quotation marks.
func quoted(word string) string { return `"` + word + `"` }

// listed is words as people list them: "a, b and c".
func listed(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " and " + words[len(words)-1]
}

// drawOther draws n words of a list that aren't among those given.
func drawOther(r *envs.Rand, from, not []string, n int) []string {
	rest := slices.DeleteFunc(slices.Clone(from), func(w string) bool { return slices.Contains(not, w) })
	return ui.Draw(r, rest, n)
}
