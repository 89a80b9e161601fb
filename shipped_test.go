package main

import (
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marlpit/envs"
	"marlpit/envs/catalog"
	"marlpit/models"
	"marlpit/shaping/prefer"
	"marlpit/wrappers"
)

// TestEveryWorldHasAShippedModel: the scheme credit works on its defaults.
// Worlds of rounds have process in its place, which needs no model.
func TestEveryWorldHasAShippedModel(t *testing.T) {
	loaded, err := loadModels(nil, true)
	require.NoError(t, err)
	require.NotNil(t, loaded)
	var library wrappers.Library
	for _, f := range models.All() {
		library.Add(f.Name, loadModel(t, filepath.Join("models", f.Name[len("default-"):]+".credit")))
	}
	for _, entry := range catalog.All() {
		e, err := entry.New(nil)
		require.NoError(t, err)
		if _, rounds := envs.As[envs.Rounder](e); rounds {
			continue
		}
		m, err := library.Find("", e.Spec(), prefer.Agents)
		if assert.NoError(t, err) {
			assert.NoError(t, m.CheckSpec(wrappers.World(e)))
			assert.Equal(t, "default-"+entry.ID, library.Name(m))
		}
	}
}

// TestShippedModelsComeFromTheRecordedVotes reads the votes once more from a
// model's recorded replies, with nobody to ask, and fits them again.
func TestShippedModelsComeFromTheRecordedVotes(t *testing.T) {
	long(t)
	for _, f := range models.All() {
		id := f.Name[len("default-"):]
		t.Run(id, func(t *testing.T) {
			db := unpacked(t, id)
			out := filepath.Join(t.TempDir(), "again.credit")
			fit := func() []byte {
				code, _, errs := program("fit", "--db", db, "--out", out, "--name", f.Name)
				require.Zero(t, code, errs)
				b, err := os.ReadFile(out)
				require.NoError(t, err)
				return b
			}
			if !assert.Equal(t, f.Bytes, fit(), "make models writes them anew") {
				return
			}
			votes := query(t, db, votesOf)
			query(t, db, `DELETE FROM vote_requests`)
			query(t, db, `DELETE FROM votes`)
			var l labelled
			programJSON(t, &l, "label", "--db", db, "--critic", "openai", "--offline",
				"--model", "qwen2.5-coder-1.5b-instruct-q4_k_m", "--ask", "fr", "--threshold", "0.02")
			assert.Zero(t, l.Unasked)
			assert.Equal(t, votes, query(t, db, votesOf))
		})
	}
}

func loadModel(t *testing.T, path string) *prefer.Model {
	t.Helper()
	f, err := os.Open(path)
	require.NoError(t, err)
	defer func() { require.NoError(t, f.Close()) }()
	m, err := prefer.Load(f)
	require.NoError(t, err)
	return m
}

// unpacked is the vote file of a shipped model, in a folder of its own.
func unpacked(t *testing.T, id string) string {
	t.Helper()
	packed, err := os.Open(filepath.Join("models", "votes", id+".db.gz"))
	require.NoError(t, err)
	defer func() { require.NoError(t, packed.Close()) }()
	z, err := gzip.NewReader(packed)
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), id+".db")
	db, err := os.Create(path)
	require.NoError(t, err)
	_, err = io.Copy(db, z)
	require.NoError(t, err)
	require.NoError(t, db.Close())
	return path
}

// long leaves a test out of `go test -short`: it computes for long, in one
// goroutine or in processes of its own, where the race detector finds nothing.
func long(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("long")
	}
}
