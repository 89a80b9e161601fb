package report_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/xml"
	"errors"
	"fmt"
	"html"
	"image"
	"image/png"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marlpit/envs"
	"marlpit/shaping"
	"marlpit/shaping/prefer"
	"marlpit/shaping/shapingtest"
	"marlpit/shaping/study"
	"marlpit/shaping/study/report"
	"marlpit/shaping/votes"
)

var (
	ctx      = context.Background()
	registry = envs.NewRegistry(roomEntry)
)

// hostile is text that would do something were it markup.
const hostile = `<script>alert("x")</script><img src=x onerror=alert(1)>`

// files makes a vote file of the room, labelled by an oracle that is wrong at
// times, and a model fitted to it.
func files(t *testing.T, errorRate float64) (votesPath, modelPath string) {
	t.Helper()
	dir := t.TempDir()
	votesPath, modelPath = filepath.Join(dir, "votes.db"), filepath.Join(dir, "room.credit")
	got, err := study.Collect(ctx, roomEntry, nil, study.CollectOptions{Transitions: 150, Steps: 400, Copies: 8})
	require.NoError(t, err)
	db, err := votes.Create(ctx, votesPath)
	require.NoError(t, err)
	defer func() { require.NoError(t, db.Close()) }()
	_, err = db.Add(ctx, got.World, got.Collection, got.Transitions)
	require.NoError(t, err)
	_, err = db.Label(ctx, &shaping.Oracle{ErrorRate: errorRate, Seed: 1}, votes.LabelOptions{Queries: 3})
	require.NoError(t, err)
	model, _, err := study.Fit(ctx, db, study.FitOptions{Name: "room", CreatedBy: "test"})
	require.NoError(t, err)
	saveModel(t, modelPath, model)
	return votesPath, modelPath
}

func saveModel(t *testing.T, path string, m *prefer.Model) {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, m.Save(&b))
	require.NoError(t, os.WriteFile(path, b.Bytes(), 0o600))
}

func render(t *testing.T, opt report.Options) (string, report.Summary) {
	t.Helper()
	opt.Registry, opt.CreatedBy = registry, "marlpit test"
	var b bytes.Buffer
	sum, err := report.Write(ctx, &b, opt)
	require.NoError(t, err)
	page := b.String()
	selfContained(t, page)
	return page, sum
}

// selfContained checks that a page is well-formed (every element closed, as XML
// with HTML's void elements has it), runs nothing and loads nothing.
func selfContained(t *testing.T, page string) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(page))
	d.Strict, d.AutoClose, d.Entity = false, []string{"meta", "br", "img"}, xml.HTMLEntity
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		require.NoError(t, err)
		e, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		require.NotContains(t, []string{"script", "link", "iframe", "object", "embed", "base", "form"}, e.Name.Local)
		for _, a := range e.Attr {
			require.False(t, strings.HasPrefix(a.Name.Local, "on"), "handler %s", a.Name.Local)
			if a.Name.Local == "src" || a.Name.Local == "href" {
				require.Regexp(t, `^(#|data:image/png;base64,)`, a.Value)
			}
		}
	}
	assert.NotContains(t, page, "<script")
	assert.NotContains(t, page, "ZgotmplZ", "a value the template refused")
	assert.NotContains(t, page, "%!")
	assert.NotContains(t, page, "NaN")
	assert.NotContains(t, page, "://")
}

func TestPageOfVotesAndModel(t *testing.T) {
	votesPath, modelPath := files(t, 0.25)
	page, sum := render(t, report.Options{Votes: votesPath, Model: modelPath})
	assert.Equal(t, report.Summary{Env: "test-room-v1", Annotators: []string{"oracle error_rate=0.25 noise=iid seed=1 viewpoint=guided"},
		Model: "room", Pictures: true, Notes: []string{}}, sum)

	// The numbers are those of the packages that count them.
	db, err := votes.Open(ctx, votesPath)
	require.NoError(t, err)
	counts, err := db.Counts(ctx, sum.Annotators[0], false, 0)
	require.NoError(t, err)
	require.NoError(t, db.Close())
	score := study.ScoreVotes(counts, []string{"walker_0", "walker_1"})[0]
	assert.Contains(t, page, fmt.Sprintf("<td>%.1f\u202f%%</td><td>%.0f – %.0f\u202f%%</td>", 100*score.Accuracy, 100*score.Low, 100*score.High))
	assert.Greater(t, score.Wrong, 5)
	for _, text := range []string{"3\u202f200<small>to be charged", "<td>rest</td>", "<td>walk</td>", "exact: least remaining work",
		"max_cycles <b>50</b>", "Calibration", "Ensemble", "lamp lit", "at the start", "on a path of least work",
		"guided words of walker_0 &amp; its goal", "plain words of walker_1", "Votes against credit: oracle", "Model against votes"} {
		assert.Contains(t, page, text)
	}
	// A map for each agent at the start and with the lamp lit, a tile a column;
	// but for one that is closed at the start.
	assert.Equal(t, 4, strings.Count(page, `aria-label="σ over places`))
	assert.Equal(t, 4*roomWidth-1, strings.Count(page, "<title>σ/sd = "))
	assert.Equal(t, 4, strings.Count(page, `stroke="#fff" stroke-width="4"`), "one best tile a map")
	assert.Greater(t, len(pictures(t, page)), 20)
	assert.Less(t, len(page), 1_000_000)

	mapsShowSigma(t, page, modelPath)

	again, _ := render(t, report.Options{Votes: votesPath, Model: modelPath})
	assert.Equal(t, page, again, "equal files, equal pages")
}

