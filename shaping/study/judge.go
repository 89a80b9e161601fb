package study

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"marlpit/shaping"
	"marlpit/shaping/votes"
)

// ErrTruth is returned by Judge where a file holds no credit to compare with.
var ErrTruth = errors.New("study: nothing to judge against")

// JudgeOptions say what a critic is asked, and when it is enough. Zero values
// take the defaults named.
type JudgeOptions struct {
	votes.LabelOptions // Only is Judge's own

	Seed      uint64                     // of the order of questions
	Precision float64                    // stop once the accuracy on the pool is known this well; 0: ask everything
	Pool      func(votes.Counted) bool   // which questions are meant; nil: all with known credit
	Kind      func(votes.Counted) string // what the order is spread over; nil: agents and families
}

// Judgement is how good a critic was found to be.
type Judgement struct {
	Judged    string   `json:"judged"`             // the annotator
	Viewpoint string   `json:"viewpoint"`          // whose words it read
	Truth     string   `json:"truth"`              // what credit was measured by: "exact", or "bound: …"
	Scores    []Score  `json:"scores"`             // all together, then each agent
	Families  []Score  `json:"families,omitempty"` // by family of situations
	Verdict   Verdict  `json:"verdict"`
	Pool      int      `json:"pool"`             // questions there are
	Asked     int      `json:"asked"`            // of them
	OnPool    Interval `json:"accuracy_on_pool"` // 95 % interval of the accuracy, had all been asked; right at whichever look asking stopped
	Precision float64  `json:"precision"`        // that asking stopped at; 0: it didn't
	Spending
	Seconds   float64 `json:"seconds"` // this run took
	Unasked   int     `json:"unasked"` // votes that weren't had
	Stopped   string  `json:"stopped,omitempty"`
	LastError string  `json:"last_error,omitempty"`

	Counted []votes.Counted `json:"-"` // what was scored
}

// Spending is what an annotator's votes took, over all runs. Replies that
// another annotator had paid for took nothing.
type Spending struct {
	Requests int     `json:"requests"`
	Tokens   int64   `json:"tokens"`
	Cost     float64 `json:"cost,omitempty"`     // money, where prices were known
	Currency string  `json:"currency,omitempty"` // "" where none was
}

// Judge asks a critic about the transitions of a file, in an order that is
// drawn from the seed and spread over kinds of situations, until its accuracy
// is known well enough, and scores it. Votes are kept in the file, and those
// that are there aren't asked again. It returns an error wrapping ErrTruth
// where no credit is known; the judgement is right, for what was asked, when
// the error is another.
func Judge(ctx context.Context, db *votes.DB, critic shaping.Critic, opt JudgeOptions) (Judgement, error) {
	if !(opt.Precision >= 0 && opt.Precision < 1) {
		return Judgement{}, fmt.Errorf("study: the precision is a share from 0 up to 1, got %v", opt.Precision)
	}
	if opt.View == "" {
		opt.View = "guided"
	}
	opt.Queries = max(opt.Queries, 1)
	world, err := db.World(ctx)
	if err != nil {
		return Judgement{}, err
	}
	j := &judging{db: db, critic: critic, opt: opt, agents: world.Agents, start: time.Now()}
	j.out = Judgement{Judged: votes.Name(critic, opt.View), Viewpoint: opt.View, Precision: opt.Precision}
	if j.out.Truth, err = truthOf(ctx, db); err != nil {
		return j.out, err
	}
	if err := j.draw(ctx); err != nil {
		return j.out, err
	}
	err = j.run(ctx)
	j.out.Seconds = math.Round(time.Since(j.start).Seconds()*1000) / 1000
	return j.out, err
}

// judging is one run of Judge.
type judging struct {
	db     *votes.DB
	critic shaping.Critic
	opt    JudgeOptions
	agents []string
	start  time.Time
	order  []votes.Side
	out    Judgement

	everything bool // is to be counted
}

// truthOf says what the credit of a file was measured by.
func truthOf(ctx context.Context, db *votes.DB) (string, error) {
	collections, err := db.Collections(ctx)
	var all []string
	for _, c := range collections {
		if !slices.Contains(all, c.Solver) {
			all = append(all, c.Solver)
		}
	}
	return strings.Join(all, "; "), err
}

// draw puts the questions with known credit in order.
func (j *judging) draw(ctx context.Context) error {
	examples, err := j.db.Examples(ctx, j.opt.Team)
	if err != nil {
		return err
	}
	kind := j.opt.Kind
	if kind == nil {
		kind = func(c votes.Counted) string { return fmt.Sprintf("%d %s", c.Agent, c.Family) }
	}
	examples = slices.DeleteFunc(examples, func(c votes.Counted) bool { return math.IsNaN(c.Truth) || j.opt.Pool != nil && !j.opt.Pool(c) })
	if len(examples) == 0 {
		return fmt.Errorf("%w: %s", ErrTruth, j.out.Truth)
	}
	all := j.opt.LabelOptions
	all.Only = sidesOf(examples)
	plan, err := j.db.Plan(ctx, j.out.Judged, all)
	if err != nil {
		return err
	}
	j.everything = j.opt.Precision == 0 || plan.Unasked == 0 // what is there costs nothing
	examples = spread(examples, kind, j.opt.Seed)
	if !j.everything {
		even := slices.DeleteFunc(slices.Clone(examples), func(c votes.Counted) bool { return c.Truth != 0 })
		examples = slices.DeleteFunc(examples, func(c votes.Counted) bool { return c.Truth == 0 })
		keep := min(len(even), max(len(examples)/evenShare, 1))
		examples = spread(append(examples, even[:keep]...), func(c votes.Counted) string { return fmt.Sprint(c.Truth == 0, kind(c)) }, j.opt.Seed)
	}
	j.order, j.out.Pool = sidesOf(examples), len(examples)
	return nil
}

