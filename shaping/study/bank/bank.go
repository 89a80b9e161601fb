// Package bank is the critic bench: a frozen bank of questions with exact
// answers, in words of several worlds, sizes and clothes, by which critics of
// different days and machines can be compared. A bank of the same make can be
// drawn from a seed of one's own, to notice a critic that knows the public one.
package bank

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// Version is the bank's. Its texts, its prompts and the way it is drawn never
// change: a change is a new version.
const Version = "v1"

// v1SHA256 is the hash of the public bank's lines.
const v1SHA256 = "40e40fade225f666e632ebcd66c7243dcd1e715839a8cfd0c28d4a933e57961b"

//go:embed v1.jsonl.gz
var v1 []byte

// ErrBank is returned for a bank that is not what it says it is, or that can't
// be drawn.
var ErrBank = errors.New("bank: unusable bank")

// Item is one question: how a change was for an agent.
type Item struct {
	ID       string         `json:"id"`       // "guided-017"
	World    string         `json:"world"`    // "two-switch-v1"
	Params   map[string]any `json:"params"`   // of the world, where they differ from its defaults
	Clothes  string         `json:"clothes"`  // what the words are put in: "own", or the name of a vocabulary
	View     string         `json:"view"`     // "guided" or "plain"
	Agent    string         `json:"agent"`    // its name in the words
	Family   string         `json:"family"`   // of situations, as the world sorts them
	Forward  string         `json:"forward"`  // words of what happened
	Backward string         `json:"backward"` // words of the reverse
	Truth    float64        `json:"truth"`    // exact credit of the agent's move, in moves of least work
}

// Bank is a set of items.
type Bank struct {
	Seed   *uint64 // it was drawn from; nil for the public bank
	SHA256 string  // of its lines, in hex
	Items  []Item
}

// Name is "v1", or "v1 seed 7".
func (b *Bank) Name() string {
	if b.Seed == nil {
		return Version
	}
	return fmt.Sprintf("%s seed %d", Version, *b.Seed)
}

// Public returns the public bank. It returns an error wrapping ErrBank where
// what was built in has another hash than it had when the bank was frozen.
func Public() (*Bank, error) {
	z, err := gzip.NewReader(bytes.NewReader(v1))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrBank, err)
	}
	lines, err := io.ReadAll(z)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrBank, err)
	}
	b, err := parse(lines)
	if err != nil {
		return nil, err
	}
	if b.SHA256 != v1SHA256 {
		return nil, fmt.Errorf("%w: the lines of %s have the SHA-256 %s, want %s", ErrBank, Version, b.SHA256, v1SHA256)
	}
	return b, nil
}

// parse reads a bank's lines.
func parse(lines []byte) (*Bank, error) {
	b := &Bank{SHA256: hash(lines)}
	s := bufio.NewScanner(bytes.NewReader(lines))
	s.Buffer(nil, 1<<20)
	for s.Scan() {
		var i Item
		if err := json.Unmarshal(s.Bytes(), &i); err != nil {
			return nil, fmt.Errorf("%w: line %d: %w", ErrBank, len(b.Items)+1, err)
		}
		b.Items = append(b.Items, i)
	}
	return b, s.Err()
}

// lines writes items as JSON, one a line.
func lines(items []Item) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	for _, i := range items {
		if err := e.Encode(i); err != nil {
			return nil, err
		}
	}
	return b.Bytes(), nil
}

func hash(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}