// mapsShowSigma checks the numbers of the maps of walker 0: σ with it in each
// column, at the start (where the lamp burns as soon as it is at the end) and
// with the lamp lit.
func mapsShowSigma(t *testing.T, page, modelPath string) {
	t.Helper()
	f, err := os.Open(modelPath)
	require.NoError(t, err)
	defer func() { require.NoError(t, f.Close()) }()
	m, err := prefer.Load(f)
	require.NoError(t, err)
	tips := regexp.MustCompile(`<title>σ/sd = ([−+.0-9]+)</title>`).FindAllStringSubmatch(html.UnescapeString(page), -1)
	require.Len(t, tips, 4*roomWidth-1)
	for i := range 2 * roomWidth {
		column, lit := i%roomWidth, i >= roomWidth || i == roomWidth-1
		x := make([]float32, 2*roomWidth+1)
		x[column], x[roomWidth], x[2*roomWidth] = 1, 1, flag(lit)
		if m.Input(0) == shaping.Focus {
			x = x[:roomWidth]
		}
		shown, err := strconv.ParseFloat(strings.ReplaceAll(tips[i][1], "−", "-"), 64)
		require.NoError(t, err)
		assert.InDelta(t, float64(m.Value(0, x))/m.SD(0), shown, 0.0051, "column %d", column)
	}
}

// pictures decodes all pictures of a page.
func pictures(t *testing.T, page string) (out []image.Image) {
	t.Helper()
	for _, m := range regexp.MustCompile(`data:image/png;base64,([A-Za-z0-9+/=&#;]+)`).FindAllStringSubmatch(page, -1) {
		raw, err := base64.StdEncoding.DecodeString(strings.ReplaceAll(m[1], "&#43;", "+"))
		require.NoError(t, err)
		img, err := png.Decode(bytes.NewReader(raw))
		require.NoError(t, err)
		assert.Equal(t, image.Rect(0, 0, roomWidth*roomTile, 2*roomTile), img.Bounds())
		out = append(out, img)
	}
	return out
}

func TestPageOfAModelAlone(t *testing.T) {
	_, modelPath := files(t, 0)
	page, sum := render(t, report.Options{Model: modelPath})
	assert.Equal(t, report.Summary{Env: "test-room-v1", Annotators: []string{}, Model: "room", Pictures: true, Notes: []string{}}, sum)
	assert.Equal(t, 4, strings.Count(page, `aria-label="σ over places`))
	assert.NotContains(t, page, `id="annotators"`)
	assert.NotContains(t, page, `id="worst"`)
	assert.Contains(t, page, "3\u202f200<small>to be charged")
}

func TestPageOfOneAnnotator(t *testing.T) {
	votesPath, _ := files(t, 0)
	db, err := votes.Open(ctx, votesPath)
	require.NoError(t, err)
	_, err = db.Label(ctx, shaping.Coin{Seed: 1}, votes.LabelOptions{})
	require.NoError(t, err)
	_, err = db.Label(ctx, shaping.Coin{Seed: 2}, votes.LabelOptions{Team: true})
	require.NoError(t, err)
	require.NoError(t, db.Close())
	page, sum := render(t, report.Options{Votes: votesPath, Annotator: "coin seed=1"})
	assert.Equal(t, []string{"coin seed=1 viewpoint=guided"}, sum.Annotators)
	assert.NotContains(t, page, "oracle")
	page, sum = render(t, report.Options{Votes: votesPath, Annotator: "coin seed=2"})
	assert.Len(t, sum.Annotators, 1)
	assert.Contains(t, page, "<td>team</td>")
	_, sum = render(t, report.Options{Votes: votesPath})
	assert.Len(t, sum.Annotators, 3)
}

