// Command marlpit serves multi-agent environments and makes the models that
// give their agents credit.
package main

import (
	_ "embed"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/alecthomas/kong"
)

// version is that of the program, set when a release is built.
var version = "0.1.0"

// openapi is the HTTP contract, served at /openapi.yaml.
//
//go:embed openapi.yaml
var openapi []byte

// cli is the command line: one field a command, each in the file of its group.
type cli struct {
	Serve   serveCmd      `cmd:"" help:"Serve environments over HTTP until stopped."`
	Envs    envsCmd       `cmd:"" help:"List the worlds, or show one."`
	Collect collectCmd    `cmd:"" help:"Play a world at random and keep transitions."`
	Label   labelCmd      `cmd:"" help:"Have a critic say which transitions helped whom."`
	Fit     fitCmd        `cmd:"" help:"Fit scoring models to votes."`
	Rounds  roundsCmd     `cmd:"" help:"Play a world whose agents talk, and record rounds with what is right in them."`
	Score   scoreCmd      `cmd:"" help:"Have a critic score the proposals of recorded rounds."`
	FitProc fitProcessCmd `cmd:"" name:"fit-process" help:"Fit a scorer of rounds to recorded scores."`
	Export  exportCmd     `cmd:"" help:"Write what is known of rounds for other programs."`
	Judge   judgeCmd      `cmd:"" help:"How often a critic or a model agrees with exact credit."`
	Report  reportCmd     `cmd:"" help:"Write a page about votes and a model, to be read in a browser."`
	Bench   benchCmd      `cmd:"" help:"Measure the speed of a world and of its reward schemes."`
	Docs    DocsCmd       `cmd:"" hidden:"" help:"Write the generated pages."`
	Version versionCmd    `cmd:"" help:"Print the version."`
}

// errUsage is wrapped by errors of a wrong call that the parser can't see; they
// exit with code 2, as the parser's own do.
var errUsage = errors.New("wrong call")

// errHelp ends a run whose work was to print help.
var errHelp = errors.New("help")

const about = `Multi-agent environments for PettingZoo, and language models' credit in the slot of the team reward.

  marlpit serve                          serve on 127.0.0.1:8321
  marlpit envs two-switch-v1             what a world is
  marlpit serve --credit NAME.credit     with a fitted model

Every flag can be set by an environment variable, MARLPIT_ and its name: --idle-timeout is MARLPIT_IDLE_TIMEOUT.`

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// run is the program: 0 for success, 1 for a failure, 2 for a wrong call.
func run(args []string, stdout, stderr io.Writer) (code int) {
	var c cli
	parser, err := kong.New(&c,
		kong.Name("marlpit"),
		kong.Description(about),
		kong.DefaultEnvars("MARLPIT"),
		kong.Writers(stdout, stderr),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true}),
		kong.Exit(func(int) { panic(errHelp) }),
		kong.BindTo(stdout, (*io.Writer)(nil)),
	)
	if err != nil {
		fmt.Fprintln(stderr, "marlpit:", err)
		return 1
	}
	defer func() {
		if v := recover(); v == errHelp {
			code = 0
		} else if v != nil {
			panic(v)
		}
	}()
	if len(args) == 0 {
		args = []string{"--help"}
	}
	ctx, err := parser.Parse(args)
	if err != nil {
		name := "marlpit"
		if parse, ok := errors.AsType[*kong.ParseError](err); ok {
			if n := parse.Context.Selected(); n != nil {
				name = n.FullPath()
			}
		}
		fmt.Fprintf(stderr, "marlpit: %v\n`%s --help` tells what there is.\n", err, name)
		return 2
	}
	if err := ctx.Run(); err != nil {
		fmt.Fprintln(stderr, "marlpit:", err)
		var coded interface{ ExitCode() int }
		if errors.As(err, &coded) {
			return coded.ExitCode()
		}
		if errors.Is(err, errUsage) {
			return 2
		}
		return 1
	}
	return 0
}
