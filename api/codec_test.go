package api

import (
	"bytes"
	"encoding/json"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/vmihailenco/msgpack/v5"
	"pgregory.net/rapid"
)

// FuzzWalk holds the walk to the library it protects: what it accepts, the
// library can skip, ending at the same byte.
func FuzzWalk(f *testing.F) {
	for _, seed := range []string{"\x81\xa3seq\x01", "\xdd\xff\xff\xff\xff", "\xc4\x01a", "\xcb12345678", "\xc7\x01\x05a", "\xd8\x050123456789abcdef"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		end, err := walk(b)
		if err != nil {
			return
		}
		r := bytes.NewReader(b)
		dec := msgpack.NewDecoder(r)
		if _, err := dec.DecodeRaw(); err != nil {
			t.Fatalf("%x: walk accepts what msgpack doesn't: %v", b, err)
		}
		rest, _ := dec.Buffered().(*bytes.Reader)
		if rest != nil && len(b)-rest.Len() != end {
			t.Fatalf("%x: ends at %d, msgpack at %d", b, end, len(b)-rest.Len())
		}
		c := reader{b: b[:end]}
		_ = c.what()
		if raw := c.raw(); len(raw) != end {
			t.Fatalf("%x: raw of %d bytes, want %d", b, len(raw), end)
		}
	})
}

func TestNumbersReadAsTheyWereWritten(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := rapid.Int64().Draw(t, "v")
		u := rapid.Uint64().Draw(t, "u")
		x := rapid.Float64().Draw(t, "x")
		for _, b := range [][]byte{appendInt(nil, v), marshal(t, v)} {
			r := reader{b: b}
			got, big, ok := r.integer()
			require.True(t, ok && big == 0)
			require.Equal(t, v, got)
			require.Equal(t, len(b), r.i)
		}
		for _, b := range [][]byte{appendUint(nil, u), marshal(t, u)} {
			r := reader{b: b}
			got, ok := r.unsigned()
			require.True(t, ok)
			require.Equal(t, u, got)
		}
		r := reader{b: marshal(t, x)}
		_, _, isInt := r.integer()
		require.False(t, isInt, "a float is no integer")
		require.Zero(t, r.i, "a refusal moves nothing")
		got, ok := r.number()
		require.True(t, ok)
		require.Equal(t, x, got)
	})
}

func marshal(t require.TestingT, v any) []byte {
	b, err := msgpack.Marshal(v)
	require.NoError(t, err)
	return b
}

func TestJSONReadsAsMsgpackDoes(t *testing.T) {
	text := `{"a": [1, -1, 1.5, 1e3, 18446744073709551615, true, false, null, "é\n", {}, []], "b": {"c": [[[]]]}}`
	b, err := fromJSON([]byte(text))
	require.NoError(t, err)
	r, err := open(b, true)
	require.NoError(t, err)
	v, err := r.value()
	require.NoError(t, err)
	assert.Equal(t, map[string]any{
		"a": []any{int64(1), int64(-1), 1.5, 1000.0, uint64(math.MaxUint64), true, false, nil, "é\n", map[string]any{}, []any{}},
		"b": map[string]any{"c": []any{[]any{[]any{}}}},
	}, normal(v))
}

// normal gives small unsigned integers the type of all others.
func normal(v any) any {
	switch v := v.(type) {
	case uint64:
		if v <= math.MaxInt64 {
			return int64(v)
		}
	case []any:
		for i := range v {
			v[i] = normal(v[i])
		}
	case map[string]any:
		for k := range v {
			v[k] = normal(v[k])
		}
	}
	return v
}

func TestWordsForValuesInMessages(t *testing.T) {
	for want, v := range map[string]any{
		"the integer -3": -3, "the integer 18446744073709551615": uint64(math.MaxUint64), "the float 1.5": 1.5, "nil": nil, "true": true, "false": false,
		"a text of 2 bytes": "ab", "a list of 3": []int{1, 2, 3}, "a map of 1": map[string]int{"a": 1}, "4 raw bytes": []byte{1, 2, 3, 4},
	} {
		r := reader{b: marshal(t, v)}
		assert.Equal(t, want, r.what())
	}
}

func TestNumbersThatJSONHasNoFormForAreNull(t *testing.T) {
	v := []float32{1, float32(math.NaN()), float32(math.Inf(1)), -0.25, 1e-7, 3e38}
	b := appendNested(nil, v, []int{3, 2}, appendFloatJSON)
	assert.True(t, json.Valid(b))
	assert.Equal(t, `[[1,null],[null,-0.25],[1e-07,3e+38]]`, string(b))
}
