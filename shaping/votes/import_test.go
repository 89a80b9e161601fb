package votes_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marlpit/shaping/votes"
)

const recordedHead = `{"marlpit_transitions":1,"env":"spread_v3","params":{"N":2,"name":"x","wind":true},"agents":["a","b"],"state_size":2,"focus_sizes":[1,2],"frames":100}`

// recordedLine is a transition of the state from to the state from+1.
func recordedLine(from int) string {
	words := fmt.Sprintf(`"guided":["f%d","b%d"],"plain":["pf","pb"]`, from, from)
	return fmt.Sprintf(`{"a":[%d,0.1],"b":[%d,0.1],"terminal":false,"agents":[{%s,"focus_a":[1],"focus_b":[2],"truth":1.5,"family":"near"},{%s,"focus_a":[1,2],"focus_b":[2,3],"truth":null}]}`,
		from, from+1, words, words)
}

func recording(lines ...string) io.Reader {
	return strings.NewReader(strings.Join(append([]string{recordedHead}, lines...), "\n"))
}

func TestReadRecording(t *testing.T) {
	alone := strings.Replace(recordedLine(2), `{"guided":["f2","b2"],"plain":["pf","pb"],"focus_a":[1],"focus_b":[2],"truth":1.5,"family":"near"}`, "null", 1)
	end := strings.Replace(strings.Replace(recordedLine(3), "false", "true", 1), `"agents"`, `"truth":-2,"agents"`, 1)
	w, c, ts, err := votes.ReadRecording(recording(recordedLine(1), alone, recordedLine(1), end+"\n"))
	require.NoError(t, err)
	assert.Equal(t, votes.World{
		Env: "spread_v3", Params: map[string]any{"N": 2.0, "name": "x", "wind": true}, Agents: []string{"a", "b"},
		ObsVersion: 1, StateSize: 2, FocusSizes: []int{1, 2},
	}, w)
	assert.Equal(t, votes.Collection{Policy: "recorded", Params: w.Params, Frames: 100, Changed: 4, Distinct: 3, Kept: 3, Solver: "as recorded"}, c)
	require.Len(t, ts, 3)
	assert.Equal(t, []float32{1, 0.1}, ts[0].StateA)
	assert.Equal(t, []float32{2, 0.1}, ts[0].StateB)
	assert.Equal(t, votes.Agent{Index: 0, Guided: [2]string{"f1", "b1"}, Plain: [2]string{"pf", "pb"}, FocusA: []float32{1}, FocusB: []float32{2}, Truth: 1.5, Family: "near"}, ts[0].Agents[0])
	assert.True(t, math.IsNaN(ts[0].Agents[1].Truth))
	assert.Equal(t, votes.Team, ts[0].Agents[2].Index)
	assert.Len(t, ts[1].Agents, 2, "agent 1 and the team")
	assert.Equal(t, 1, ts[1].Agents[0].Index)
	assert.False(t, ts[1].Terminal)
	assert.True(t, ts[2].Terminal)
	assert.Equal(t, -2.0, ts[2].Agents[2].Truth)
}

func TestARecordingCanBeAddedAndLabelled(t *testing.T) {
	w, c, ts, err := votes.ReadRecording(recording(recordedLine(1), recordedLine(2)))
	require.NoError(t, err)
	ctx := context.Background()
	db, err := votes.Create(ctx, filepath.Join(t.TempDir(), "votes.db"))
	require.NoError(t, err)
	defer func() { require.NoError(t, db.Close()) }()
	added, err := db.Add(ctx, w, c, ts)
	require.NoError(t, err)
	assert.Equal(t, 2, added)
	added, err = db.Add(ctx, w, c, ts)
	require.NoError(t, err)
	assert.Zero(t, added)
	got, err := db.World(ctx)
	require.NoError(t, err)
	assert.Equal(t, w, got)
	examples, err := db.Examples(ctx, false)
	require.NoError(t, err)
	require.Len(t, examples, 4)
	assert.Equal(t, []float32{2, 3}, examples[1].FocusB)
	assert.Equal(t, "near", examples[0].Family)
	assert.Equal(t, 1.5, examples[0].Truth)
	q, err := db.FirstQuestion(ctx, "guided", false)
	require.NoError(t, err)
	assert.Equal(t, "f1", q.Forward)
	assert.Equal(t, "b1", q.Backward)
	team, err := db.FirstQuestion(ctx, "plain", true)
	require.NoError(t, err)
	assert.Contains(t, team.Forward, "pf")
}

