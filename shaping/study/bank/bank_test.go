package bank

import (
	"bytes"
	"compress/gzip"
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marlpit/envs/catalog"
	"marlpit/shaping"
	"marlpit/shaping/llm"
	"marlpit/shaping/study"
	"marlpit/shaping/votes"
)

var freeze = flag.Bool("freeze", false, "draw the public bank, once and for all")

var ctx = context.Background()

// publicSeed is what the public bank was drawn from, by the program of its day.
const publicSeed = 2026

func TestFreeze(t *testing.T) {
	if !*freeze {
		t.Skip("the bank is frozen")
	}
	b, err := Draw(ctx, catalog.All(), publicSeed, nil)
	require.NoError(t, err)
	text, err := lines(b.Items)
	require.NoError(t, err)
	var z bytes.Buffer
	w, err := gzip.NewWriterLevel(&z, gzip.BestCompression)
	require.NoError(t, err)
	_, err = w.Write(text)
	require.NoError(t, err)
	require.NoError(t, w.Close())
	require.NoError(t, os.WriteFile("v1.jsonl.gz", z.Bytes(), 0o644))
	t.Logf("v1SHA256 = %q, %d bytes, %d compressed", b.SHA256, len(text), z.Len())
	for _, p := range llm.Prompts() {
		t.Logf("%q: %q,", p.Name, p.Hash)
	}
}

// wellMade checks what every bank promises.
func wellMade(t *testing.T, b *Bank) {
	t.Helper()
	count := map[string]int{}
	texts := map[string]bool{}
	for _, i := range b.Items {
		require.NotEqual(t, i.Forward, i.Backward, i.ID)
		for _, text := range []string{i.Forward, i.Backward} {
			require.False(t, texts[text], "%s: a text is there twice: %s", i.ID, text)
			texts[text] = true
			require.Contains(t, text, i.Agent)
		}
		require.Equal(t, i.View == "guided", !bytes.Contains([]byte(i.Forward), []byte("\nBefore: ")), i.ID)
		count[i.View]++
		count[i.View+" "+i.World]++
		count[fmt.Sprint(i.View, " ", sign(i.Truth))]++
		count[i.View+" "+i.Clothes]++
		count["size "+i.World+fmt.Sprint(i.Params)]++
	}
	for _, view := range []string{"guided", "plain"} {
		assert.Equal(t, perView, count[view])
		assert.Equal(t, evenPerView, count[view+" 0"])
		assert.Equal(t, perView/2, count[view+" two-switch-v1"])
		assert.Equal(t, perView/2, count[view+" victim-rubble-v1"])
		assert.InDelta(t, perView/2, count[view+" own"], 30)
		assert.InDelta(t, (perView-evenPerView)/2, count[view+" 1"], 1, "always the same answer is right half the time")
		for _, c := range wardrobe {
			assert.InDelta(t, perView/6, count[view+" "+c.name], 30)
		}
	}
	sizes := 0
	for k := range count {
		if len(k) > 5 && k[:5] == "size " {
			sizes++
		}
	}
	assert.GreaterOrEqual(t, sizes, 10)
}

func TestPublicBankIsWhatItWas(t *testing.T) {
	b, err := Public()
	require.NoError(t, err)
	assert.Nil(t, b.Seed)
	assert.Equal(t, "v1", b.Name())
	wellMade(t, b)
	again, err := lines(b.Items)
	require.NoError(t, err)
	assert.Equal(t, v1SHA256, hash(again))
}

// A bank of another seed is of the same make and has no text of the public one.
func TestHiddenBank(t *testing.T) {
	public, err := Public()
	require.NoError(t, err)
	hidden, err := Draw(ctx, catalog.All(), 7, public)
	require.NoError(t, err)
	wellMade(t, hidden)
	assert.Equal(t, "v1 seed 7", hidden.Name())
	known := map[string]bool{}
	for _, i := range public.Items {
		known[i.Forward], known[i.Backward] = true, true
	}
	for _, i := range hidden.Items {
		require.False(t, known[i.Forward] || known[i.Backward], i.ID)
	}
}

