package twoswitch

import (
	"fmt"

	"marlpit/envs"
	"marlpit/envs/grid"
)

// Start implements envtest.Starter: the board as AppendText draws it, for games
// of latched switches, with a digit for each agent.
func (g *Game) Start(board string, out *envs.Frame) error {
	b, err := grid.Parse(board)
	if err != nil {
		return err
	}
	s := State{}
	for i, p := range g.cells.Points {
		c := b.At(p)
		if c >= '0' && int(c-'0') < g.agents {
			s.At[c-'0'] = int16(i)
		}
		for k := range s.Pressed {
			if int16(i) == g.switches[k] && c == '*' {
				s.Pressed[k] = true
			}
		}
		if c == '+' {
			return fmt.Errorf("twoswitch: a board to start from has each agent in a cell of its own")
		}
	}
	s.settle(g.world)
	g.now = s
	g.write(out, 0)
	return nil
}
