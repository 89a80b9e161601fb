package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/alecthomas/kong"
	"github.com/rs/zerolog"

	"marlpit/api"
	"marlpit/envs"
	"marlpit/envs/catalog"
	"marlpit/envs/envtest/worlds"
	"marlpit/models"
	"marlpit/shaping/study"
)

// serveCmd serves environments.
type serveCmd struct {
	Listen          string        `default:"127.0.0.1:8321" placeholder:"HOST:PORT" help:"TCP address; port 0 takes a free one, an empty address none. Any but loopback's needs a token."`
	Unix            string        `placeholder:"PATH" help:"Unix socket, only its owner may open; instead of or beside --listen."`
	Token           string        `placeholder:"T" help:"What requests have to carry as Authorization: Bearer T. Better given as MARLPIT_TOKEN, which no process list shows."`
	AllowHost       []string      `placeholder:"NAME" help:"A name that this server may be called by, beside those of loopback."`
	IdleTimeout     time.Duration `default:"30m" help:"A session that nobody called for this long is dropped."`
	MaxSessions     int           `default:"1024" help:"Most sessions at a time."`
	MaxBody         int           `default:"67108864" help:"Most bytes of a request."`
	MaxSessionBytes int64         `default:"1073741824" help:"Most bytes of a session's arrays."`
	Credit          files         `sep:"none" placeholder:"FILE" help:"Fitted model to load; may be repeated."`
	Shipped         bool          `default:"true" negatable:"" help:"Load the models that come with the program, for the defaults of each world."`
	Scores          files         `sep:"none" placeholder:"FILE[=CRITIC]" help:"Recorded scores of rounds, as 'marlpit score' makes them, that process credit may name by the file's name without .db; where a file holds several critics', a part of the name of the one that is meant. May be repeated."`
	Process         files         `sep:"none" placeholder:"FILE" help:"Fitted scorer of rounds, as 'marlpit fit-process' makes it, that process credit may name by its own name. May be repeated."`
	MaxModelBytes   int64         `default:"268435456" help:"Most bytes of all fitted models together."`
	Critics         string        `placeholder:"FILE" type:"existingfile" help:"TOML file of the critics that live credit and process credit may name, a table [critics.NAME] each, beside oracle, rule, coin and first."`
	StateDir        string        `placeholder:"DIR" type:"path" help:"Where votes and models of live credit, and answers about rounds, are kept, and found again; without it, in a temporary folder until the server ends."`
	RecordDir       string        `placeholder:"DIR" type:"existingdir" help:"Where sessions may record episodes; without it they may not."`
	LogLevel        string        `default:"info" enum:"debug,info,warn,error,off" help:"What the log on standard error tells: ${enum}. Requests at debug."`
	ReadyFile       string        `placeholder:"PATH" help:"Write the line with the addresses to this file as well, once ready."`
	ExitWithStdin   bool          `help:"End when standard input is closed."`
	ExitWhenIdle    time.Duration `placeholder:"DURATION" help:"End after this long without sessions and requests."`
	TestWorlds      bool          `hidden:"" help:"Serve the worlds made for tests as well."`
}

// ready is the line that is printed on standard output once requests are
// answered.
type ready struct {
	Unix    string `json:"unix"`
	TCP     string `json:"tcp"`
	Version string `json:"version"`
	Wire    int    `json:"wire"`
}

// graceful is how long running requests may take after a stop was asked for.
const graceful = 20 * time.Second

// Run serves until a signal, the end of standard input, or idleness.
func (c *serveCmd) Run(out io.Writer) error {
	log, err := c.logger()
	if err != nil {
		return err
	}
	listeners, line, err := c.listen()
	if err != nil {
		return err
	}
	defer func() {
		for _, l := range listeners {
			_ = l.Close()
		}
	}()
	fitted, err := loadModels(c.Credit, c.Shipped)
	if err != nil {
		return err
	}
	critics, err := c.critics()
	if err != nil {
		return err
	}
	scores, err := loadScores(c.Scores)
	if err != nil {
		return err
	}
	scorers, err := loadScorers(c.Process)
	if err != nil {
		return err
	}
	host, _, _ := net.SplitHostPort(c.Listen)
	wildcard := host == "" || net.ParseIP(host).IsUnspecified()
	srv, err := api.New(api.Config{
		Registry: c.registry(), Version: version, OpenAPI: openapi, Models: fitted, Critics: critics, Scores: scores, Scorers: scorers, StateDir: c.StateDir,
		Token: c.Token, Hosts: append([]string{host}, c.AllowHost...), AnyHost: c.Token != "" && wildcard,
		IdleTimeout: c.IdleTimeout, MaxSessions: c.MaxSessions, MaxBody: c.MaxBody,
		MaxSessionBytes: c.MaxSessionBytes, MaxModelBytes: c.MaxModelBytes, RecordDir: c.RecordDir, Log: log,
	})
	if err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	c.watch(srv, end)

	failed := make(chan error, len(listeners))
	for _, l := range listeners {
		go func() { failed <- srv.Serve(l) }()
	}
	if err := c.announce(out, line); err != nil {
		return err
	}
	select {
	case err = <-failed:
	case <-ctx.Done():
		log.Info().AnErr("why", context.Cause(ctx)).Msg("stopping")
	}
	limit, cancel := context.WithTimeout(context.Background(), graceful)
	defer cancel()
	if e := srv.Shutdown(limit); e != nil {
		err = errors.Join(err, fmt.Errorf("requests were still running after %v: %w", graceful, e))
	}
	return err
}

