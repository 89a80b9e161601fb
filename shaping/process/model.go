package process

import (
	"context"
	"errors"
	"fmt"
	"math"
)

// ErrModel is returned for bytes that are no fitted scorer, one of another world
// than is wanted, or scores that none can be fitted to; the message says what is
// wrong.
var ErrModel = errors.New("process: unusable scorer")

// ModelFormat is the version of the file format of fitted scorers.
const ModelFormat = 1

// The number of weights, a power of two, and what a file may claim.
const (
	weightBits = 16
	maxText    = 4096 // bytes of one text
)

// Header says what a fitted scorer is and where it comes from. It is the JSON
// part of its file.
type Header struct {
	Format     int       `json:"format"`
	Name       string    `json:"name"`
	World      string    `json:"world"`
	ObsVersion int       `json:"obs_version"` // of the world
	Features   int       `json:"features"`    // version of what is read of a round
	Weights    int       `json:"weights"`
	Critic     string    `json:"critic"` // whose scores it was fitted to
	Rounds     int       `json:"rounds"`
	Proposals  int       `json:"proposals"` // wasted ones aside
	Seed       uint64    `json:"seed"`      // of fitting
	HeldOut    []HeldOut `json:"held_out"`  // how models do that were fitted without a part of the scores
	CreatedBy  string    `json:"created_by"`
}

func (h *Header) check() error {
	switch {
	case h.Format != ModelFormat:
		return fmt.Errorf("format %d, this program reads %d", h.Format, ModelFormat)
	case h.Features != featureVersion:
		return fmt.Errorf("features of version %d, this program makes those of %d: fit it once more", h.Features, featureVersion)
	case h.Weights != 1<<weightBits:
		return fmt.Errorf("%d weights, want %d", h.Weights, 1<<weightBits)
	case h.ObsVersion < 0 || h.Rounds < 0 || h.Proposals < 0:
		return errors.New("a count is negative")
	case h.Name == "":
		return errors.New("name is missing: it is what the scorer is asked for by")
	case h.World == "":
		return errors.New("world is missing")
	}
	for _, s := range []string{h.Name, h.World, h.Critic, h.CreatedBy} {
		if len(s) > maxText {
			return fmt.Errorf("a text of %d bytes, want at most %d", len(s), maxText)
		}
	}
	return nil
}

// Model is a fitted scorer: a logistic regression on hashed features of a
// proposal and its round. It is read only, and may be used from several
// goroutines.
type Model struct {
	Header  Header
	weights []float32
}

// CheckWorld returns an error wrapping ErrModel where the model is of another
// world, or of another version of its layout.
func (m *Model) CheckWorld(id string, obsVersion int) error {
	h := &m.Header
	switch {
	case h.World != id:
		return fmt.Errorf("%w: %.60q is of %.60q, not of %s", ErrModel, h.Name, h.World, id)
	case h.ObsVersion != obsVersion:
		return fmt.Errorf("%w: %.60q is of version %d of %s, which is at %d: record, score and fit once more", ErrModel, h.Name, h.ObsVersion, id, obsVersion)
	}
	return nil
}

// score is what the features of a proposal come to, in (0,1).
func (m *Model) score(features []uint64) float64 {
	return logistic(m.sum(features))
}

// sum adds the features' weights, as if they made a vector of length 1.
func (m *Model) sum(features []uint64) float64 {
	z := 0.0
	for _, f := range features {
		z += float64(m.weights[f>>(64-weightBits)])
	}
	return z / math.Sqrt(float64(len(features)))
}

func logistic(z float64) float64 { return 1 / (1 + math.Exp(-z)) }

// Scorer scores rounds by a model, in memory of its own that is used again: one
// for each goroutine.
type Scorer struct {
	model *Model
	read  reader
}

// Scorer makes a scorer.
func (m *Model) Scorer() *Scorer { return &Scorer{model: m} }

// Append appends the score of each proposal of a round's text, as a world writes
// it; that of a wasted one is 0. It allocates nothing once it is warm.
func (s *Scorer) Append(dst []float64, text []byte) []float64 {
	s.read.read(text)
	for i := range s.read.proposals {
		score := 0.0
		if s.read.of(i) {
			score = s.model.score(s.read.features)
		}
		dst = append(dst, score)
	}
	return dst
}

// Name implements Critic.
func (m *Model) Name() string {
	return fmt.Sprintf("model %s of %s seed=%d rounds=%d", m.Header.Name, m.Header.Critic, m.Header.Seed, m.Header.Rounds)
}

// Score implements Critic.
func (m *Model) Score(_ context.Context, r *Record) (Answer, error) {
	return Answer{Scores: m.Scorer().Append(nil, r.Text), Reasons: make([]string, len(r.Proposals))}, nil
}