func TestReadRecordingRefuses(t *testing.T) {
	good := recordedLine(1)
	head := func(old, new string) string { return strings.Replace(recordedHead, old, new, 1) + "\n" + good }
	line := func(old, new string) string {
		return recordedHead + "\n" + good + "\n" + strings.Replace(recordedLine(2), old, new, 1)
	}
	for says, file := range map[string]string{
		"line 1: the file is empty":                                     "",
		"line 1: no transition follows":                                 recordedHead + "\n",
		"line 1: no JSON at byte 1: invalid character":                  "PK\x03\x04 and so on",
		"line 1: no recording of transitions":                           `{"agents":[]}`,
		"line 1: marlpit_transitions: version 2, this program reads 1":  head(`s":1`, `s":2`),
		"line 1: marlpit_transitions: want a whole number, got string":  head(`s":1`, `s":"1"`),
		"line 1: it begins with a byte order mark (BOM)":                "\ufeff" + recordedHead + "\n" + good,
		"line 1: want an object, got array":                             "[]",
		"line 3: want an object, got number":                            recordedHead + "\n" + good + "\n7",
		"line 1: agents: want a list, got string":                       head(`["a","b"]`, `"a"`),
		"line 3: agents: want an object, got string":                    line(`[{"guided"`, `["x",{"guided"`),
		`line 1: unknown field "colour"`:                                head(`"env"`, `"colour":1,"env"`),
		`line 1: env: want a name of at most 200 bytes, got ""`:         head(`spread_v3`, ``),
		`line 1: env: want a name`:                                      head(`spread_v3`, `a\nb`),
		"line 1: agents: 0 of them":                                     head(`["a","b"]`, `[]`),
		`line 1: agents: two are named "a"`:                             head(`["a","b"]`, `["a","a"]`),
		`line 1: agents[1]: want a name`:                                head(`["a","b"]`, `["a",""]`),
		"line 1: state_size: 0, want 1 to 65536":                        head(`size":2`, `size":0`),
		"line 1: focus_sizes: 1 for 2 agents":                           head(`[1,2]`, `[1]`),
		"line 1: focus_sizes[1]: 0, want":                               head(`[1,2]`, `[1,0]`),
		"line 1: params.N: want a text, a number or a boolean":          head(`"N":2`, `"N":[2]`),
		"line 1: params.name: a text of 5000 bytes":                     head(`"name":"x"`, `"name":"`+strings.Repeat("x", 5000)+`"`),
		"line 1: frames: 0, want 1 to 1125899906842624":                 head(`100`, `0`),
		"line 1: frames: 9223372036854775807, want 1 to":                head(`100`, `9223372036854775807`),
		"line 1: params: want names of at most 200 bytes, got \"\"":     head(`"N":2`, `"":2`),
		"line 1: params: want names of at most 200 bytes, got \"\\x1b":  head(`"N":2`, `"\u001b[2J":2`),
		"line 1: agents[1]: want a name of at most 200 bytes, got":      head(`["a","b"]`, `["a","\u009b2J"]`),
		"line 1: agents: it stands there twice":                         head(`"env"`, `"agents":["x"],"env"`),
		"line 1: N: it stands there twice":                              head(`"N":2`, `"N":2,"N":3`),
		"line 3: terminal: it stands there twice":                       line(`"terminal":false`, `"terminal":false,"terminal":true`),
		"line 3: a: it stands there twice":                              line(`"a":[2,0.1]`, `"a":[2,0.1],"\u0061":[5,5]`),
		"line 3: guided: it stands there twice":                         line(`"guided"`, `"guided":["x","y"],"guided"`),
		`line 3: unknown field "TERMINAL"`:                              line(`"terminal"`, `"TERMINAL"`),
		`line 3: unknown field "Guided"`:                                line(`"guided"`, `"Guided"`),
		"line 3: no JSON at byte 7: invalid character 'N'":              line(`"a":[2,0.1]`, `"a":[NaN,0.1]`),
		`line 3: agents[0].family: want a name of at most 200 bytes`:    line(`near`, `\u001b[31mred\nfoo`),
		"line 1: frames: 1, but 2 transitions follow":                   strings.Replace(line("", ""), `100`, `1`, 1),
		"line 1: frames: want a whole number, got number 1.5":           head(`100`, `1.5`),
		"line 3: a: 1 numbers, want 2":                                  line(`"a":[2,0.1]`, `"a":[2]`),
		"line 3: b: 0 numbers, want 2":                                  line(`"b":[3,0.1],`, ``),
		"line 3: a: want numbers from -1e+06 to 1e+06":                  line(`"a":[2,0.1]`, `"a":[2,1e7]`),
		"line 3: b: want numbers from":                                  line(`"b":[3,0.1]`, `"b":[3,null]`),
		"line 3: a: want numbers":                                       line(`"a":[2,0.1]`, `"a":[2,1e60]`),
		"line 3: b: want numbers":                                       line(`"b":[3,0.1]`, `"b":"no"`),
		"line 3: a and b are equal":                                     line(`"b":[3,0.1]`, `"b":[2,0.1]`),
		"line 3: terminal: missing":                                     line(`"terminal":false,`, ``),
		"line 3: terminal: want true or false, got number":              line(`false`, `0`),
		"line 3: agents: 1 of them, want 2":                             line(`},{`+strings.SplitN(recordedLine(2), "},{", 2)[1], `}]}`),
		"line 3: agents: all are null":                                  recordedHead + "\n" + good + "\n" + `{"a":[2,1],"b":[3,1],"terminal":false,"agents":[null,null]}`,
		"line 3: agents[0].guided: 1 texts, want 2":                     line(`["f2","b2"]`, `["f2"]`),
		"line 3: agents[0].guided[1]: a text of 1 bytes, want words":    line(`["f2","b2"]`, `["f2"," "]`),
		"line 3: agents[0].plain[0]: a text of 0 bytes":                 line(`["pf","pb"]`, `[null,"x"]`),
		"line 3: agents[0].plain[1]: a text of 40000 bytes":             line(`["pf","pb"]`, `["x","`+strings.Repeat("x", 40000)+`"]`),
		"line 3: agents[0].focus_a: 2 numbers, want 1":                  line(`"focus_a":[1]`, `"focus_a":[1,1]`),
		"line 3: agents[0].focus_b: 0 numbers, want 1":                  line(`"focus_b":[2],`, ``),
		"line 3: agents[0].family: want a name of at most 200 bytes, g": line(`near`, strings.Repeat("x", 300)),
		"line 3: agents.truth: want a number, got string":               line(`1.5`, `"1.5"`),
		"line 3: something follows":                                     line(``, ``) + "{}",
		"line 4: an empty line":                                         line(``, ``) + "\n\n" + recordedLine(4),
		"line 3: no UTF-8":                                              line(`pf`, "\xff"),
		"line 3: the line is cut off":                                   line(``, ``)[:len(line(``, ``))-40],
		"line 3: longer than 16777216 bytes":                            line(`pf`, strings.Repeat("x", 17<<20)),
	} {
		w, _, ts, err := votes.ReadRecording(strings.NewReader(file))
		require.ErrorIs(t, err, votes.ErrRecording, says)
		assert.ErrorContains(t, err, says)
		assert.Empty(t, ts)
		assert.Empty(t, w.Env)
	}
}

