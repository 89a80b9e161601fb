package study

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"marlpit/shaping/prefer"
	"marlpit/shaping/process"
)

// RoundScore is how well a critic's scores agree with what is right. A score
// above one half says right, one below says wrong, and one half is undecided.
// Proposals that can't be played aren't counted: nobody is asked about them.
type RoundScore struct {
	Of        string  `json:"of"`        // "all", or an app's or a template's name
	Rounds    int     `json:"rounds"`    // with a valid answer
	Invalid   int     `json:"invalid"`   // rounds whose answer can't be used
	Proposals int     `json:"proposals"` // of valid answers, those that can be played
	Agreed    int     `json:"agreed"`    // of them: said what is so
	Differed  int     `json:"differed"`  // said the opposite
	Undecided int     `json:"undecided"`
	Accuracy  float64 `json:"accuracy"` // agreed / (agreed + differed); 0 where nothing was decided
	Low       float64 `json:"low"`      // Wilson's 95 % interval of the accuracy, proposals of a round taken together
	High      float64 `json:"high"`
	OnRight   Share   `json:"on_right"`   // accuracy on right proposals
	OnWrong   Share   `json:"on_wrong"`   // accuracy on wrong ones
	MeanRight float64 `json:"mean_right"` // mean score of right proposals
	MeanWrong float64 `json:"mean_wrong"` // and of wrong ones
	Verdict   Verdict `json:"verdict"`    // by what it says of right and of wrong ones together: always the same is blind

	cluster []int64 // (agreed + differed,) round
	agree   []bool
	groups  [2]tally // of wrong and of right proposals
}

// tally collects the proposals that are wrong, or those that are right.
type tally struct {
	cluster []int64
	agree   []bool
	sum     float64
	n       int
}

