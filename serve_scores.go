package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/alecthomas/kong"

	"marlpit/shaping/process"
)

// loadScores reads files of scores; the name of one is its file's, without .db.
func loadScores(files []string) (map[string]*process.Table, error) {
	out := map[string]*process.Table{}
	for _, text := range files {
		path, critic := fileAndCritic(text)
		name := strings.TrimSuffix(filepath.Base(path), ".db")
		if out[name] != nil {
			return nil, badCall(fmt.Errorf("--scores: two files are named %s", name))
		}
		table, err := loadTable(path, critic)
		if err != nil {
			return nil, badCall(fmt.Errorf("--scores %s: %w", text, err))
		}
		out[name] = table
	}
	return out, nil
}

// fileAndCritic takes FILE=CRITIC apart. Both may hold more of "=": FILE ends
// where there is such a file, else at the first.
func fileAndCritic(text string) (path, critic string) {
	for i := len(text); i >= 0; i = strings.LastIndexByte(text[:i], '=') {
		if stat, err := os.Stat(text[:i]); err == nil && !stat.IsDir() {
			return text[:i], strings.TrimPrefix(text[i:], "=")
		}
	}
	path, critic, _ = strings.Cut(text, "=")
	return path, critic
}

// loadScorers reads files of fitted scorers.
func loadScorers(files []string) (map[string]*process.Model, error) {
	out := map[string]*process.Model{}
	for _, path := range files {
		m, err := loadScorer(path)
		if err != nil {
			return nil, badCall(fmt.Errorf("--process %s: %w", path, err))
		}
		if out[m.Header.Name] != nil {
			return nil, badCall(fmt.Errorf("--process %s: two scorers are named %q", path, m.Header.Name))
		}
		out[m.Header.Name] = m
	}
	return out, nil
}

func loadScorer(path string) (m *process.Model, err error) {
	f, err := os.Open(kong.ExpandPath(path))
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	return process.LoadModel(f)
}

func loadTable(path, critic string) (table *process.Table, err error) {
	ctx := context.Background()
	db, err := process.Open(ctx, path)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	return process.Load(ctx, db, critic)
}
