package api

import (
	"runtime/debug"
	"slices"

	"github.com/gofiber/fiber/v2"

	"marlpit/api/pool"
	"marlpit/envs"
)

// canDescribe says whether a world has words: to describe a transition it also
// has to be able to save the state before it.
func canDescribe(e envs.Env) bool {
	e = inside(e)
	_, d := e.(envs.Describer)
	_, s := e.(envs.Snapshotter)
	return d && s
}

// wordMemory keeps, for each row, the world's snapshot before the last step.
type wordMemory struct {
	snaps [][]byte
	reset []bool // rows that the coming step resets
}

func newWordMemory(p *pool.Pool) *wordMemory {
	return &wordMemory{snaps: make([][]byte, p.Len()), reset: make([]bool, p.Len())}
}

func (m *wordMemory) clone() *wordMemory {
	out := &wordMemory{reset: slices.Clone(m.reset)}
	for _, b := range m.snaps {
		out.snaps = append(out.snaps, slices.Clone(b))
	}
	return out
}

// keep remembers the present state of row i.
func (m *wordMemory) keep(p *pool.Pool, i int) {
	m.snaps[i] = inside(p.Env(i)).(envs.Snapshotter).AppendSnapshot(m.snaps[i][:0])
}

// before remembers the states that a step is about to leave.
func (m *wordMemory) before(p *pool.Pool) (err error) {
	defer recovered(&err)
	for i := range m.snaps {
		m.keep(p, i)
		_, _, _, _, m.reset[i] = p.Episode(i)
	}
	return nil
}

// after forgets the states before a reset: words never span two episodes.
func (m *wordMemory) after(p *pool.Pool) {
	for i, reset := range m.reset {
		if reset && p.Mode() != pool.Disabled {
			m.keep(p, i)
		}
	}
	for _, i := range p.FinalRows() {
		m.keep(p, int(i))
	}
}

// restart is called after rows were reset or restored.
func (m *wordMemory) restart(p *pool.Pool, mask []uint8) {
	for i := range m.snaps {
		if mask == nil || mask[i] != 0 {
			m.keep(p, i)
		}
	}
}

func (s *Server) words(c *fiber.Ctx) error {
	var text []byte
	err := s.with(c, false, func(x *session, _ handle) (err error) {
		defer recovered(&err)
		_, row, err := queryRow(c, x.pool.Len())
		if err != nil {
			return err
		}
		agent := slices.Index(x.spec.Agents, c.Query("agent", x.spec.Agents[0]))
		if agent < 0 {
			return refuse(errInvalid, "/agent", "there is no agent %.40q: there are %v", c.Query("agent"), x.spec.Agents)
		}
		view, ok := envs.ParseView(c.Query("view", "guided"))
		if !ok {
			return refuse(errInvalid, "/view", "view is guided or plain, got %.40q", c.Query("view"))
		}
		if err := x.pool.Err(); err != nil {
			return err
		}
		if !canDescribe(x.pool.Env(row)) {
			return refuse(errNoAbility, "", "%s has no words", x.env)
		}
		if x.words == nil {
			return refuse(errInvalid, "", "the session keeps no words: create it with text: true")
		}
		if err := x.begun(row); err != nil {
			return err
		}
		d := inside(x.pool.Env(row)).(envs.Describer)
		text = d.AppendWords(nil, x.words.snaps[row], agent, view)
		return nil
	})
	if err != nil {
		return err
	}
	return s.send(c, 200, struct {
		Words string `json:"words"`
	}{string(text)})
}

// recovered turns a panic of a world outside of the pool into an error.
func recovered(err *error) {
	if v := recover(); v != nil {
		*err = &pool.Failure{Row: -1, Value: v, Stack: debug.Stack()}
	}
}