// evenShare bounds the questions without credit, which say nothing of the
// accuracy: one to so many with credit.
const evenShare = 4

// spread puts questions in the order that stratified draws.
func spread(of []votes.Counted, kind func(votes.Counted) string, seed uint64) []votes.Counted {
	kinds := make([]string, len(of))
	for i, c := range of {
		kinds[i] = kind(c)
	}
	out := make([]votes.Counted, 0, len(of))
	for _, i := range stratified(kinds, seed) {
		out = append(out, of[i])
	}
	return out
}

func sidesOf(of []votes.Counted) []votes.Side {
	out := make([]votes.Side, len(of))
	for i, c := range of {
		out[i] = votes.Side{Transition: c.Transition, Agent: c.Agent}
	}
	return out
}

// run asks, look by look.
func (j *judging) run(ctx context.Context) error {
	schedule := looks(len(j.order))
	level := lookLevel(schedule)
	if j.everything {
		schedule = schedule[len(schedule)-1:]
	}
	for i, n := range schedule {
		opt := j.opt.LabelOptions
		opt.Only = j.order[:n]
		report, asking := j.db.Label(ctx, j.critic, opt)
		j.out.Unasked, j.out.Stopped, j.out.LastError = report.Unasked, report.Stopped, report.LastError
		if err := j.score(context.WithoutCancel(ctx), n, level); err != nil {
			return errors.Join(asking, err)
		}
		if asking != nil || report.Stopped != "" || i == len(schedule)-1 || j.known() {
			return asking
		}
	}
	return nil
}

// known says whether the accuracy is known well enough.
func (j *judging) known() bool {
	s := j.out.Scores[0]
	return s.Right+s.Wrong > 0 && j.out.OnPool.within(s.Accuracy, j.opt.Precision)
}

// score counts what is known after n questions.
func (j *judging) score(ctx context.Context, n int, level float64) error {
	counts, err := j.db.Counts(ctx, j.out.Judged, j.opt.Team, j.opt.Queries)
	if err != nil {
		return err
	}
	asked := make(map[votes.Side]bool, n)
	for _, s := range j.order[:n] {
		asked[s] = true
	}
	counts = slices.DeleteFunc(counts, func(c votes.Counted) bool { return !asked[votes.Side{Transition: c.Transition, Agent: c.Agent}] })
	o := &j.out
	o.Counted, o.Asked = counts, len(counts)
	o.Scores = ScoreVotes(counts, j.agents)
	o.Families = ScoreGroups(counts, func(c votes.Counted) string { return c.Family })
	s := o.Scores[0]
	o.Verdict, o.OnPool = s.Verdict, poolInterval(s.Right, s.Right+s.Wrong, o.Asked, o.Pool, level)
	return j.spent(ctx)
}

// spent reads what the annotator's votes took.
func (j *judging) spent(ctx context.Context) error {
	all, err := j.db.Spendings(ctx)
	j.out.Spending = Spending{}
	for _, s := range all {
		if s.Annotator != j.out.Judged {
			continue
		}
		j.out.Requests += s.Requests
		j.out.Tokens += s.PromptTokens + s.CompletionTokens
		if s.Currency != "" {
			j.out.Cost, j.out.Currency = j.out.Cost+s.Cost, s.Currency
		}
	}
	return err
}

// JudgeModel scores the sign of a fitted model's Δσ on every question with known
// credit. It returns an error wrapping ErrTruth where there is none.
func JudgeModel(ctx context.Context, db *votes.DB, model shaping.Potential, team bool, name string) (Judgement, error) {
	out := Judgement{Judged: name}
	world, err := db.World(ctx)
	if err != nil {
		return out, err
	}
	if out.Truth, err = truthOf(ctx, db); err != nil {
		return out, err
	}
	examples, err := db.Examples(ctx, team)
	if err != nil {
		return out, err
	}
	out.Scores = ScoreModel(model, examples, world.Agents, false)
	s := out.Scores[0]
	if s.Questions == 0 {
		return out, fmt.Errorf("%w: %s", ErrTruth, out.Truth)
	}
	out.Verdict, out.Pool, out.Asked, out.OnPool = s.Verdict, s.Questions, s.Questions, Interval{s.Accuracy, s.Accuracy}
	return out, nil
}
