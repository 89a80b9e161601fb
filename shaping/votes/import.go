package votes

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"unicode/utf8"
)

// ErrRecording is returned by ReadRecording for a file that is no recording of
// transitions; the message names the line and the field.
var ErrRecording = errors.New("votes: bad recording")

// AsRecorded is the solver of a recording that brings truth of its own.
const AsRecorded = "as recorded"

// recordingFormat is the number in a recording's first line.
const recordingFormat = 1

// Bounds on a recording: those of a model file, and what keeps a line readable.
const (
	maxLine     = 16 << 20 // bytes
	maxLines    = 1 << 20
	maxAgents   = 256
	maxFeatures = 1 << 16
	maxFeature  = 1e6 // absolute value of one
	maxName     = 200 // bytes
	maxFrames   = 1 << 50
	maxValue    = 4096
	maxWords    = 1 << 15
)

// ReadRecording reads transitions of anybody's environment, as JSON lines:
//
//	{"marlpit_transitions":1,"env":"spread","params":{},"agents":["a","b"],"state_size":2,"focus_sizes":[],"frames":100}
//	{"a":[0,1],"b":[0,2],"terminal":false,"agents":[{"guided":["…","…"],"plain":["…","…"],"truth":1},null]}
//
// The first line says of what world they are, and how many frames were played;
// each further one is a transition. Words are those of a → b and of b → a. null
// stands for an agent that isn't asked about; where focus_sizes has elements,
// each other has focus_a and focus_b; truth and family may be missing, and so may
// the line's own truth, the team's.
//
// A pair of states that comes again is left out. Everything is checked before
// anything is returned: it returns an error wrapping ErrRecording, or the
// reader's.
func ReadRecording(r io.Reader) (World, Collection, []Transition, error) {
	in := recording{lines: bufio.NewReaderSize(r, 1<<16), pairs: map[uint64]bool{}}
	err := in.read()
	if err != nil {
		var foreign *readError
		if errors.As(err, &foreign) {
			return World{}, Collection{}, nil, foreign.err
		}
		return World{}, Collection{}, nil, fmt.Errorf("%w: line %d: %w", ErrRecording, in.number, err)
	}
	c := Collection{
		Policy: "recorded", Params: in.world.Params, Frames: in.frames, Changed: int64(in.number - 1),
		Distinct: int64(len(in.out)), Kept: len(in.out), Solver: AsRecorded,
	}
	if !in.truth {
		c.Solver = "not recorded"
	}
	return in.world, c, in.out, nil
}

// readError is a reader's failure, apart from what is wrong with its content.
type readError struct{ err error }

func (e *readError) Error() string { return e.err.Error() }

type recording struct {
	lines  *bufio.Reader
	number int // of the line that was read last, from 1
	world  World
	frames int64
	truth  bool // some truth is known
	pairs  map[uint64]bool
	out    []Transition
}

func (in *recording) read() error {
	line, err := in.next()
	if err != nil {
		return err
	}
	if line == nil {
		in.number = 1
		return errors.New("the file is empty")
	}
	if err := in.head(line); err != nil {
		return err
	}
	for {
		line, err := in.next()
		if err != nil {
			return err
		}
		if line == nil {
			break
		}
		if err := in.transition(line); err != nil {
			return err
		}
	}
	if len(in.out) == 0 {
		return errors.New("no transition follows the first line")
	}
	if in.frames < int64(len(in.out)) {
		in.number = 1
		return fmt.Errorf("frames: %d, but %d transitions follow", in.frames, len(in.out))
	}
	return nil
}

// next reads a line; nil at the end.
func (in *recording) next() ([]byte, error) {
	var line []byte
	for {
		part, err := in.lines.ReadSlice('\n')
		line = append(line, part...)
		switch {
		case len(line) > maxLine:
			in.number++
			return nil, fmt.Errorf("longer than %d bytes", maxLine)
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err != nil && !errors.Is(err, io.EOF):
			return nil, &readError{err}
		case len(line) == 0:
			return nil, nil
		}
		in.number++
		switch {
		case in.number > maxLines:
			return nil, fmt.Errorf("more lines than %d", maxLines)
		case in.number == 1 && bytes.HasPrefix(line, []byte("\ufeff")):
			return nil, errors.New("it begins with a byte order mark (BOM): save the file as UTF-8 without one")
		case !utf8.Valid(line):
			return nil, errors.New("no UTF-8")
		case len(bytes.TrimSpace(line)) == 0:
			return nil, errors.New("an empty line")
		}
		return line, nil
	}
}

// decode reads one JSON object, strictly.
func decode(line []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(line))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		var kind *json.UnmarshalTypeError
		if errors.As(err, &kind) {
			field := kind.Field
			if field != "" {
				field += ": "
			}
			return fmt.Errorf("%swant %s, got %s", field, inJSON(kind.Type), kind.Value)
		}
		if errors.Is(err, io.ErrUnexpectedEOF) {
			return errors.New("the line is cut off: its JSON object doesn't end")
		}
		if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
			return fmt.Errorf("no JSON at byte %d: %w", syntax.Offset, err)
		}
		return errors.New(strings.TrimPrefix(err.Error(), "json: "))
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return errors.New("something follows the JSON object")
	}
	return checkKeys(line)
}

// checkKeys refuses what the decoder forgives in a line that is JSON: a key that
// comes twice in an object, of which it would merge both, and one in other
// letters (params aside, whose names are the user's).
func checkKeys(line []byte) error {
	var open []map[string]bool // the keys of each object that isn't closed; nil: a list
	var outermost string       // the key under which we are
	isKey := false             // the next text is one
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case '{':
			open, isKey = append(open, map[string]bool{}), true
		case '[':
			open, isKey = append(open, nil), false
		case '}', ']':
			open = open[:len(open)-1]
		case ':':
			isKey = false
		case ',':
			isKey = open[len(open)-1] != nil
		case '"':
			start := i
			for i++; line[i] != '"'; i++ {
				if line[i] == '\\' {
					i++
				}
			}
			if !isKey {
				continue
			}
			var key string
			if err := json.Unmarshal(line[start:i+1], &key); err != nil {
				return err
			}
			if len(open) == 1 {
				outermost = key
			}
			keys := open[len(open)-1]
			switch {
			case keys[key]:
				return fmt.Errorf("%.40s: it stands there twice", key)
			case key != strings.ToLower(strings.ToUpper(key)) && (len(open) == 1 || outermost != "params"):
				return fmt.Errorf("unknown field %.40q", key)
			}
			keys[key] = true
		}
	}
	return nil
}

// inJSON is what JSON has for a type.
func inJSON(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Pointer:
		return inJSON(t.Elem())
	case reflect.Struct, reflect.Map:
		return "an object"
	case reflect.Slice:
		return "a list"
	case reflect.String:
		return "a text"
	case reflect.Bool:
		return "true or false"
	case reflect.Float64:
		return "a number"
	}
	return "a whole number"
}
