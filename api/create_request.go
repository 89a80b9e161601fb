package api

import (
	"math"
	"regexp"
	"slices"
	"strings"

	"marlpit/api/pool"
	"marlpit/envs"
)

// createRequest is a creation request, read and checked as far as that is
// possible without the world.
type createRequest struct {
	env     string
	params  map[string]any
	numEnvs int
	seed    uint64
	hasSeed bool
	mode    pool.Mode
	reward  any
	arrays  []string // nil: the default
	text    bool
	record  string
}

var recordName = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9._-]{0,99}$`)

// readCreate reads a creation request. A wrong type is a bad request; what is
// well-formed but unknown or out of range is invalid.
func readCreate(r *reader) (createRequest, error) {
	q := createRequest{numEnvs: 1}
	err := eachField(r, func(key string) error { return q.field(key, r) })
	if err != nil {
		return q, err
	}
	if q.env == "" {
		return q, refuse(errInvalid, "/env", "env is missing: it names a world, GET /v1/envs lists them")
	}
	return q, nil
}

// eachField calls f at the value of each key of a map. f reads or skips it.
func eachField(r *reader, f func(key string) error) error {
	n, ok := r.object()
	if !ok {
		return refuse(errBadRequest, "", "the body is a map, got %s", r.what())
	}
	seen := make([]string, 0, 8)
	for range n {
		b, ok := r.text()
		if !ok {
			return refuse(errBadRequest, "", "the keys of the body are texts, got %s", r.what())
		}
		key := string(b) // a copy: seen and messages outlive the request
		if slices.Contains(seen, key) {
			return refuse(errBadRequest, pointer(key), "the key %.40q is there twice", key)
		}
		if len(seen) < 32 {
			seen = append(seen, key)
		}
		if err := f(key); err != nil {
			return err
		}
	}
	return nil
}

// pointer is a JSON pointer of one token.
func pointer(key string) string {
	if len(key) > 40 {
		key = key[:40]
	}
	return "/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(strings.ToValidUTF8(key, "?"))
}

func wrongType(at, want string, r *reader) error {
	return refuse(errBadRequest, at, "%s is %s, got %s", strings.TrimPrefix(at, "/"), want, r.what())
}

func (q *createRequest) field(key string, r *reader) (err error) {
	var ok bool
	switch key {
	case "env":
		q.env, ok = readText(r)
		if !ok {
			return wrongType("/env", "a text", r)
		}
	case "params":
		return q.readParams(r)
	case "num_envs":
		n, big, ok := r.integer()
		if !ok {
			return wrongType("/num_envs", "an integer", r)
		}
		if n < 1 || n > math.MaxInt32 || big != 0 {
			return refuse(errInvalid, "/num_envs", "num_envs is an integer of at least 1, got %d", n)
		}
		q.numEnvs = int(n)
	case "seed":
		q.seed, err = readSeed(r)
		q.hasSeed = true
	case "autoreset":
		t, ok := readText(r)
		if !ok {
			return wrongType("/autoreset", "a text", r)
		}
		if q.mode, ok = pool.ParseMode(t); !ok {
			return refuse(errInvalid, "/autoreset", "autoreset is disabled, next_step or same_step, got %.40q", t)
		}
	case "reward":
		if r.null() {
			return nil
		}
		q.reward, err = r.value()
	case "arrays":
		return q.readArrays(r)
	case "text":
		if q.text, ok = r.boolean(); !ok {
			return wrongType("/text", "true or false", r)
		}
	case "record":
		if q.record, ok = readText(r); !ok {
			return wrongType("/record", "a text", r)
		}
		if q.record != "" && !recordName.MatchString(q.record) {
			return refuse(errInvalid, "/record", "record is a name of letters, digits, '.', '_' and '-' that doesn't begin with '.' or '-', got %.40q", q.record)
		}
	default:
		return refuse(errInvalid, pointer(key), "there is no field %.40q: there are env, params, num_envs, seed, autoreset, reward, arrays, text, record", key)
	}
	return err
}

func readText(r *reader) (string, bool) {
	b, ok := r.text()
	return string(b), ok
}

func readSeed(r *reader) (uint64, error) {
	seed, ok := r.unsigned()
	if ok {
		return seed, nil
	}
	if v, _, isInt := r.integer(); isInt {
		return 0, refuse(errInvalid, "/seed", "seed is an integer from 0 to 2⁶⁴−1, got %d", v)
	}
	return 0, wrongType("/seed", "an integer", r)
}

func (q *createRequest) readParams(r *reader) error {
	if r.null() {
		return nil
	}
	if c := *r; true {
		if _, ok := c.object(); !ok {
			return wrongType("/params", "a map", r)
		}
	}
	v, err := r.value()
	if err != nil {
		return err
	}
	params, ok := v.(map[string]any)
	if !ok {
		return refuse(errBadRequest, "/params", "params is a map with texts for keys")
	}
	q.params = params
	return nil
}

func (q *createRequest) readArrays(r *reader) error {
	n, ok := r.array()
	if !ok {
		return wrongType("/arrays", "a list of texts", r)
	}
	q.arrays = []string{}
	for range n {
		name, ok := readText(r)
		if !ok {
			return wrongType("/arrays", "a list of texts", r)
		}
		if !slices.Contains(arrayNames, name) {
			return refuse(errInvalid, "/arrays", "there is no array %.40q: %s", name, envs.Among(name, arrayNames, ""))
		}
		if slices.Contains(q.arrays, name) {
			return refuse(errInvalid, "/arrays", "%s is there twice", name)
		}
		q.arrays = append(q.arrays, name)
	}
	return nil
}
