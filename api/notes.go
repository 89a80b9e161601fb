package api

import (
	"marlpit/api/pool"
	"marlpit/envs"
)

// noteReply is a note as it travels.
type noteReply struct {
	Row   int    `json:"row"`
	Agent string `json:"agent"`
	Kind  string `json:"kind"` // "error", "reason" or "result"
	Text  string `json:"text"`
}

// noteMemory keeps what the worlds say of the last step, where a session asked
// for text.
type noteMemory struct {
	rows  [][]envs.Note // of the last step
	ended []bool        // rows that the coming step doesn't play
}

// canExplain says whether a world, or a wrapper around it, has notes.
func canExplain(e envs.Env) bool {
	_, ok := envs.As[envs.Explainer](e)
	return ok
}

func newNoteMemory(rows int) *noteMemory {
	return &noteMemory{rows: make([][]envs.Note, rows), ended: make([]bool, rows)}
}

// clear forgets the notes: after a reset and a restore there was no step.
func (m *noteMemory) clear() {
	for i := range m.rows {
		m.rows[i] = m.rows[i][:0]
	}
}

// before notes which rows the coming step won't play.
func (m *noteMemory) before(p *pool.Pool) {
	m.clear()
	for i := range m.ended {
		_, _, _, _, m.ended[i] = p.Episode(i)
	}
}

// last keeps the notes of a row that is about to be reset within a step. It is
// called by the pool's workers, each for rows of its own.
func (m *noteMemory) last(i int, e envs.Env) {
	if x, ok := envs.As[envs.Explainer](e); ok {
		m.rows[i] = x.AppendNotes(m.rows[i][:0])
	}
}

// after collects the notes of a step.
func (m *noteMemory) after(p *pool.Pool) (err error) {
	defer recovered(&err)
	finals := p.FinalRows()
	for i := range m.rows {
		if len(finals) > 0 && int(finals[0]) == i {
			finals = finals[1:]
		} else if !m.ended[i] {
			m.last(i, p.Env(i))
		}
	}
	return nil
}

// reply lists the notes there are, by row and in the order of the world.
func (m *noteMemory) reply(agents []string) (out []noteReply) {
	for row := range m.rows {
		out = m.appendRow(out, row, agents)
	}
	return out
}

// appendRow appends the notes of one row.
func (m *noteMemory) appendRow(dst []noteReply, row int, agents []string) []noteReply {
	for _, n := range m.rows[row] {
		dst = append(dst, noteReply{row, agents[n.Agent], n.Kind, n.Text})
	}
	return dst
}

// appendNotes appends the notes of the last step to a reply.
func appendNotes(dst []byte, notes []noteReply, asJSON bool) []byte {
	b, err := encode(notes, asJSON)
	if err != nil {
		panic(err) // texts always encode
	}
	if asJSON {
		return append(appendKeyJSON(dst, "notes"), b...)
	}
	return append(appendText(dst, "notes"), b...)
}

// noted lists the notes of the last step.
func (s *session) noted() []noteReply {
	if s.notes == nil {
		return nil
	}
	return s.notes.reply(s.spec.Agents)
}

// quiet forgets what was said of the last step.
func (s *session) quiet() {
	s.spoken, s.rounds = s.spoken[:0], s.rounds[:0]
	if s.notes != nil {
		s.notes.clear()
	}
}
