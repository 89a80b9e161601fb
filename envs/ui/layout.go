package ui

import (
	"strconv"

	"marlpit/envs"
)

// Places of an element's features.
const (
	elPresent = 0
	elRole    = 1              // one-hot
	elFlags   = elRole + Roles // one for each flag
	flagCount = 11             //
	elBounds  = elFlags + flagCount
	elHash    = elBounds + 4        // x, y, width, height as shares of the screen
	elGoal    = elHash + buckets    // share of its words that stand in the goal
	elEquals  = elGoal + 1          // equal to each offered text
	elNear    = elEquals + MaxTexts // has a word that stands just before each offered text in the goal
	elVotes   = elNear + MaxTexts   // share of the messages that are about it
	elSize    = elVotes + 1
)

// Places of a message's features.
const (
	msPresent  = 0
	msVerb     = 1                // one-hot
	msDir      = msVerb + Verbs   // one-hot
	msComplete = msDir + 4        // of a status
	msPlace    = msComplete + 1   // number of the element, as a share
	msHash     = msPlace + 1      // of the element's words, or of the text's where there is no element
	msOffered  = msHash + buckets // which of the offered texts it is
	msSize     = msOffered + MaxTexts
)

// Places of an offered text's features.
const (
	txPresent = 0
	txNamed   = 1 // it stands in the goal
	txHash    = 2
	txBefore  = txHash + buckets // of the words before it in the goal
	txSize    = txBefore + buckets
)

// Places of the situation's features.
const (
	siTyping   = iota
	siUp       // something scrolls up
	siDown     // something scrolls down
	siAnswered // an answer was given
	siTurn     // share of the turns that are used
	siRound    // share of the rounds of this turn that are over
	siSize
)

// remembered is the number of executed actions an observation holds.
const remembered = 3

// layout is the order of the numbers in observations and states.
type layout struct {
	fields []envs.Field // of an observation
	state  []envs.Field // of the state: as an observation, then the graph

	goalAt, appAt, screenAt, situationAt, textsAt, pastAt, elementsAt, messagesAt, graphAt int
}

func newLayout(p Params) layout {
	var l layout
	at := 0
	add := func(name string, size int, low, high float32, help string) int {
		l.fields = append(l.fields, envs.Field{Name: name, Size: size, Low: low, High: high, Help: help})
		at += size
		return at - size
	}
	l.goalAt = add("goal", buckets, -1, 1, "hash of the goal's words")
	l.appAt = add("app", buckets, -1, 1, "hash of the app's or page's name")
	l.screenAt = add("screen", buckets, -1, 1, "hash of the screen's heading")
	l.situationAt = add("keyboard", 1, 0, 1, "the keyboard is up")
	add("scrolls_up", 1, 0, 1, "something can be scrolled up")
	add("scrolls_down", 1, 0, 1, "something can be scrolled down")
	add("answered", 1, 0, 1, "an answer was given")
	add("turn", 1, 0, 1, "executed actions, as a share of the limit")
	add("round", 1, 0, float32(p.Rounds-1)/float32(p.Rounds), "rounds of talk in this turn, as a share")
	for k := range MaxTexts {
		i := add("text_"+strconv.Itoa(k), txSize, -1, 1, "an offered text: present, in the goal, hash of its words, hash of the three words before it in the goal")
		if k == 0 {
			l.textsAt = i
		}
	}
	for k := range remembered {
		i := add("executed_"+strconv.Itoa(k), msSize, -1, 1, "an executed action, the last one first: as a message")
		if k == 0 {
			l.pastAt = i
		}
	}
	for k := range p.Elements {
		i := add("element_"+strconv.Itoa(k), elSize, -1, 1, "an element: present, role (14), flags (11), bounds (4), hash of its words (12), share of them in the goal, "+
			"equal to each offered text (8), stands before each offered text in the goal (8), share of the messages about it")
		if k == 0 {
			l.elementsAt = i
		}
	}
	for k := range p.Agents {
		i := add("message_"+strconv.Itoa(k), msSize, -1, 1, "what agent_"+strconv.Itoa(k)+" proposed in the round before, where it is heard: present, verb (11), direction (4), complete, "+
			"number of the element, hash of its words or, without one, of the text's (12), which offered text (8)")
		if k == 0 {
			l.messagesAt = i
		}
	}
	l.graphAt = at
	edges := bit(p.Agents > 1 && (p.Graph != "none" || p.EdgeUpdate > 0))
	l.state = append(append(l.state, l.fields...), envs.Field{Name: "graph", Size: p.Agents * p.Agents, Low: 0, High: edges, Help: "(hearer, speaker) 1 where the one hears the other"})
	return l
}
