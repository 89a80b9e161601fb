// Package models holds the scoring models that come with the program: one for
// the defaults of each world, so that the scheme credit works without any
// preparation. README.md says what each was fitted to; the votes of record
// stand beside it in votes/.
package models

import (
	"embed"
	"io/fs"
	"strings"
)

//go:embed *.credit
var files embed.FS

// File is one model as it stands in its file.
type File struct {
	Name  string // that it is loaded under: "default-" and the world's id
	Bytes []byte // as prefer.Load reads them
}

// All returns the models, sorted by name.
func All() []File {
	entries, err := fs.ReadDir(files, ".")
	if err != nil {
		panic("models: " + err.Error()) // they are in the program
	}
	var out []File
	for _, e := range entries {
		b, err := files.ReadFile(e.Name())
		if err != nil {
			panic("models: " + err.Error())
		}
		out = append(out, File{Name: "default-" + strings.TrimSuffix(e.Name(), ".credit"), Bytes: b})
	}
	return out
}
