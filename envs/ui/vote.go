package ui

// message is what an agent proposes in one round.
type message struct {
	kind    messageKind
	choice  int32  // the number that stands for the action; that of proposals where none does
	action  Action // texts of numbered answers live in the builder's memory
	reason  string // the agent's words to its successors
	problem string // what is wrong with it, of wasted ones
}

type messageKind uint8

const (
	nothing  messageKind = iota // there is no message
	wasted                      // what was proposed can't be played
	playable                    // it can
)

// vote is what a round came to.
type vote struct {
	executed bool
	most     int // proposals that agreed with what was executed
	valid    int // proposals that could be played
}

// agreed is the share of valid proposals for what was executed.
func (v vote) agreed() float32 { return float32(v.most) / float32(max(v.valid, 1)) }

// elect is the action that most messages propose. Among equals it is that of
// the first agent who proposes one of them; where none can be played, it waits.
func elect(said []message) (Action, vote) {
	var winner Action
	v := vote{executed: true}
	for i := range said {
		if said[i].kind != playable {
			continue
		}
		v.valid++
		n := 0
		for j := range said {
			if said[j].kind == playable && said[j].action == said[i].action {
				n++
			}
		}
		if n > v.most {
			winner, v.most = said[i].action, n
		}
	}
	return winner, v
}

// forget drops the proposals that were stored.
func (g *Game) forget() { clear(g.stored) }

// silence drops the messages of a turn that is over.
func (g *Game) silence() { clear(g.said) }

// meant is what an agent's choice stands for: a number's action, or the stored
// proposal. A choice that is illegal or out of range waits.
func (g *Game) meant(agent int, choice int32) message {
	if choice == g.proposal() && g.stored[agent].kind != nothing {
		return g.stored[agent]
	}
	return g.numbered(choice)
}

// numbered is the message of a numbered choice.
func (g *Game) numbered(choice int32) message {
	a, ok := g.action(&g.d, choice)
	if !ok || !g.d.offers(a) {
		choice, a = choiceWait, Action{}
	}
	return message{kind: playable, choice: choice, action: a}
}
