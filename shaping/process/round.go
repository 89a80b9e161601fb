package process

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
)

// ErrRound is returned for a text that is no round; the message says what was
// expected where.
var ErrRound = errors.New("process: no round")

// Round is one round of talk as a critic sees it: what the team wants, what
// stands on the screen, and what each agent proposes.
type Round struct {
	World     string     `json:"world"`               // id of the world, "phone-v1"
	Template  string     `json:"template"`            // of the task
	Apps      []string   `json:"apps,omitempty"`      // that the task is about
	Goal      string     `json:"goal"`                // of the team
	App       string     `json:"app,omitempty"`       // in front
	Screen    string     `json:"screen,omitempty"`    // of the app
	Turn      int        `json:"turn"`                // executed actions so far
	MaxTurns  int        `json:"max_turns,omitempty"` // 0: no limit
	Round     int        `json:"round"`               // of the talk before the next action, from 0
	Rounds    int        `json:"rounds,omitempty"`    // of talk before each action
	History   []string   `json:"history"`             // executed actions in words, oldest first
	Elements  []Element  `json:"elements"`            // of the screen
	Proposals []Proposal `json:"proposals"`           // one an agent
}

// Element is one element of a screen. What is false or empty is left out.
type Element struct {
	Index       int    `json:"index"`
	Role        string `json:"role,omitempty"`
	Text        string `json:"text,omitempty"`
	Description string `json:"description,omitempty"`
	Value       string `json:"value,omitempty"`
	Checkable   bool   `json:"checkable,omitempty"`
	Checked     bool   `json:"checked,omitempty"`
	Enabled     bool   `json:"enabled,omitempty"`
	Focused     bool   `json:"focused,omitempty"`
	Selected    bool   `json:"selected,omitempty"`
	Clickable   bool   `json:"clickable,omitempty"`
	LongClick   bool   `json:"long_clickable,omitempty"`
	Editable    bool   `json:"editable,omitempty"`
	Scrollable  bool   `json:"scrollable,omitempty"`
	Swipeable   bool   `json:"swipeable,omitempty"`
	Bounds      []int  `json:"bounds,omitempty"` // x, y, width, height; critics aren't shown them
}

// Proposal is what one agent proposes: an action, or what was wrong with it.
type Proposal struct {
	Agent  string          `json:"agent"`
	Action json.RawMessage `json:"action,omitempty"`
	Words  string          `json:"words,omitempty"`  // the action in words
	Reason string          `json:"reason,omitempty"` // of the agent
	Error  string          `json:"error,omitempty"`  // why the proposal can't be played; then there is no action
}

// Wasted says whether the proposal can't be played. Its score is 0, and no
// critic is asked for it.
func (p Proposal) Wasted() bool { return p.Error != "" }

// Record is a round with its text and what is known of it.
type Record struct {
	Round
	Text        []byte        `json:"-"`                     // the round alone, compact: what its key is the hash of
	Right       []bool        `json:"right,omitempty"`       // (proposals,) by the task's own solution; nil where unknown
	Adversarial []Adversarial `json:"adversarial,omitempty"` // further actions that were made to be wrong
}

// Adversarial is an action that was made to be wrong in a round, with the
// reason that is to make it look right.
type Adversarial struct {
	Agent  string          `json:"agent"`
	Action json.RawMessage `json:"action"`
	Words  string          `json:"words,omitempty"`
	Reason string          `json:"reason,omitempty"`
	By     string          `json:"by"`              // "rule", or the model's critic name
	Right  *bool           `json:"right,omitempty"` // whether it turned out right after all; nil: not checked
}

// Key identifies a round by its content: the first half of its text's SHA-256.
type Key [16]byte

// KeyOf is the key of a round's text. It allocates nothing.
func KeyOf(text []byte) Key {
	sum := sha256.Sum256(text)
	return Key(sum[:16])
}

// String is the key in hex.
func (k Key) String() string { return hex.EncodeToString(k[:]) }

// Key is the record's.
func (r *Record) Key() Key { return KeyOf(r.Text) }

// extras are the members of a recorded line that don't belong to the round.
var extras = []string{"right", "adversarial"}

// ParseRecord reads a round as a world writes it, or as a line of a recording,
// with the members right and adversarial. It returns an error wrapping ErrRound.
func ParseRecord(line []byte) (*Record, error) {
	r := &Record{}
	if err := decode(line, r); err != nil {
		return nil, err
	}
	if err := r.check(); err != nil {
		return nil, err
	}
	text, err := without(line, extras)
	if err != nil {
		return nil, err
	}
	if err := checkNames(text); err != nil {
		return nil, err
	}
	r.Text = text
	return r, nil
}

