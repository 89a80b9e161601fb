package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"marlpit/shaping/llm"
	"marlpit/shaping/study"
	"marlpit/shaping/votes"
)

// notes is what there is to say of the critic's endpoint.
func (a *asked) notes() []string {
	var out []string
	if a.others != "" {
		out = append(out, a.others)
	}
	if n, ok := a.Critic.(interface{ Notes() []string }); ok {
		out = append(out, n.Notes()...)
	}
	return out
}

// compare looks where the file's replies of the model come from. Critics without
// a name share them, and two endpoints may mean different things by one name.
func (a *asked) compare(ctx context.Context, db *votes.DB, stderr io.Writer) error {
	here, known, err := a.addresses(ctx, db)
	if err != nil || here == "" || len(known) == 0 || len(known) == 1 && known[0] == here {
		return err
	}
	elsewhere := slices.DeleteFunc(known, func(s string) bool { return s == here })
	a.others = fmt.Sprintf("model %s is asked at %s, and has been asked at %s: replies that are stored count for all of these; "+
		"where they answer differently, give each a name in a file of critics (--critics)", a.config.Model, here, strings.Join(elsewhere, ", "))
	_, err = fmt.Fprintln(stderr, "warning: "+a.others)
	return err
}

// note writes down the templates a language model is asked with, and where.
func (a *asked) note(ctx context.Context, db *votes.DB) error {
	if a.config.Kind != "openai" {
		return nil
	}
	if err := study.NotePrompts(ctx, db, llm.Prompts()); err != nil {
		return err
	}
	here, known, err := a.addresses(ctx, db)
	if err != nil || here == "" || slices.Contains(known, here) {
		return err
	}
	return db.SetMeta(ctx, a.addressKey(), strings.Join(append(known, here), "\n"))
}

// addresses is where the critic is asked, and where its model has been asked
// for this file. here is "" where that doesn't matter: of no endpoint, of one
// with a name, whose replies no other shares, and where nobody is called.
func (a *asked) addresses(ctx context.Context, db *votes.DB) (here string, known []string, err error) {
	if a.config.Kind != "openai" || a.config.OwnName() != "" || a.offline {
		return "", nil, nil
	}
	if here, err = llm.BaseURL(a.config.BaseURL); err != nil {
		return "", nil, nil //nolint:nilerr // building the critic says so, where it matters
	}
	text, err := db.Meta(ctx, a.addressKey())
	if text != "" {
		known = strings.Split(text, "\n")
	}
	return here, known, err
}

func (a *asked) addressKey() string { return "addresses: " + a.config.Model }
