package bank

import (
	"fmt"
	"regexp"
	"strings"
)

// Clothes are a vocabulary that a text is reworded in, word by word. Rewording
// is one to one, so that whatever was true stays true; what a critic knows by
// heart of the worlds' own words doesn't help it.
type clothes struct {
	name string
	put  map[string]string // own word → reworded
	off  map[string]string // the inverse
}

// own is the name of a text as the world wrote it.
const own = "own"

// wardrobe lists the vocabularies. Each line is a word and what it becomes.
var wardrobe = []*clothes{
	tailor("workshop", `
		agent robot, agents robots, team crew, goal task, role post, grid floor, walk roll, walks rolls
		switch lever, switches levers, door gate, doorway gateway, room hall, rooms halls, exit dock
		step hop, steps hops, stepped hopped, press pull, pressed pulled
		engineer digger, engineers diggers, medic mender, medics menders, scout lookout, keybearer gatekeeper, key-bearer gate-keeper
		rubble scrap, victim machine, victims machines, alcove bay, heal repair, heals repairs, healed repaired, trap pit, traps pits`),
	tailor("ship", `
		agent sailor, agents sailors, team watch, goal aim, role duty, grid deck, walk go, walks goes
		switch valve, switches valves, door hatch, doorway hatchway, room cabin, rooms cabins, exit lifeboat
		step stride, steps strides, stepped climbed, press turn, pressed turned
		engineer stoker, engineers stokers, medic surgeon, medics surgeons, scout pilot, keybearer hatchkeeper, key-bearer hatch-keeper
		rubble ice, victim passenger, victims passengers, alcove locker, heal bandage, heals bandages, healed bandaged, trap leak, traps leaks`),
	tailor("castle", `
		agent knight, agents knights, team company, goal quest, role part, grid map, walk march, walks marches
		switch brazier, switches braziers, door drawbridge, doorway bridgehead, room court, rooms courts, exit throne
		step pace, steps paces, stepped marched, press light, pressed lit
		engineer mason, engineers masons, medic monk, medics monks, scout falconer, keybearer bridgekeeper, key-bearer bridge-keeper
		rubble bramble, victim prisoner, victims prisoners, alcove cell, heal bless, heals blesses, healed blessed, trap snare, traps snares`),
}

func tailor(name, pairs string) *clothes {
	c := &clothes{name: name, put: map[string]string{}, off: map[string]string{}}
	for _, pair := range strings.FieldsFunc(pairs, func(r rune) bool { return r == ',' || r == '\n' }) {
		f := strings.Fields(pair)
		if len(f) != 2 {
			if len(f) != 0 {
				panic(fmt.Sprintf("bank: clothes %s: %q is no pair of words", name, pair))
			}
			continue
		}
		if c.put[f[0]] != "" || c.off[f[1]] != "" {
			panic(fmt.Sprintf("bank: clothes %s: %q is there twice", name, pair))
		}
		c.put[f[0]], c.off[f[1]] = f[1], f[0]
	}
	return c
}

// dress rewords a text. It is an error where it couldn't be taken back: where
// the text has a word already that another one would become.
func (c *clothes) dress(text string) (string, error) {
	out := reword(text, c.put)
	if back := reword(out, c.off); back != text {
		return "", fmt.Errorf("%w: clothes %s don't come off %q again, which gives %q", ErrBank, c.name, text, back)
	}
	return out, nil
}

var (
	letters = regexp.MustCompile(`[A-Za-z]+(-[a-z]+)*`)
	vowel   = regexp.MustCompile(`((?m:^|[.:] )A|\ba) ([aeiou])`)
	article = regexp.MustCompile(`((?m:^|[.:] )A|\ba)n? ([a-z])`) // a capital one begins a sentence: "Switch A and" has none
)

// reword replaces whole words, keeps their capitals, and puts articles right.
func reword(text string, by map[string]string) string {
	out := letters.ReplaceAllStringFunc(text, func(w string) string {
		to, ok := by[strings.ToLower(w)]
		switch {
		case !ok:
			return w
		case w[0] >= 'A' && w[0] <= 'Z':
			return strings.ToUpper(to[:1]) + to[1:]
		}
		return to
	})
	out = article.ReplaceAllString(out, "$1 $2")
	return vowel.ReplaceAllString(out, "${1}n $2")
}
