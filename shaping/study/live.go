package study

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"marlpit/envs"
	"marlpit/shaping"
	"marlpit/shaping/process"
	"marlpit/shaping/votes"
	"marlpit/wrappers"
)

// Errors of live labellings that callers tell apart with errors.Is.
var (
	// ErrNoLabeling is returned for an id that no labelling has.
	ErrNoLabeling = errors.New("study: no such labelling")

	// ErrLabelings is returned when no more labellings can be held.
	ErrLabelings = errors.New("study: too many labellings")

	// ErrUnusable is returned for a labelling whose files can't be made, or are
	// damaged.
	ErrUnusable = errors.New("study: the labelling can't be opened")
)

// LiveCritic is a critic that may be asked while sessions play.
type LiveCritic struct {
	Name      string
	Kind      string // "openai", "oracle", …
	Viewpoint string // that is read unless a session names one; "": guided

	// Build makes the critic; nothing is given where only its name is wanted.
	Build func(CriticDeps) (shaping.Critic, error)

	// BuildRounds makes it as a critic of rounds; nil where only its name is wanted.
	BuildRounds func(CriticDeps) (process.Critic, error)
}

// LiveCritics are configured critics, for live labellings.
func LiveCritics(configs []CriticConfig) []LiveCritic {
	out := make([]LiveCritic, len(configs))
	for i, c := range configs {
		out[i] = LiveCritic{Name: c.Name, Kind: c.Kind, Viewpoint: c.Viewpoint, Build: c.Build, BuildRounds: c.BuildRounds}
	}
	return out
}

// LiveConfig is what Labelings are made of. Zero values take the defaults named.
type LiveConfig struct {
	Dir       string // where they are kept; "": in a temporary folder, until Close
	Registry  envs.Registry
	Critics   []LiveCritic
	Most      int    // labellings that are held at a time; 0: 64
	CreatedBy string // program and version, for models

	Called func(critic, outcome string)              // after each question: ok, invalid or failed; may be nil
	Told   func(labeling, what string, reason error) // what a person may want to know: state changes, models, failures; may be nil

	Busy  func() bool   // whether games are played at this moment; nil: never
	Share float64       // of the time that all work here takes at most while they are; 0: 0.005
	Poll  time.Duration // from one look at what games have seen to the next; 0: 200 ms
	Retry time.Duration // first wait after a critic couldn't be had, doubled up to 64 times; 0: 5 s
}

// Labelings are the live labellings of a server: each samples what the games
// that share it see, asks its critic, and puts fitted models in force. Its
// methods may be called from several goroutines.
type Labelings struct {
	cfg       LiveConfig
	temporary bool
	lock      *os.File // of Dir; nil where that is temporary
	manners   *manners

	mu     sync.Mutex
	byID   map[string]*Labeling
	closed bool
}

// OpenLabelings opens a folder of labellings, which it makes where there is
// none, with all that earlier runs left there. It asks nobody until a session
// joins.
func OpenLabelings(cfg LiveConfig) (*Labelings, error) {
	setDefault(&cfg.Most, 64)
	if cfg.Poll == 0 {
		cfg.Poll = 200 * time.Millisecond
	}
	if cfg.Retry == 0 {
		cfg.Retry = 5 * time.Second
	}
	if cfg.Called == nil {
		cfg.Called = func(string, string) {}
	}
	if cfg.Told == nil {
		cfg.Told = func(string, string, error) {}
	}
	if cfg.Busy == nil {
		cfg.Busy = func() bool { return false }
	}
	if cfg.Share == 0 {
		cfg.Share = 0.005
	}
	l := &Labelings{cfg: cfg, manners: &manners{busy: cfg.Busy, share: cfg.Share}, byID: map[string]*Labeling{}}
	if cfg.Dir == "" {
		return l, nil // the folder is made when it is needed
	}
	return l, l.openAll()
}

// openAll opens the labellings of the folder, the newest first.
func (l *Labelings) openAll() error {
	dir := l.folder()
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("study: the folder for labellings: %w", err)
	}
	var err error
	if l.lock, err = lockFolder(l.cfg.Dir); err != nil {
		return fmt.Errorf("study: the folder for labellings: %w", err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return errors.Join(fmt.Errorf("study: the folder for labellings: %w", err), l.lock.Close())
	}
	var found []manifest
	for _, e := range entries {
		m, err := readManifest(filepath.Join(dir, e.Name()))
		if err != nil {
			l.cfg.Told(e.Name(), "left alone", err)
			continue
		}
		found = append(found, m)
	}
	slices.SortFunc(found, func(a, b manifest) int { return strings.Compare(b.Created, a.Created) })
	for _, m := range found[:min(len(found), l.cfg.Most)] {
		x, err := l.open(m)
		if err != nil {
			l.cfg.Told(m.ID, "left alone", err)
			continue
		}
		l.byID[m.ID] = x
	}
	return nil
}

func (l *Labelings) folder() string { return filepath.Join(l.cfg.Dir, "labelings") }

// Critics lists who may be asked.
func (l *Labelings) Critics() []LiveCritic { return l.cfg.Critics }

