package ui

import (
	"strconv"
	"unicode/utf8"
)

// AppendObservation implements envs.Speaker.
func (g *Game) AppendObservation(dst []byte, agent int) []byte {
	dst = g.appendScene(append(dst, '{'))
	dst = append(dst, `,"messages":[`...)
	comma := false
	for k := range g.said {
		if g.hears[agent]>>k&1 == 0 || g.said[k].kind != playable {
			continue
		}
		if comma {
			dst = append(dst, ',')
		}
		comma = true
		dst = g.appendProposal(dst, k, &g.said[k])
	}
	dst = append(dst, `],"texts":[`...)
	for k, t := range g.d.task.Texts {
		if k > 0 {
			dst = append(dst, ',')
		}
		dst = appendString(dst, t)
	}
	dst = append(dst, ']')
	if e := g.wasted[agent]; e != "" {
		dst = appendString(append(dst, `,"error":`...), e)
	}
	return append(dst, '}')
}

// appendScene appends what observations and rounds share, as members of an object.
func (g *Game) appendScene(dst []byte) []byte {
	d := &g.d
	dst = appendString(append(dst, `"goal":`...), d.task.Goal)
	dst = appendString(append(dst, `,"app":`...), d.play.sim().App())
	dst = appendString(append(dst, `,"screen":`...), d.b.Title)
	dst = appendInt(dst, `,"turn":`, d.turns)
	dst = appendInt(dst, `,"max_turns":`, d.MaxTurns())
	dst = appendInt(dst, `,"round":`, g.round)
	dst = appendInt(dst, `,"rounds":`, g.Rounds)
	dst = append(dst, `,"history":[`...)
	for i := range g.past.steps {
		if i > 0 {
			dst = append(dst, ',')
		}
		g.words = g.past.words(g.words[:0], i)
		dst = appendString(dst, g.words)
	}
	dst = append(dst, `],"elements":[`...)
	for i := range d.elements {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = d.Element(i).appendJSON(dst, i)
	}
	return append(dst, ']')
}

// attributes are the flags that observations name.
var attributes = [...]struct {
	name string
	flag Flag
}{
	{"checkable", Checkable}, {"checked", Checked}, {"focused", Focused}, {"selected", Selected},
	{"clickable", Clickable}, {"long_clickable", LongPress}, {"editable", Editable}, {"scrollable", Scrollable}, {"swipeable", Swipeable},
}

func (w *Widget) appendJSON(dst []byte, index int) []byte {
	dst = appendInt(append(dst, '{'), `"index":`, index)
	dst = appendString(append(dst, `,"role":`...), w.Role.String())
	for _, s := range [...]struct{ name, value string }{
		{`,"text":`, w.Text}, {`,"description":`, w.Desc}, {`,"value":`, w.Value},
	} {
		if s.value == "" {
			continue
		}
		dst = append(dst, s.name...)
		if s.name == `,"value":` && w.Has(Secret) {
			dst = append(dst, `"••••"`...)
			continue
		}
		dst = appendString(dst, s.value)
	}
	for _, a := range attributes {
		if w.Has(a.flag) {
			dst = append(append(append(dst, `,"`...), a.name...), `":true`...)
		}
	}
	if !w.Has(Disabled) {
		dst = append(dst, `,"enabled":true`...)
	}
	dst = appendInt(dst, `,"bounds":[`, w.Bounds.X)
	dst = appendInt(dst, `,`, w.Bounds.Y)
	dst = appendInt(dst, `,`, w.Bounds.W)
	dst = appendInt(dst, `,`, w.Bounds.H)
	return append(dst, `]}`...)
}

// appendProposal appends a playable message with its agent.
func (g *Game) appendProposal(dst []byte, agent int, m *message) []byte {
	dst = appendString(append(dst, `{"agent":`...), g.spec.Agents[agent])
	dst = m.action.AppendJSON(append(dst, `,"action":`...))
	g.words = g.d.appendAction(g.words[:0], m.action)
	dst = appendString(append(dst, `,"words":`...), g.words)
	if m.reason != "" {
		dst = appendString(append(dst, `,"reason":`...), m.reason)
	}
	return append(dst, '}')
}

func appendInt(dst []byte, name string, n int) []byte {
	return strconv.AppendInt(append(dst, name...), int64(n), 10)
}

// appendString appends s as a JSON string: whatever it holds can't end it.
func appendString[S string | []byte](dst []byte, s S) []byte {
	const hex = "0123456789abcdef"
	dst = append(dst, '"')
	for i := 0; i < len(s); {
		c := s[i]
		if c >= utf8.RuneSelf {
			r, n := utf8.DecodeRuneInString(string(s[i:min(i+utf8.UTFMax, len(s))]))
			dst = utf8.AppendRune(dst, r)
			i += n
			continue
		}
		switch {
		case c == '"' || c == '\\':
			dst = append(dst, '\\', c)
		case c == '\n':
			dst = append(dst, '\\', 'n')
		case c < ' ' || c == 0x7f:
			dst = append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		default:
			dst = append(dst, c)
		}
		i++
	}
	return append(dst, '"')
}
