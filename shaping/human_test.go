package shaping_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marlpit/shaping"
)

func TestHumanVotesByQuestionAndByWords(t *testing.T) {
	sum := sha256.Sum256([]byte("these words"))
	text := hex.EncodeToString(sum[:])
	h, err := shaping.ReadHuman(strings.NewReader("\ufeffnote,vote,question,query,text\n" +
		"a long look,second,-5,0,\n\"well, no\",first,-5,1,\n,tie,7,,\n,first,,0," + strings.ToUpper(text) + "\n,invalid,8,0,\n"))
	require.NoError(t, err)
	assert.Equal(t, 5, h.Len())
	assert.Regexp(t, `^human votes=[0-9a-f]{12}$`, h.Name())

	negative := int64(-5)
	assert.Equal(t, shaping.Answer{Vote: shaping.Second, Confidence: 1}, ask(t, h, shaping.Question{Key: uint64(negative)}))
	assert.Equal(t, shaping.Answer{Vote: shaping.First}, ask(t, h, shaping.Question{Key: uint64(negative), Query: 1}))
	assert.Equal(t, shaping.Answer{Vote: shaping.Tie, Confidence: 0.5}, ask(t, h, shaping.Question{Key: 7}))
	assert.Equal(t, shaping.First, ask(t, h, shaping.Question{Key: 99, Forward: "these words"}).Vote)
	assert.Equal(t, shaping.Invalid, ask(t, h, shaping.Question{Key: 8}).Vote)
	_, err = h.Ask(context.Background(), shaping.Question{Key: 7, Query: 1})
	assert.ErrorIs(t, err, shaping.ErrNoVote)

	other, err := shaping.ReadHuman(strings.NewReader("question,vote\n7,tie\n"))
	require.NoError(t, err)
	assert.NotEqual(t, h.Name(), other.Name(), "other votes are another annotator's")
}

func TestHumanFilesThatAreWrong(t *testing.T) {
	for _, c := range []struct{ file, says string }{
		{"", "the first line names the columns"},
		{"question,answer\n1,first\n", "line 1: the columns are vote, question or text, and query, got question, answer"},
		{"query,vote\n1,first\n", "line 1"},
		{"question,vote\n" + strings.Repeat("7", 1000) + ",first\n", `got "` + strings.Repeat("7", 40) + `"`},
		{"question,vote\n1,first\n2,better\n", `line 3, column 3: vote is first, second, tie or invalid, got "better"`},
		{"question,vote\nseven,first\n", `line 2, column 1: question is a whole number, got "seven"`},
		{"question,query,vote\n1,-1,first\n", `line 2, column 3: query is a number from 0 up, got "-1"`},
		{"text,vote\nabc,first\n", "line 2, column 1: text is at least 32 hex digits"},
		{"question,text,vote\n1," + strings.Repeat("a", 32) + ",first\n", "line 2, column 3: either question or text"},
		{"question,text,vote\n,,first\n", "either question or text"},
		{"question,vote\n1,first\n1,second\n", "line 3: a second vote on the same query"},
		{"question,vote\n1,first,extra\n", "line 2"},
		{"question,vote\n\"1,first\n", "line 2"},
	} {
		_, err := shaping.ReadHuman(strings.NewReader(c.file))
		require.ErrorIs(t, err, shaping.ErrHuman, c.file)
		assert.ErrorContains(t, err, c.says, c.file)
	}
}

// A row's other columns may be long.
func TestOfHumanVotesNothingElseIsKept(t *testing.T) {
	var file strings.Builder
	file.WriteString("question,text,vote,note\n")
	note := strings.Repeat("n", 4000)
	for i := range 1000 {
		fmt.Fprintf(&file, "%d,,first,%s\n,%032x,second,%s\n", i, note, i, note)
	}
	heap := func() uint64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	before := heap()
	h, err := shaping.ReadHuman(strings.NewReader(file.String()))
	require.NoError(t, err)
	after := heap()
	assert.Equal(t, 2000, h.Len())
	assert.Less(t, int64(after)-int64(before), int64(1<<20), "of a file of 8 MB")
	runtime.KeepAlive(h)
	runtime.KeepAlive(&file)
}
