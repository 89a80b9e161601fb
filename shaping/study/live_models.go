package study

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"

	"marlpit/shaping/prefer"
)

// keptModels is how many model files a labelling keeps, the newest. Snapshots of
// games that played by an older one can't be restored any more.
const keptModels = 8

var modelFile = regexp.MustCompile(`^model-([0-9]{6,})\.credit$`)

func modelPath(dir string, version int) string {
	return filepath.Join(dir, fmt.Sprintf("model-%06d.credit", version))
}

func loadModel(dir string, version int) (*prefer.Model, error) {
	f, err := os.Open(modelPath(dir, version))
	if err != nil {
		return nil, err
	}
	m, err := prefer.Load(f)
	if err = errors.Join(err, f.Close()); err != nil {
		return nil, err
	}
	if m.Header.Version != version {
		return nil, fmt.Errorf("it says that it is version %d", m.Header.Version)
	}
	return m, nil
}

// earlier finds the model of an earlier version, for a snapshot. Who sent that
// isn't told where the server keeps its files.
func (x *Labeling) earlier(version int) (*prefer.Model, error) {
	m, err := loadModel(x.dir, version)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil, fmt.Errorf("there is none; of each labelling the newest %d are kept", keptModels)
	case err != nil:
		x.of.cfg.Told(x.ID(), fmt.Sprintf("the model, version %d, can't be read", version), err)
		return nil, errors.New("its file can't be read; the server's log says why")
	}
	return m, nil
}

// versions lists those that the folder has files of, the newest first.
func versions(dir string) ([]int, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var all []int
	for _, e := range entries {
		if m := modelFile.FindStringSubmatch(e.Name()); m != nil {
			if v, err := strconv.Atoi(m[1]); err == nil {
				all = append(all, v)
			}
		}
	}
	slices.Sort(all)
	slices.Reverse(all)
	return all, nil
}

// recallModel puts the newest model in force that can be read. Numbers of those
// that can't aren't given again: snapshots may name them.
func (x *Labeling) recallModel() error {
	all, err := versions(x.dir)
	if err != nil || len(all) == 0 {
		return err
	}
	x.version = all[0]
	for _, v := range all {
		m, err := loadModel(x.dir, v)
		if err == nil {
			err = x.live.Use(m)
		}
		if err == nil {
			x.fitted = m.Header.Votes.Asked
			return nil
		}
		x.of.cfg.Told(x.ID(), modelPath(x.dir, v)+" can't be used; an older model is in force, or none, until the next", err)
	}
	return nil
}

// keepModel puts a model on disk, and removes the oldest beyond keptModels.
func (x *Labeling) keepModel(m *prefer.Model) error {
	if err := writeWhole(modelPath(x.dir, m.Header.Version), func(f *os.File) error { return m.Save(f) }); err != nil {
		return err
	}
	x.version = m.Header.Version
	all, err := versions(x.dir)
	for _, v := range all[min(keptModels, len(all)):] {
		err = errors.Join(err, os.Remove(modelPath(x.dir, v)))
	}
	if err != nil {
		x.of.cfg.Told(x.ID(), "an old model's file stays", err)
	}
	return nil
}