// members are the names of a round's members.
var members = func() (names []string) {
	for f := range reflect.TypeFor[Round]().Fields() {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		names = append(names, name)
	}
	return append(names, extras...)
}()

// checkNames refuses a round with a member twice, or with one whose name is
// spelled otherwise ("Goal", "go\u0061l"): readers of JSON disagree on what those
// mean, and all who read a round's text have to read the same.
func checkNames(text []byte) (err error) {
	seen := map[string]bool{}
	eachMember(text, func(raw, _ []byte) {
		var name string
		if json.Unmarshal(append(append([]byte{'"'}, raw...), '"'), &name) != nil {
			name = string(raw)
		}
		for _, m := range members {
			if strings.EqualFold(m, name) && m != string(raw) {
				err = fmt.Errorf("%w: %.60q is written %s", ErrRound, raw, m)
			}
		}
		if seen[name] {
			err = fmt.Errorf("%w: %.60q is there twice", ErrRound, name)
		}
		seen[name] = true
	})
	return err
}

func decode(line []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(line))
	if err := d.Decode(into); err != nil {
		return fmt.Errorf("%w: %w", ErrRound, err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return fmt.Errorf("%w: something follows the object", ErrRound)
	}
	return nil
}

// check says what the text lacks.
func (r *Record) check() error {
	bad := func(format string, args ...any) error {
		return fmt.Errorf("%w: "+format, append([]any{ErrRound}, args...)...)
	}
	if strings.TrimSpace(r.Goal) == "" {
		return bad("goal is missing or empty")
	}
	if len(r.Proposals) == 0 {
		return bad("proposals is missing or empty: one an agent is wanted")
	}
	seen := map[string]bool{}
	for i, p := range r.Proposals {
		switch {
		case p.Agent == "":
			return bad("proposals[%d] has no agent", i)
		case seen[p.Agent]:
			return bad("proposals[%d]: there are two of %.40q", i, p.Agent)
		case p.Wasted() == (len(p.Action) > 0 && string(p.Action) != "null"):
			return bad("proposals[%d] (%.40q) has either an action or an error", i, p.Agent)
		case !p.Wasted() && p.Action[0] != '{':
			return bad("proposals[%d] (%.40q): an action is an object, got %.40s", i, p.Agent, p.Action)
		}
		seen[p.Agent] = true
	}
	if r.Right != nil && len(r.Right) != len(r.Proposals) {
		return bad("right has %d elements for %d proposals", len(r.Right), len(r.Proposals))
	}
	for i, a := range r.Adversarial {
		if !seen[a.Agent] || len(a.Action) == 0 || a.Action[0] != '{' {
			return bad("adversarial[%d] needs an action, which is an object, and the agent of a proposal, got %.40q", i, a.Agent)
		}
	}
	return nil
}

// without is a JSON object, compact, with some of its members cut out; the
// bytes of the others stay as they are.
func without(object []byte, members []string) ([]byte, error) {
	var out bytes.Buffer
	if err := json.Compact(&out, object); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrRound, err)
	}
	b := out.Bytes()
	d := json.NewDecoder(bytes.NewReader(b))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil, fmt.Errorf("%w: an object is wanted", ErrRound)
	}
	kept := []byte{'{'}
	for d.More() {
		start := d.InputOffset()
		t, err := d.Token()
		if err != nil {
			return nil, fmt.Errorf("%w: %w", ErrRound, err)
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return nil, fmt.Errorf("%w: %w", ErrRound, err)
		}
		if cut(t, members) {
			continue
		}
		if len(kept) > 1 {
			kept = append(kept, ',')
		}
		kept = append(kept, bytes.TrimLeft(b[start:d.InputOffset()], ",")...)
	}
	return append(kept, '}'), nil
}

func cut(key json.Token, members []string) bool {
	for _, m := range members {
		if key == json.Token(m) {
			return true
		}
	}
	return false
}

// Line is the record as a line of a recording, its newline included.
func (r *Record) Line() ([]byte, error) {
	out := bytes.TrimSuffix(bytes.Clone(r.Text), []byte("}"))
	more, err := json.Marshal(struct {
		Right       []bool        `json:"right,omitempty"`
		Adversarial []Adversarial `json:"adversarial,omitempty"`
	}{r.Right, r.Adversarial})
	if err != nil {
		return nil, err
	}
	if len(more) > 2 {
		out = append(append(out, ','), more[1:len(more)-1]...)
	}
	return append(out, '}', '\n'), nil
}
