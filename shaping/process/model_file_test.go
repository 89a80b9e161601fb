package process_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marlpit/shaping/process"
)

// scorer is a file of a fitted scorer, byte by byte.
func scorer(weights int) []byte {
	header := `{"format":1,"name":"w","world":"w-v1","obs_version":1,"features":1,"weights":65536,"critic":"c","rounds":20,"proposals":40,"seed":3,"held_out":null,"created_by":"marlpit 0.1.0"}`
	out := binary.LittleEndian.AppendUint32([]byte("marlprc\x01"), uint32(len(header))) //nolint:gosec // short
	out = append(out, header...)
	for range weights {
		out = append(out, 0, 0, 0x80, 0x3f)
	}
	return out
}

func TestAScorersFileIsReadAndWrittenAsItWas(t *testing.T) {
	raw := scorer(1 << 16)
	m, err := process.LoadModel(bytes.NewReader(raw))
	require.NoError(t, err)
	assert.Equal(t, "w-v1", m.Header.World)
	var again bytes.Buffer
	require.NoError(t, m.Save(&again))
	assert.True(t, bytes.Equal(raw, again.Bytes()))

	m.Header.HeldOut = make([]process.HeldOut, 1<<12)
	err = m.Save(&again)
	assert.ErrorIs(t, err, process.ErrModel)
	assert.ErrorContains(t, err, "a header of ")
}

func TestLoadModelSaysWhatIsWrong(t *testing.T) {
	for says, file := range map[string][]byte{
		"unusable scorer: it doesn't begin as one":          []byte("marlpit\x01"),
		"unusable scorer: it ends within the start":         nil,
		"unusable scorer: it ends within the header":        scorer(0)[:40],
		"unusable scorer: it ends within the weights":       scorer(9),
		"unusable scorer: something follows the weights":    scorer(1<<16 + 1),
		"unusable scorer: header: world is missing":         bytes.Replace(scorer(0), []byte(`"w-v1"`), []byte(`""    `), 1),
		`unusable scorer: header: json: unknown field "no"`: bytes.Replace(scorer(0), []byte(`"rounds"`), []byte(`"no"    `), 1),
		"unusable scorer: weight 1 is NaN":                  append(scorer(1), 0, 0, 0xc0, 0x7f),
	} {
		if says[len(says)-3:] == "NaN" {
			file = append(file, scorer(1 << 16)[len(file):]...)
		}
		_, err := process.LoadModel(bytes.NewReader(file))
		assert.ErrorIs(t, err, process.ErrModel)
		assert.ErrorContains(t, err, says)
	}
}

// A full disk makes no scorer unusable.
func TestSavePassesADisksErrorOn(t *testing.T) {
	m, err := process.LoadModel(bytes.NewReader(scorer(1 << 16)))
	require.NoError(t, err)
	f, err := os.Create(filepath.Join(t.TempDir(), "closed"))
	require.NoError(t, err)
	require.NoError(t, f.Close())
	err = m.Save(f)
	require.ErrorIs(t, err, os.ErrClosed)
	assert.False(t, errors.Is(err, process.ErrModel))
}