// Share is a part of a number with its 95 % interval.
type Share struct {
	Part int     `json:"part"`
	Of   int     `json:"of"`
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// RoundJudgement is how good a critic of rounds was found to be.
type RoundJudgement struct {
	process.Report
	Scores    []RoundScore `json:"scores"`    // all together
	Apps      []RoundScore `json:"apps"`      // by the app in front
	Templates []RoundScore `json:"templates"` // by the task's template
	Verdict   Verdict      `json:"verdict"`
	Flips     *Share       `json:"flips,omitempty"` // proposals of which something else was said where they stood in the opposite order; nil: not looked at
}

// JudgeRounds has a critic score rounds of which it is known what is right, and
// compares. Answers are kept in db, and those that are there aren't asked for
// again. With both, each round is put a second time with its proposals in the
// opposite order, to see what their place does. It returns an error wrapping
// ErrTruth where nothing is known, or that of process.Run.
func JudgeRounds(ctx context.Context, db *process.DB, critic process.Critic, records []*process.Record, both bool, opt process.RunOptions) (RoundJudgement, error) {
	var out RoundJudgement
	known := slices.DeleteFunc(slices.Clone(records), func(r *process.Record) bool { return r.Right == nil })
	if len(known) == 0 {
		return out, fmt.Errorf("%w: of none of %d rounds it is known what is right", ErrTruth, len(records))
	}
	ask, turned := slices.Clone(known), map[process.Key]*process.Record{}
	if both {
		for _, r := range known {
			t, err := reversed(r)
			if err != nil {
				return out, err
			}
			turned[r.Key()] = t
			ask = append(ask, t)
		}
	}
	var err error
	if out.Report, err = process.Run(ctx, db, critic, ask, opt); err != nil {
		return out, err
	}
	return out, out.score(ctx, db, known, turned)
}

// reversed is a round with its proposals in the opposite order.
func reversed(r *process.Record) (*process.Record, error) {
	turned := r.Round
	turned.Proposals = slices.Clone(r.Proposals)
	slices.Reverse(turned.Proposals)
	b, err := json.Marshal(turned)
	if err != nil {
		return nil, err
	}
	out, err := process.ParseRecord(b)
	if err != nil {
		return nil, err
	}
	out.Right = slices.Clone(r.Right)
	slices.Reverse(out.Right)
	return out, nil
}

func (j *RoundJudgement) score(ctx context.Context, db *process.DB, known []*process.Record, turned map[process.Key]*process.Record) error {
	all, apps, templates := &RoundScore{Of: "all"}, map[string]*RoundScore{}, map[string]*RoundScore{}
	seen := map[process.Key]bool{}
	for _, r := range known {
		if seen[r.Key()] {
			continue
		}
		seen[r.Key()] = true
		a, ok, err := db.Find(ctx, j.Critic, r)
		if err != nil {
			return err
		}
		if !ok {
			continue
		}
		for _, s := range []*RoundScore{all, of(apps, r.App), of(templates, r.Template)} {
			s.add(r, a)
		}
		if t := turned[r.Key()]; t != nil {
			if err := j.compare(ctx, db, r, t, a); err != nil {
				return err
			}
		}
	}
	all.finish()
	j.Scores, j.Verdict = []RoundScore{*all}, all.Verdict
	j.Apps, j.Templates = finished(apps), finished(templates)
	if j.Flips != nil {
		j.Flips.Low, j.Flips.High = prefer.Wilson(j.Flips.Part, j.Flips.Of)
	}
	return nil
}

func of(groups map[string]*RoundScore, name string) *RoundScore {
	if groups[name] == nil {
		groups[name] = &RoundScore{Of: name}
	}
	return groups[name]
}

func finished(groups map[string]*RoundScore) []RoundScore {
	out := []RoundScore{}
	for _, name := range slices.Sorted(maps.Keys(groups)) {
		groups[name].finish()
		out = append(out, *groups[name])
	}
	return out
}

// compare counts what the opposite order changed.
func (j *RoundJudgement) compare(ctx context.Context, db *process.DB, r, turned *process.Record, a process.Answer) error {
	b, ok, err := db.Find(ctx, j.Critic, turned)
	if err != nil || !ok || !a.Valid() || !b.Valid() {
		return err
	}
	if j.Flips == nil {
		j.Flips = &Share{}
	}
	n := len(a.Scores)
	for i, x := range a.Scores {
		if r.Proposals[i].Wasted() {
			continue
		}
		j.Flips.Of++
		if said(x) != said(b.Scores[n-1-i]) {
			j.Flips.Part++
		}
	}
	return nil
}

// said is 1 for right, −1 for wrong and 0 for undecided.
func said(score float64) int {
	switch {
	case score > 0.5:
		return 1
	case score < 0.5:
		return -1
	}
	return 0
}

func (s *RoundScore) add(r *process.Record, a process.Answer) {
	if !a.Valid() {
		s.Invalid++
		return
	}
	s.Rounds++
	k := r.Key()
	cluster := int64(binary.LittleEndian.Uint64(k[:8])) | 1 // 0 would stand for one of its own
	for i, right := range r.Right {
		if r.Proposals[i].Wasted() {
			continue
		}
		s.Proposals++
		g := &s.groups[0]
		if right {
			g = &s.groups[1]
		}
		g.sum, g.n = g.sum+a.Scores[i], g.n+1
		verdict := said(a.Scores[i])
		if verdict == 0 {
			s.Undecided++
			continue
		}
		agree := (verdict == 1) == right
		s.cluster, s.agree = append(s.cluster, cluster), append(s.agree, agree)
		g.cluster, g.agree = append(g.cluster, cluster), append(g.agree, agree)
		if agree {
			s.Agreed++
		} else {
			s.Differed++
		}
	}
}

// finish fills in what follows from the counts.
func (s *RoundScore) finish() {
	s.Accuracy = ratio(s.Agreed, s.Agreed+s.Differed)
	s.Low, s.High = roundInterval(s.cluster, s.agree)
	s.OnWrong, s.OnRight = s.groups[0].share(), s.groups[1].share()
	s.MeanWrong, s.MeanRight = s.groups[0].mean(), s.groups[1].mean()
	decided := s.Agreed + s.Differed
	switch {
	case decided == 0 && s.Undecided == 0:
		s.Verdict = Nothing
	case s.OnRight.Of < MinDecidable || s.OnWrong.Of < MinDecidable:
		s.Verdict = TooFew
		if decided == 0 {
			s.Verdict = Blind
		}
	case s.OnRight.Low+s.OnWrong.Low > 1:
		s.Verdict = Usable
	case s.OnRight.High+s.OnWrong.High < 1:
		s.Verdict = Reversed
	default:
		s.Verdict = Blind
	}
}

func (t tally) share() Share {
	out := Share{Of: len(t.agree)}
	for _, a := range t.agree {
		if a {
			out.Part++
		}
	}
	out.Low, out.High = roundInterval(t.cluster, t.agree)
	return out
}

func (t tally) mean() float64 {
	if t.n == 0 {
		return 0
	}
	return t.sum / float64(t.n)
}

func roundInterval(cluster []int64, agree []bool) (low, high float64) {
	if len(agree) == 0 {
		return 0, 1
	}
	return prefer.Clustered(cluster, agree)
}
