package modelfile_test

import (
	"errors"
	"io"
	"math"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marlpit/shaping/modelfile"
)

const magic = "example\x01"

type header struct {
	Name string `json:"name"`
}

// file is one of two parts, byte by byte.
const file = magic + "\x0c\x00\x00\x00" + `{"name":"x"}` + "\x00\x00\x80\x3f\x00\x00\x00\xc0" + "\x00\x40\x1c\x46"

func read(r io.Reader) (h header, raw []byte, weights []float32, err error) {
	x := modelfile.NewReader(r)
	if raw, err = x.Header(magic, &h); err != nil {
		return h, nil, nil, err
	}
	if weights, err = x.Weights(3); err != nil {
		return h, nil, nil, err
	}
	return h, raw, weights, x.End()
}

func TestAppendAndRead(t *testing.T) {
	got, err := modelfile.Append([]byte("before"), magic, []byte(`{"name":"x"}`), []float32{1, -2}, []float32{1e4})
	require.NoError(t, err)
	assert.Equal(t, "before"+file, string(got))
	h, raw, weights, err := read(strings.NewReader(file))
	require.NoError(t, err)
	assert.Equal(t, header{Name: "x"}, h)
	assert.JSONEq(t, `{"name":"x"}`, string(raw))
	assert.Equal(t, []float32{1, -2, 1e4}, weights)
}

func TestAppendRefusesALongHeader(t *testing.T) {
	_, err := modelfile.Append(nil, magic, make([]byte, modelfile.MaxHeader+1))
	assert.ErrorContains(t, err, "a header of 262145 bytes, want at most 262144")
	_, err = modelfile.Append(nil, magic, make([]byte, modelfile.MaxHeader))
	assert.NoError(t, err)
	assert.PanicsWithValue(t, "modelfile: a magic number of 1 bytes, want 8", func() { _, _ = modelfile.Append(nil, "x", nil) })
}

func TestReadSaysWhatIsWrong(t *testing.T) {
	for name, c := range map[string]struct{ file, says string }{
		"empty":         {"", "it ends within the start"},
		"a start":       {file[:9], "it ends within the start"},
		"foreign":       {"\x89PNG 1234567890", "it doesn't begin as one"},
		"foreign, tiny": {"\x89PNG", "it doesn't begin as one"},
		"header":        {file[:15], "it ends within the header"},
		"huge header":   {magic + "\xff\xff\xff\xff", "a header of 4294967295 bytes, want at most 262144"},
		"unknown":       {strings.Replace(file, "name", "nose", 1), `header: json: unknown field "nose"`},
		"no JSON":       {strings.Replace(file, "{", "[", 1), "header: "},
		"two objects":   {magic + "\x04\x00\x00\x00{}{}", "header: something follows the JSON object"},
		"weights":       {file[:len(file)-1], "it ends within the weights"},
		"more":          {file + "\x00", "something follows the weights"},
		"beyond":        {file[:len(file)-4] + "\x01\x40\x1c\x46", "weight 2 is 10000.001, want -10000 to 10000"},
		"NaN":           {file[:len(file)-12] + "\x00\x00\xc0\x7f\x00\x00\x00\x00\x00\x00\x00\x00", "weight 0 is NaN"},
	} {
		_, _, _, err := read(strings.NewReader(c.file))
		assert.ErrorContains(t, err, c.says, name)
	}
}

func TestReadPassesADisksErrorOn(t *testing.T) {
	broken := errors.New("the disk is gone")
	for n := range len(file) + 1 {
		_, _, _, err := read(io.MultiReader(strings.NewReader(file[:n]), iotest.ErrReader(broken)))
		assert.ErrorIs(t, err, broken, "after %d bytes", n)
	}
}

func TestWeightsOfAShortFileTakeLittleMemory(t *testing.T) {
	x := modelfile.NewReader(strings.NewReader(file))
	_, err := x.Header(magic, &header{})
	require.NoError(t, err)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err = x.Weights(math.MaxInt)
	runtime.ReadMemStats(&after)
	assert.ErrorContains(t, err, "it ends within the weights")
	assert.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(1<<16))
}

func TestBounded(t *testing.T) {
	assert.True(t, modelfile.Bounded(0, 1e4, -1e4))
	for _, v := range []float64{1.0001e4, -1.0001e4, math.NaN(), math.Inf(1)} {
		assert.False(t, modelfile.Bounded(0, float32(v)), v)
	}
}