// listen opens what was asked for and tells the real addresses.
func (c *serveCmd) listen() (out []net.Listener, line ready, err error) {
	line = ready{Version: version, Wire: api.Wire}
	if c.Listen == "" && c.Unix == "" {
		return nil, line, fmt.Errorf("%w: --listen or --unix has to be given", errUsage)
	}
	defer func() {
		if err != nil {
			for _, l := range out {
				_ = l.Close()
			}
		}
	}()
	if c.Listen != "" {
		host, _, err := net.SplitHostPort(c.Listen)
		if err != nil {
			return nil, line, fmt.Errorf("%w: --listen is HOST:PORT: %w", errUsage, err)
		}
		if !loopback(host) && c.Token == "" {
			return nil, line, fmt.Errorf("%w: %s can be reached from other machines: that needs a token (MARLPIT_TOKEN)", errUsage, c.Listen)
		}
		l, err := net.Listen("tcp", c.Listen)
		if err != nil {
			return nil, line, err
		}
		out, line.TCP = append(out, l), l.Addr().String()
	}
	if c.Unix != "" {
		l, err := listenUnix(c.Unix)
		if err != nil {
			return out, line, err
		}
		out, line.Unix = append(out, l), c.Unix
	}
	return out, line, nil
}

// announce says that the server is ready, for programs and for people.
func (c *serveCmd) announce(out io.Writer, line ready) error {
	b, err := json.Marshal(line)
	if err != nil {
		return err
	}
	b = append(b, '\n')
	if c.ReadyFile != "" {
		if err := noDevice(c.ReadyFile); err != nil {
			return badCall(fmt.Errorf("--ready-file %w", err))
		}
		tmp := c.ReadyFile + ".tmp"
		if err := os.WriteFile(tmp, b, 0o600); err != nil {
			return err
		}
		if err := os.Rename(tmp, c.ReadyFile); err != nil {
			return err
		}
	}
	var where []string
	if line.TCP != "" {
		where = append(where, "http://"+line.TCP)
	}
	if line.Unix != "" {
		where = append(where, line.Unix)
	}
	fmt.Fprintln(os.Stderr, "marlpit: listening on", strings.Join(where, " and "))
	_, err = out.Write(b)
	return err
}

// watch ends the server when standard input closes or it was idle for long.
func (c *serveCmd) watch(srv *api.Server, end context.CancelCauseFunc) {
	if c.ExitWithStdin {
		go func() {
			_, _ = io.Copy(io.Discard, os.Stdin)
			end(errors.New("standard input was closed"))
		}()
	}
	if c.ExitWhenIdle > 0 {
		go func() {
			for range time.Tick(min(c.ExitWhenIdle/4+time.Millisecond, 10*time.Second)) {
				if srv.Idle() > c.ExitWhenIdle {
					end(fmt.Errorf("idle for %v", c.ExitWhenIdle))
					return
				}
			}
		}()
	}
}

func (c *serveCmd) registry() envs.Registry {
	if !c.TestWorlds {
		return catalog.All()
	}
	return envs.NewRegistry(append(catalog.All(), worlds.Entries()...)...)
}

func (c *serveCmd) logger() (zerolog.Logger, error) {
	name := c.LogLevel
	if name == "off" {
		name = "disabled"
	}
	level, err := zerolog.ParseLevel(name)
	if err != nil {
		return zerolog.Nop(), fmt.Errorf("%w: %w", errUsage, err)
	}
	return zerolog.New(os.Stderr).Level(level).With().Timestamp().Logger(), nil
}

// critics are those that live credit may name: of the file, and those that ask
// nobody, under the names of their kinds.
func (c *serveCmd) critics() ([]study.LiveCritic, error) {
	var all []study.CriticConfig
	if c.Critics != "" {
		var err error
		if all, err = study.LoadCritics(c.Critics); err != nil {
			return nil, badCall(err)
		}
	}
	for _, kind := range []string{"oracle", "rule", "coin", "first"} {
		if !slices.ContainsFunc(all, func(k study.CriticConfig) bool { return k.Name == kind }) {
			all = append(all, study.NewCriticConfig(kind, kind))
		}
	}
	return study.LiveCritics(all), nil
}

// loadModels reads fitted models; a model's name is its file's, without .credit.
// The shipped ones come first, so that those of files go before them where both fit.
func loadModels(paths []string, shipped bool) (*api.Models, error) {
	all := api.NewModels()
	if shipped {
		for _, m := range models.All() {
			if err := all.Load(m.Name, m.Bytes); err != nil {
				return nil, fmt.Errorf("shipped model %s: %w", m.Name, err)
			}
		}
	}
	for _, file := range paths {
		b, err := os.ReadFile(kong.ExpandPath(file))
		if err != nil {
			return nil, badCall(fmt.Errorf("--credit: %w", err))
		}
		name := strings.TrimSuffix(filepath.Base(file), ".credit")
		if err := all.Load(name, b); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
	}
	return all, nil
}
