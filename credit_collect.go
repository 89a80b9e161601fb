package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"marlpit/envs"
	"marlpit/envs/catalog"
	"marlpit/shaping/study"
	"marlpit/shaping/votes"
)

// collectCmd is `marlpit collect`.
type collectCmd struct {
	Env         string     `xor:"source" required:"" help:"World to play, as 'marlpit envs' lists them."`
	From        string     `xor:"source" required:"" type:"path" placeholder:"FILE" help:"Recorded transitions of an environment of your own (JSON lines, as marlpit.credit.record of the Python client writes them), to add in place of playing. What the other flags say of play has no meaning then."`
	World       worldFlags `embed:""`
	Transitions int        `help:"Transitions to keep at most." default:"2000"`
	Seed        uint64     `help:"Seed of play and choice." default:"0"`
	Copies      int        `help:"Games played side by side." default:"64"`
	Steps       int        `help:"Steps of each game; the limit of steps is off." default:"1000"`
	Draw        string     `help:"How those that are kept are drawn: uniform, or rarity (of each agent's own change). By default rarity for more than four agents." enum:"uniform,rarity," default:""`
	Enough      float64    `help:"Stop early at this many times --transitions different ones; 0 plays on to the end." default:"0"`
	DB          string     `name:"db" required:"" type:"path" placeholder:"FILE" help:"File to add to; made if there is none."`
	JSON        bool       `name:"json" help:"Print the result as JSON."`
	Parent      parentFlag `embed:""`
}

// Help says what the command does.
func (collectCmd) Help() string {
	return `Plays a world at random, with the limit of steps off, and keeps transitions in
which something changed, each pair of states once, with the words critics read,
the features models are fitted to, and the exact credit where the world can be
solved. The frames played are written down: they are to be charged to whatever
is learnt from them.

  marlpit collect --env two-switch-v1 --transitions 2000 --seed 0 --db votes.db
  marlpit collect --from spread.jsonl --db votes.db`
}

// collected is what is printed.
type collected struct {
	Env    string         `json:"env"`
	Params map[string]any `json:"params"`
	DB     string         `json:"db"`
	Added  int            `json:"added"` // new to the file
	Total  int            `json:"total"` // in the file
	Hash   string         `json:"content_hash"`
	votes.Collection
}

// Run collects.
func (c *collectCmd) Run(stdout io.Writer) error {
	return c.Parent.until(func(ctx context.Context) error { return c.run(ctx, catalog.All(), stdout) })
}

func (c *collectCmd) run(ctx context.Context, registry envs.Registry, stdout io.Writer) (err error) {
	got, err := c.transitions(ctx, registry)
	if err != nil {
		return err
	}
	db, err := votes.Create(ctx, c.DB)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	out := collected{Env: got.World.Env, Params: got.World.Params, DB: c.DB, Collection: got.Collection}
	if out.Added, err = db.Add(ctx, got.World, got.Collection, got.Transitions); err != nil {
		return err
	}
	if out.Total, err = db.Count(ctx); err != nil {
		return err
	}
	if out.Hash, err = db.ContentHash(ctx); err != nil {
		return err
	}
	if c.JSON {
		return printJSON(stdout, out)
	}
	seen := fmt.Sprintf("%d changed something", out.Changed)
	if c.From != "" {
		seen = fmt.Sprintf("%d transitions in %s", out.Changed, c.From)
	}
	_, err = fmt.Fprintf(stdout, `%s: %d frames of %s, %s, %d different pairs of states
%d transitions kept, %d new to %s (%d in all); exact credit: %s
`, out.Env, out.Frames, out.Play(), seen, out.Distinct, out.Kept, out.Added, out.DB, out.Total, out.Solver)
	return err
}

// transitions plays, or reads what was recorded. What is recorded must not pass
// for a world of ours.
func (c *collectCmd) transitions(ctx context.Context, registry envs.Registry) (*study.Collected, error) {
	if c.From == "" {
		if c.Transitions < 1 || c.Copies < 1 || c.Steps < 1 {
			return nil, badCall(fmt.Errorf("--transitions, --copies and --steps are at least 1, got %d, %d and %d", c.Transitions, c.Copies, c.Steps))
		}
		return collect(ctx, registry, c.Env, c.World.values(), c.options())
	}
	if len(c.World.Param) > 0 {
		return nil, badCall(errors.New("--from and --param exclude each other: a recording names its parameters"))
	}
	f, err := os.Open(c.From)
	if err != nil {
		return nil, badCall(err)
	}
	defer func() { _ = f.Close() }() // it was only read
	world, collection, transitions, err := votes.ReadRecording(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.From, err)
	}
	if _, err := registry.Find(world.Env); err == nil {
		return nil, fmt.Errorf("%s: line 1: env: %s is a world of marlpit's own, which --env plays; give the recording another name", c.From, world.Env)
	}
	return &study.Collected{World: world, Collection: collection, Transitions: transitions}, nil
}

func (c *collectCmd) options() study.CollectOptions {
	return study.CollectOptions{Transitions: c.Transitions, Seed: c.Seed, Copies: c.Copies, Steps: c.Steps, Draw: study.Draw(c.Draw), Enough: c.Enough}
}

// collect finds the world and collects from it; what a wrong call causes is
// marked as such.
func collect(ctx context.Context, registry envs.Registry, id string, params map[string]any, opt study.CollectOptions) (*study.Collected, error) {
	entry, err := registry.Find(id)
	if err != nil {
		return nil, badCall(err)
	}
	got, err := study.Collect(ctx, entry, params, opt)
	if errors.Is(err, envs.ErrParams) || errors.Is(err, study.ErrCollect) {
		return nil, badCall(err)
	}
	return got, err
}
