package study

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"marlpit/envs"
	"marlpit/shaping/votes"
	"marlpit/wrappers"
)

// A labelling's folder is named by its id and holds labeling.json (manifest),
// votes.db, and the models that were in force last.
const (
	manifestFile = "labeling.json"
	votesFile    = "votes.db"
)

// manifest is what a labelling is about. All but the last two make its id.
type manifest struct {
	ID         string               `json:"id"`
	Env        string               `json:"env"`
	Params     map[string]any       `json:"params"`
	ObsVersion int                  `json:"obs_version"`
	Annotator  string               `json:"annotator"`
	Live       wrappers.LiveOptions `json:"live"`
	Created    string               `json:"created"` // RFC 3339
	Cancelled  bool                 `json:"cancelled"`
}

func newManifest(e envs.Env, opt wrappers.LiveOptions, annotator string) manifest {
	s := e.Spec()
	m := manifest{Env: s.ID, Params: s.Params, ObsVersion: s.ObsVersion, Annotator: annotator, Live: opt}
	b, err := json.Marshal(m) // keys in one order
	if err != nil {
		panic("study: parameters that JSON can't hold: " + err.Error())
	}
	hash := sha256.Sum256(b)
	m.ID = hex.EncodeToString(hash[:8])
	m.Created = time.Now().UTC().Format(time.RFC3339)
	return m
}

// number is the id as games write it into snapshots.
func (m manifest) number() uint64 {
	n, err := strconv.ParseUint(m.ID, 16, 64)
	if err != nil {
		panic("study: not an id: " + m.ID)
	}
	return n
}

func readManifest(dir string) (manifest, error) {
	var m manifest
	b, err := os.ReadFile(filepath.Join(dir, manifestFile))
	if err != nil {
		return m, err
	}
	if err := json.Unmarshal(b, &m); err != nil {
		return m, fmt.Errorf("%s: %w", manifestFile, err)
	}
	if _, err := strconv.ParseUint(m.ID, 16, 64); err != nil || len(m.ID) != 16 || m.ID != filepath.Base(dir) {
		return m, fmt.Errorf("%s: the id %.40q isn't the folder's name", manifestFile, m.ID)
	}
	return m, nil
}

func (m manifest) write(dir string) error {
	b, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return err
	}
	return writeWhole(filepath.Join(dir, manifestFile), func(f *os.File) error {
		_, err := f.Write(append(b, '\n'))
		return err
	})
}

// unfinished is how the names of files begin that are being written.
const unfinished = ".new-"

// dropUnfinished removes what a kill has left of them.
func dropUnfinished(dir string) error {
	left, err := os.ReadDir(dir)
	for _, e := range left {
		if strings.HasPrefix(e.Name(), unfinished) {
			err = errors.Join(err, os.Remove(filepath.Join(dir, e.Name())))
		}
	}
	return err
}

// writeWhole writes a file durably, whole or not at all.
func writeWhole(path string, write func(*os.File) error) error {
	f, err := os.CreateTemp(filepath.Dir(path), unfinished+"*")
	if err != nil {
		return err
	}
	err = errors.Join(write(f), f.Sync(), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return syncFolder(filepath.Dir(path))
}

// syncFolder makes a rename durable where the system has that.
func syncFolder(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	_ = d.Sync() // some systems can't; a crash of the machine may then undo the rename
	return d.Close()
}

// begin makes the folder of a labelling, or finds it, and opens it.
func (l *Labelings) begin(m manifest) (*Labeling, error) {
	if l.cfg.Dir == "" {
		dir, err := os.MkdirTemp("", "marlpit-live-")
		if err != nil {
			return nil, err
		}
		l.cfg.Dir, l.temporary = dir, true
		l.cfg.Told("", "votes and models are kept in "+dir+" until the server ends; --state-dir keeps them", nil)
	}
	dir := filepath.Join(l.folder(), m.ID)
	if old, err := readManifest(dir); err == nil {
		return l.open(old)
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	if err := m.write(dir); err != nil {
		return nil, err
	}
	return l.open(m)
}

// open opens the labelling of a folder, with the votes and the model it has.
func (l *Labelings) open(m manifest) (_ *Labeling, err error) {
	x := &Labeling{of: l, dir: filepath.Join(l.folder(), m.ID), about: m, known: map[uint64]bool{}, quit: make(chan struct{}), over: make(chan struct{}), woken: make(chan struct{}, 1), done: make(chan struct{})}
	entry, err := l.cfg.Registry.Find(m.Env)
	if err != nil {
		return nil, err
	}
	if x.env, err = entry.New(m.Params); err != nil {
		return nil, err
	}
	if x.critic, err = l.critic(m.Live.Critic); err != nil {
		return nil, err
	}
	if newManifest(x.env, m.Live, m.Annotator).ID != m.ID {
		return nil, fmt.Errorf("study: %s isn't what it was when it got its id", manifestFile)
	}
	x.live = wrappers.NewLive(m.number(), x.env, x.earlier)
	if err := dropUnfinished(x.dir); err != nil {
		return nil, err
	}
	ctx := context.Background()
	if x.db, err = votes.Create(ctx, filepath.Join(x.dir, votesFile)); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, x.db.Close())
		}
	}()
	if err := x.recall(ctx); err != nil {
		return nil, err
	}
	return x, nil
}

// recall reads what earlier runs did.
func (x *Labeling) recall(ctx context.Context) error {
	if err := x.recallModel(); err != nil {
		return err
	}
	if err := x.count(ctx); err != nil {
		return err
	}
	var err error
	if x.asked, err = x.ask(ctx); err != nil {
		return err
	}
	x.state = waiting
	if x.about.Cancelled {
		x.state, x.reason = stopped, "cancelled"
	}
	return nil
}
