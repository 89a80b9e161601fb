package main

import "github.com/alecthomas/kong"

// files are those of a flag that may be repeated, one each time: a comma is part
// of a path. A variable gives one, or none where it is empty.
type files []string

// Decode implements kong.MapperValue.
func (f *files) Decode(ctx *kong.DecodeContext) error {
	var path string
	if err := ctx.Scan.PopValueInto("file", &path); err != nil {
		return err
	}
	if path != "" {
		*f = append(*f, path)
	}
	return nil
}