func TestPromptsAreFrozen(t *testing.T) {
	require.NotEmpty(t, frozen)
	for _, p := range llm.Prompts() {
		if hash, ok := frozen[p.Name]; ok {
			assert.Equal(t, hash, p.Hash, "%s: a change is a new version", p.Name)
		}
	}
	got, err := Prompts("openai model=m ask=fr threshold=0.1 prompts=fr-v1 viewpoint=plain")
	require.NoError(t, err)
	assert.Equal(t, map[string]string{"fr-v1": frozen["fr-v1"]}, got)
	got, err = Prompts("rule version=1 viewpoint=plain")
	require.NoError(t, err)
	assert.Empty(t, got)
}

func TestClothesComeOffAgain(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"An agent steps: Agent_0 is an engineer, two steps away from switch A.", "A robot hops: Robot_0 is a digger, two hops away from lever A."},
		{"keybearer_0 is the key-bearer", "gatekeeper_0 is the gate-keeper"},
	} {
		got, err := wardrobe[0].dress(c.text)
		require.NoError(t, err)
		assert.Equal(t, c.want, got)
	}
	_, err := wardrobe[0].dress("a robot beside an agent")
	require.ErrorIs(t, err, ErrBank, "two words would become one")
}

func filled(t *testing.T, b *Bank) *votes.DB {
	t.Helper()
	db, err := votes.Create(ctx, filepath.Join(t.TempDir(), "bench.db"))
	require.NoError(t, err)
	t.Cleanup(func() { _ = db.Close() })
	require.NoError(t, b.Fill(ctx, db))
	return db
}

func TestJudgeOnTheBank(t *testing.T) {
	b, err := Public()
	require.NoError(t, err)
	db := filled(t, b)
	require.NoError(t, b.Fill(ctx, db), "it is there already")
	collections, err := db.Collections(ctx)
	require.NoError(t, err)
	assert.Len(t, collections, 1)

	for view, c := range map[string]struct {
		critic shaping.Critic
		least  float64
		most   float64
	}{"guided": {shaping.NewRule(), 0.9, 1}, "plain": {&shaping.Oracle{}, 1, 1}} {
		j, err := study.Judge(ctx, db, c.critic, b.Options(view))
		require.NoError(t, err)
		part := b.NewPart(j)
		s := part.Scores[0]
		assert.Equal(t, perView, s.Questions)
		assert.Equal(t, "exact", part.Truth)
		assert.GreaterOrEqual(t, s.Accuracy, c.least)
		assert.LessOrEqual(t, s.Accuracy, c.most)
		assert.Equal(t, evenPerView, s.Even+s.False)
		assert.Len(t, part.Worlds, 2)
		assert.Len(t, part.Clothes, 4)
		assert.Equal(t, s.Right+s.Wrong, s.Texts, "each text once")
	}
	opt := b.Options("plain")
	opt.Precision = 0.05
	j, err := study.Judge(ctx, db, shaping.Coin{}, opt)
	require.NoError(t, err)
	assert.LessOrEqual(t, j.Asked, 300, "what five points cost at most")
	assert.Equal(t, study.Blind, j.Verdict)

	other := *b
	other.SHA256 = "another"
	require.ErrorIs(t, other.Fill(ctx, db), votes.ErrWorld)
}

func TestResultsKeepToTheirBank(t *testing.T) {
	path := filepath.Join(t.TempDir(), "rule.json")
	r := Result{Name: "rule", SHA256: "a", Prompts: map[string]string{}, Guided: &Part{}}
	require.NoError(t, r.Save(path))
	require.NoError(t, Result{Name: "rule", SHA256: "a", Prompts: map[string]string{}, Plain: &Part{}}.Save(path))
	got, err := ReadResult(path)
	require.NoError(t, err)
	assert.NotNil(t, got.Guided)
	assert.NotNil(t, got.Plain)
	require.ErrorIs(t, Result{SHA256: "b", Prompts: map[string]string{}}.Save(path), ErrResult)
	require.ErrorIs(t, Result{SHA256: "a", Prompts: map[string]string{"fr-v1": "x"}}.Save(path), ErrResult)
	require.NoError(t, os.WriteFile(path, []byte("no JSON"), 0o600))
	require.ErrorIs(t, r.Save(path), ErrResult)
}