// Join makes the caller a session of the labelling of these options and this
// world, which begins where there is none and goes on where there is one. What
// Join returned has to be left once. It returns errors wrapping
// wrappers.ErrReward, ErrLabelings, ErrUnusable or envs.ErrParams.
func (l *Labelings) Join(entry envs.Entry, params map[string]any, opt wrappers.LiveOptions) (*Labeling, error) {
	e, err := entry.New(params)
	if err != nil {
		return nil, err
	}
	critic, err := l.critic(opt.Critic)
	if err != nil {
		return nil, err
	}
	if opt.Viewpoint == "" {
		opt.Viewpoint = critic.Viewpoint
	}
	if opt.Viewpoint == "" {
		opt.Viewpoint = envs.Guided.String()
	}
	if err := critic.fits(e); err != nil {
		return nil, err
	}
	asked, err := critic.Build(CriticDeps{})
	if err != nil {
		l.cfg.Told("", "critic "+critic.Name+" can't be used", err)
		return nil, fmt.Errorf("%w: live: the server can't use its critic %s; its log says why", wrappers.ErrReward, critic.Name)
	}
	m := newManifest(e, opt, votes.Name(asked, opt.Viewpoint))

	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return nil, fmt.Errorf("%w: they are being closed", ErrLabelings)
	}
	x := l.byID[m.ID]
	if x == nil {
		if err := l.makeRoom(); err != nil {
			return nil, err
		}
		if x, err = l.begin(m); err != nil {
			l.cfg.Told(m.ID, "it can't be opened", err)
			return nil, fmt.Errorf("%w: %s; the server's log says why", ErrUnusable, m.ID)
		}
		l.byID[m.ID] = x
	}
	x.Share()
	return x, nil
}

// critic finds one by name.
func (l *Labelings) critic(name string) (LiveCritic, error) {
	var names []string
	for _, c := range l.cfg.Critics {
		if c.Name == name {
			return c, nil
		}
		names = append(names, c.Name)
	}
	have := "it has none: marlpit serve --critics FILE names them"
	if len(names) > 0 {
		have = "there are " + strings.Join(names, ", ") + "; serve --critics FILE adds some"
	}
	return LiveCritic{}, fmt.Errorf("%w: live.critic: the server has no critic %.40q: %s", wrappers.ErrReward, name, have)
}

// fits refuses a world that lacks what the critic goes by.
func (c LiveCritic) fits(e envs.Env) error {
	id := e.Spec().ID
	missing := func(what string) error {
		return fmt.Errorf("%w: live: critic %s (%s): %s has no %s", wrappers.ErrReward, c.Name, c.Kind, id, what)
	}
	if _, ok := envs.As[envs.Snapshotter](e); !ok {
		return missing("snapshots")
	}
	switch c.Kind {
	case "openai", "rule":
		if _, ok := envs.As[envs.Describer](e); !ok {
			return missing("words")
		}
	case "oracle":
		if _, ok := envs.As[envs.Solver](e); !ok {
			return missing("solver")
		}
	}
	return nil
}

// roomGrace is how long one that makes room may finish what it asks. All others
// wait for that.
const roomGrace = 100 * time.Millisecond

// makeRoom drops the labelling that was left longest ago where there are as
// many as can be held. Its files stay. The caller holds the lock.
func (l *Labelings) makeRoom() error {
	if len(l.byID) < l.cfg.Most {
		return nil
	}
	var oldest *Labeling
	for _, x := range l.byID {
		if since, free := x.left(); free && (oldest == nil || since.Before(oldest.leftAt)) {
			oldest = x
		}
	}
	if oldest == nil {
		return fmt.Errorf("%w: all %d are in use", ErrLabelings, len(l.byID))
	}
	delete(l.byID, oldest.ID())
	ctx, cancel := context.WithTimeout(context.Background(), roomGrace)
	defer cancel()
	return oldest.close(ctx)
}

// List tells of all, sorted by id.
func (l *Labelings) List() []LiveProgress {
	l.mu.Lock()
	defer l.mu.Unlock()
	out := make([]LiveProgress, 0, len(l.byID))
	for _, x := range l.byID {
		out = append(out, x.Progress())
	}
	slices.SortFunc(out, func(a, b LiveProgress) int { return strings.Compare(a.ID, b.ID) })
	return out
}

// Find returns a labelling, or an error wrapping ErrNoLabeling.
func (l *Labelings) Find(id string) (*Labeling, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if x, ok := l.byID[id]; ok {
		return x, nil
	}
	return nil, fmt.Errorf("%w: %.40q", ErrNoLabeling, id)
}

// Close ends all labellings: what critics were asked already is waited for
// until ctx ends. Models stay in force in the games that use them.
func (l *Labelings) Close(ctx context.Context) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.closed = true
	for _, x := range l.byID {
		x.stop()
	}
	var errs []error
	for _, x := range l.byID {
		errs = append(errs, x.close(ctx))
	}
	clear(l.byID)
	if l.temporary {
		errs = append(errs, os.RemoveAll(l.cfg.Dir))
	}
	if l.lock != nil {
		errs = append(errs, l.lock.Close())
		l.lock = nil
	}
	return errors.Join(errs...)
}