// Names of parameters are the user's: those of one may differ from another's in
// the case of letters alone.
func TestReadRecordingKeepsTheNamesOfParameters(t *testing.T) {
	w, _, _, err := votes.ReadRecording(strings.NewReader(strings.Replace(recordedHead, `"N":2`, `"N":2,"n":3`, 1) + "\n" + recordedLine(1)))
	require.NoError(t, err)
	assert.Equal(t, 2.0, w.Params["N"])
	assert.Equal(t, 3.0, w.Params["n"])
}

func TestReadRecordingPassesTheReadersError(t *testing.T) {
	_, _, _, err := votes.ReadRecording(io.MultiReader(recording(recordedLine(1)), iotest.ErrReader(io.ErrClosedPipe)))
	require.ErrorIs(t, err, io.ErrClosedPipe)
	assert.False(t, errors.Is(err, votes.ErrRecording))
}

func FuzzReadRecording(f *testing.F) {
	f.Add(recordedHead + "\n" + recordedLine(1))
	f.Add(recordedHead)
	f.Fuzz(func(t *testing.T, file string) {
		w, c, ts, err := votes.ReadRecording(strings.NewReader(file))
		if err != nil {
			require.ErrorIs(t, err, votes.ErrRecording)
			return
		}
		require.NotEmpty(t, ts)
		require.Equal(t, c.Kept, len(ts))
		for _, tr := range ts {
			require.Len(t, tr.StateA, w.StateSize)
			require.NotEqual(t, tr.StateA, tr.StateB)
		}
	})
}
