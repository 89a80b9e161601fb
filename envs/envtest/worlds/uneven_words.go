package worlds

import (
	"fmt"

	"marlpit/envs"
)

// AppendWords implements envs.Describer.
func (u *uneven) AppendWords(dst, before []byte, agent int, view envs.View) []byte {
	was, err := u.read(before)
	if err != nil {
		panic(err)
	}
	dst = fmt.Appendf(dst, "%s is the %s on a lane of %d cells. The team wants the lit cell pressed. The mover walks and presses, but can't see the light; the talker sees it, and has to speak first. ",
		u.spec.Agents[agent], u.spec.Roles[agent], u.p.Cells)
	if view == envs.Guided {
		goal := [...]string{"to press the lit cell", "to say a word"}[agent]
		dst = fmt.Appendf(dst, "Its next goal is %s. ", goal)
	}
	dst = appendLane(append(dst, "Before: "...), was, view)
	dst = appendLane(append(dst, " Now: "...), u.s, view)
	if u.s.won && !was.won {
		dst = append(dst, " The lit cell was pressed."...)
	}
	return append(dst, '\n')
}

func appendLane(dst []byte, s lane, view envs.View) []byte {
	if view == envs.Guided {
		dst = fmt.Appendf(dst, "the mover was %d steps from the light", gap(s))
	} else {
		dst = fmt.Appendf(dst, "the mover was in cell %d, the light in cell %d", s.mover, s.light)
	}
	if s.spoken {
		return append(dst, ", the talker had spoken."...)
	}
	return append(dst, ", nobody had spoken."...)
}
