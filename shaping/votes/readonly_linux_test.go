package votes_test

import (
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marlpit/shaping"
	"marlpit/shaping/ledger"
	"marlpit/shaping/shapingtest"
	"marlpit/shaping/votes"
)

// asNobody makes this thread one to which permissions apply, where it is the
// superuser's.
func asNobody(t *testing.T) {
	if os.Geteuid() != 0 {
		return
	}
	runtime.LockOSThread() // for good: the thread ends with the test
	require.NoError(t, syscall.Setfsuid(65534))
	t.Cleanup(func() { _ = syscall.Setfsuid(0) })
}

// A file that was published, or is another's, can be read as it is.
func TestReadOnlyFileIsRead(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.Chmod(filepath.Dir(dir), 0o755)) //nolint:gosec // others have to find it
	path := filepath.Join(dir, "votes.db")
	db, err := votes.Create(ctx, path)
	require.NoError(t, err)
	_, err = db.Add(ctx, testWorld, votes.Collection{Seed: 1}, transitions(6))
	require.NoError(t, err)
	r, err := db.Label(ctx, &shapingtest.Scripted{}, votes.LabelOptions{})
	require.NoError(t, err)
	require.NoError(t, db.Close())
	require.NoError(t, os.Chmod(path, 0o444)) //nolint:gosec // as it is meant
	require.NoError(t, os.Chmod(dir, 0o555))  //nolint:gosec // likewise
	t.Cleanup(func() { _ = os.Chmod(dir, 0o755) })
	asNobody(t)

	db, err = votes.Open(ctx, path)
	require.NoError(t, err)
	counts, err := db.Counts(ctx, r.Annotator, false, 0)
	require.NoError(t, err)
	assert.Len(t, counts, 12)
	asked := 0
	_, err = db.Label(ctx, &shapingtest.Scripted{ID: "other", Say: func(shaping.Question) (shaping.Answer, error) {
		asked++
		return shaping.Answer{Vote: shaping.Tie, Confidence: 0.5}, nil
	}}, votes.LabelOptions{})
	var disk *ledger.DiskError
	require.ErrorAs(t, err, &disk)
	assert.Zero(t, asked, "nothing is paid for that can't be kept")
	require.NoError(t, db.Close())
	_, err = votes.Create(ctx, filepath.Join(dir, "new.db"))
	require.ErrorContains(t, err, "is "+dir+" writable?")
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	assert.Len(t, left, 1)
}
