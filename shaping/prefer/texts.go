package prefer

import "math"

// Texts says how far votes are independent of each other.
//
// Correlation is the intraclass correlation of single votes, texts being the
// classes: (B − W)/(B + (n₀ − 1)·W) with B and W the mean squares between and
// within texts and n₀ = (N − Σn²/N)/(texts − 1) (Donner 1986). Where exact
// credit is known it is of right and wrong (Of "errors"; ties, and questions
// without credit, left out): 0 where mistakes are independent, so that asking
// more helps, 1 where equal words get equal mistakes. Where credit is unknown
// it is of the votes themselves (Of "votes": 0, ½ and 1), and is high as well
// where words say enough for a critic to be right. It is absent where all votes
// are alike or no text was voted on twice.
type Texts struct {
	Distinct    int       `json:"distinct"`
	Effective   float64   `json:"effective"` // (Σn)²/Σn² over the texts: as many, voted on equally often
	Correlation *Estimate `json:"correlation,omitempty"`
	Of          string    `json:"of"`
	Votes       float64   `json:"effective_votes"` // N/(1 + (Σn²/N − 1)·correlation): as many independent ones; an absent correlation counts as 1
}

// What Texts.Correlation is of.
const (
	OfErrors = "errors"
	OfVotes  = "votes"
)

// TextVotes are the votes on one question: their number, sum and sum of squares.
type TextVotes struct {
	Text           int64 // 0: unknown
	N, Sum, Square float64
}

// NewTexts describes the texts of all readable votes, with the correlation of
// those of them that compared holds, and what these are. It is nil where no
// text is known.
func NewTexts(all, compared []TextVotes, of string) *Texts {
	known, classes := byText(all)
	if !known {
		return nil
	}
	var n, square float64
	for _, c := range classes {
		n += c.N
		square += float64(c.N * c.N)
	}
	t := &Texts{Distinct: len(classes), Effective: round(n * n / square), Of: of}
	correlation := 1.0
	_, classes = byText(compared)
	if v := intraclass(classes, ones(len(classes))); !math.IsNaN(v) {
		e := bootstrap(len(classes), func(times []float64) float64 { return intraclass(classes, times) })
		t.Correlation, correlation = &e, max(v, 0)
	}
	t.Votes = round(n / (1 + (square/n-1)*correlation))
	return t
}

// byText sums up questions of equal text, without those that have no vote.
func byText(questions []TextVotes) (known bool, classes []TextVotes) {
	var texts []int64
	var voted []TextVotes
	for _, q := range questions {
		if q.N > 0 {
			texts, voted = append(texts, q.Text), append(voted, q)
			known = known || q.Text != 0
		}
	}
	of, n := numbered(texts)
	classes = make([]TextVotes, n)
	for i, k := range of {
		c := &classes[k]
		c.Text = voted[i].Text
		c.N += voted[i].N
		c.Sum += voted[i].Sum
		c.Square += voted[i].Square
	}
	return known, classes
}

// intraclass is the correlation within classes, each taken so many times; NaN
// where there is none.
func intraclass(classes []TextVotes, times []float64) float64 {
	var k, n, n2, sum, square, between float64
	for i, c := range classes {
		w := times[i]
		k += w
		n += w * c.N
		n2 += float64(w * c.N * c.N)
		sum += w * c.Sum
		square += w * c.Square
		between += float64(w * c.Sum * c.Sum / c.N)
	}
	b := (between - float64(sum*sum/n)) / (k - 1)
	within := (square - between) / (n - k)
	return (b - within) / (b + float64(((n-n2/n)/(k-1)-1)*within))
}

func ones(n int) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = 1
	}
	return out
}