// foreign is a file of somebody else's world: no pictures, snapshots, solver or
// families, and texts that would be markup.
func foreign(t *testing.T, state int) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "foreign.db")
	db, err := votes.Create(ctx, path)
	require.NoError(t, err)
	w := votes.World{Env: "spread " + hostile, Params: map[string]any{"p " + hostile: hostile}, Agents: []string{hostile, "agent_1"}, ObsVersion: 1, StateSize: 2}
	var ts []votes.Transition
	for i := range 30 {
		words := [2]string{fmt.Sprint(hostile, i), "back"}
		ts = append(ts, votes.Transition{StateA: make([]float32, state), StateB: []float32{1, float32(i)}, Agents: []votes.Agent{
			{Index: 0, Truth: math.NaN(), Guided: words, Plain: words, Family: hostile}, {Index: 1, Truth: math.NaN(), Plain: words},
			{Index: votes.Team, Truth: math.NaN()}}})
	}
	_, err = db.Add(ctx, w, votes.Collection{Policy: hostile, Frames: 30, Kept: 30, Solver: "none: " + hostile}, ts)
	require.NoError(t, err)
	critic := &shapingtest.Scripted{ID: "critic " + hostile, Say: func(q shaping.Question) (shaping.Answer, error) {
		if q.Key%3 == 0 {
			return shaping.Answer{Vote: shaping.Invalid, Reason: "no answer in " + hostile,
				Requests: []shaping.Request{{Body: []byte(hostile), Reply: []byte(hostile + "\xff\x00"), PromptTokens: 1000, CompletionTokens: 5}}}, nil
		}
		return shaping.Answer{Vote: shaping.Second, Confidence: 0.9}, nil
	}}
	_, err = db.Label(ctx, critic, votes.LabelOptions{View: "plain"})
	require.NoError(t, err)
	require.NoError(t, db.Close())
	return path
}

func TestForeignWorldsAndHostileTexts(t *testing.T) {
	path := foreign(t, 2)
	page, sum := render(t, report.Options{Votes: path})
	assert.False(t, sum.Pictures)
	require.Len(t, sum.Notes, 1)
	assert.Contains(t, sum.Notes[0], "this program has no world")
	escaped := "&lt;script&gt;alert(&#34;x&#34;)&lt;/script&gt;&lt;img src=x"
	assert.Greater(t, strings.Count(page, escaped), 10)
	for _, text := range []string{"no answer in " + escaped, "credit unknown", "Nobody knows the exact credit", "p " + escaped, "no price given"} {
		assert.Contains(t, page, text)
	}
	assert.Empty(t, pictures(t, page))
	assert.Regexp(t, `(?s)<th>for b</th>.*<td>agent_1</td><td>30</td><td>30</td><td>100.0\x{202f}%</td><td>0.0\x{202f}%</td>`, page)
}

func TestUnusableInput(t *testing.T) {
	votesPath, modelPath := files(t, 0)
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		return path
	}
	model, err := os.ReadFile(modelPath)
	require.NoError(t, err)
	empty, err := votes.Create(ctx, filepath.Join(dir, "empty.db"))
	require.NoError(t, err)
	require.NoError(t, empty.Close())
	for _, c := range []struct {
		says string
		opt  report.Options
	}{
		{"neither a vote file nor a model", report.Options{}},
		{"no such file", report.Options{Votes: filepath.Join(dir, "none")}},
		{"is neither a vote file", report.Options{Votes: write("text", "just text")}},
		{"is neither a vote file", report.Options{Votes: write("nothing", "")}},
		{"is neither a vote file", report.Options{Model: dir + "/text"}},
		{"is a directory", report.Options{Model: dir}},
		{"is a model, a vote file", report.Options{Votes: modelPath}},
		{"is a vote file, a model", report.Options{Model: votesPath}},
		{"SQLite", report.Options{Votes: write("broken.db", "SQLite format 3\x00 and then nonsense")}},
		{"bad model file", report.Options{Model: write("cut.credit", string(model[:len(model)-3]))}},
		{"no transitions yet", report.Options{Votes: filepath.Join(dir, "empty.db")}},
		{"none matches", report.Options{Votes: votesPath, Annotator: "human"}},
		{"no vote file", report.Options{Model: modelPath, Annotator: "oracle"}},
		{"model of another world", report.Options{Votes: foreign(t, 2), Model: modelPath}},
		{"transition 1, agent 0: state_a: 3 numbers, want 2", report.Options{Votes: foreign(t, 3)}},
	} {
		var out bytes.Buffer
		_, err := report.Write(ctx, &out, c.opt)
		require.ErrorIs(t, err, report.ErrInput, c.says)
		assert.Contains(t, strings.ReplaceAll(err.Error(), "file is not a database", "SQLite"), c.says)
		assert.Zero(t, out.Len(), "nothing was written")
	}
	ended, cancel := context.WithCancel(ctx)
	cancel()
	_, err = report.Write(ended, io.Discard, report.Options{Votes: votesPath})
	require.ErrorIs(t, err, context.Canceled)
	assert.NotErrorIs(t, err, report.ErrInput)
}
