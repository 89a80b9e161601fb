package process

import "context"

// Table is what one critic said, in memory, to be looked up by content. It is
// read only, and may be used from several goroutines.
type Table struct {
	critic  string
	at      map[Key]place
	scores  []float64
	reasons []string
}

// place is where a round's scores are; n is 0 for an invalid answer.
type place struct{ start, n int32 }

// Load reads a critic's answers from a file. part is as in TheCritic.
func Load(ctx context.Context, db *DB, part string) (*Table, error) {
	critic, err := db.TheCritic(ctx, part)
	if err != nil {
		return nil, err
	}
	t := &Table{critic: critic, at: map[Key]place{}}
	err = db.Each(ctx, critic, func(s *Scored) error {
		t.at[s.Key()] = place{int32(len(t.scores)), int32(len(s.Answer.Scores))}
		t.scores = append(t.scores, s.Answer.Scores...)
		t.reasons = append(t.reasons, s.Answer.Reasons...)
		return nil
	})
	return t, err
}

// Critic is the name of the one who said it.
func (t *Table) Critic() string { return t.critic }

// Len is the number of rounds.
func (t *Table) Len() int { return len(t.at) }

// Find gives the scores and reasons of a round, (proposals,), which are the
// table's memory. known says whether it was answered for; where the answer was
// invalid there are none. It allocates nothing.
func (t *Table) Find(k Key) (scores []float64, reasons []string, known bool) {
	p, known := t.at[k]
	return t.scores[p.start : p.start+p.n], t.reasons[p.start : p.start+p.n], known
}
