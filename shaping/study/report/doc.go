// Package report renders what a vote file and a fitted model hold as one HTML
// page that needs nothing beside it: no network, no script, every picture
// within. Whatever comes from a file, a world or a model is text there, never
// markup.
package report
