package prefer_test

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"math"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marlpit/models"
	"marlpit/shaping/prefer"
)

func saved(t testing.TB) (*prefer.Model, []byte) {
	t.Helper()
	m, _ := fit(t, lanePairs(60, 0, 1, 5), prefer.Options{Epochs: 2, Header: prefer.Header{
		Name: "lane", Frames: 64000, Seeds: []uint64{0, 1<<64 - 1}, Critic: "oracle error_rate=0", Prompt: "ab12",
		Votes: prefer.Votes{Asked: 10, Valid: 9, Tie: 2, Invalid: 1}, CreatedBy: "marlpit 0.1.0",
	}})
	var b bytes.Buffer
	require.NoError(t, m.Save(&b))
	return m, b.Bytes()
}

func TestSaveAndLoad(t *testing.T) {
	m, raw := saved(t)
	got, err := prefer.Load(bytes.NewReader(raw))
	require.NoError(t, err)
	for i := range 2 {
		for c := range cells {
			x := laneState([2]int{c, 3})
			if got.Header.Nets[i].Features == focusSize {
				x = laneFocus(c)
			}
			require.Equal(t, m.Value(i, x), got.Value(i, x))
		}
	}
	assert.Equal(t, m.Header.Nets, got.Header.Nets)
	assert.Equal(t, m.Header.Seeds, got.Header.Seeds)
	assert.Equal(t, 120, got.Header.Pairs)
	assert.NoError(t, got.CheckSpec(lane()))
	var again bytes.Buffer
	require.NoError(t, got.Save(&again))
	assert.Equal(t, raw, again.Bytes())
}

// TestShippedFilesAreWrittenAsTheyWere: the container keeps every byte.
func TestShippedFilesAreWrittenAsTheyWere(t *testing.T) {
	require.NotEmpty(t, models.All())
	for _, f := range models.All() {
		m, err := prefer.Load(bytes.NewReader(f.Bytes))
		require.NoError(t, err, f.Name)
		var b bytes.Buffer
		require.NoError(t, m.Save(&b))
		assert.True(t, bytes.Equal(f.Bytes, b.Bytes()), f.Name)
	}
}

func TestCheckSpecSaysWhatDiffers(t *testing.T) {
	m, _ := saved(t)
	for says, change := range map[string]func(*prefer.World){
		"world: lane-v1 in the model, lane-v2 here":                    func(w *prefer.World) { w.Env = "lane-v2" },
		"parameter cells: 40 in the model, 41 here":                    func(w *prefer.World) { w.Params = map[string]any{"cells": 41.0} },
		"parameter wind: none in the model, true here":                 func(w *prefer.World) { w.Params = map[string]any{"cells": 40, "wind": true} },
		"agents: [agent_0 agent_1] in the model, [a_0] here":           func(w *prefer.World) { w.Agents = []string{"a_0"} },
		"observation version: 2 in the model, 3 here":                  func(w *prefer.World) { w.ObsVersion = 3 },
		"state elements: 100 in the model, 9 here":                     func(w *prefer.World) { w.StateSize = 9 },
		"focus features: [42 42] in the model, [] here":                func(w *prefer.World) { w.FocusSizes = []int{} },
		"version: 2 in the model, 1 here; state elements: 100 in the ": func(w *prefer.World) { w.ObsVersion, w.StateSize = 1, 1 },
	} {
		w := lane()
		change(&w)
		err := m.CheckSpec(w)
		require.ErrorIs(t, err, prefer.ErrWorld)
		assert.ErrorContains(t, err, says)
	}
	w := lane()
	w.Params, w.FocusSizes = map[string]any{"cells": int64(40), "max_cycles": 0}, nil
	assert.NoError(t, m.CheckSpec(w))
}

// remake replaces text in the header of a file.
func remake(raw []byte, old, new string) []byte {
	n := binary.LittleEndian.Uint32(raw[8:])
	header := strings.Replace(string(raw[12:12+n]), old, new, 1)
	out := binary.LittleEndian.AppendUint32(bytes.Clone(raw[:8]), uint32(len(header)))
	return append(append(out, header...), raw[12+n:]...)
}

func TestLoadRefuses(t *testing.T) {
	_, raw := saved(t)
	weights := func(v float32) []byte {
		b := bytes.Clone(raw)
		binary.LittleEndian.PutUint32(b[len(b)-80:], math.Float32bits(v))
		return b
	}
	for name, c := range map[string]struct {
		file []byte
		says string
	}{
		"empty":          {nil, "ends within the start"},
		"foreign":        {[]byte("\x89PNG 1234567890"), "doesn't begin"},
		"half a header":  {raw[:40], "ends within the header"},
		"half":           {raw[:len(raw)-1], "ends within the weights"},
		"more":           {append(bytes.Clone(raw), 0), "something follows"},
		"NaN":            {weights(float32(math.NaN())), " is NaN, want -10000 to 10000"},
		"infinite":       {weights(float32(math.Inf(-1))), " is -Inf"},
		"huge":           {weights(1e30), "weight 1389 is 1e+30"},
		"huge header":    {append(bytes.Clone(raw[:8]), 255, 255, 255, 255), "want at most"},
		"unknown field":  {remake(raw, `{"format"`, `{"colour":1,"format"`), "unknown field"},
		"two objects":    {remake(raw, `{"format"`, `{}{"format"`), "follows the JSON"},
		"format":         {remake(raw, `"format":2`, `"format":3`), "format 3"},
		"version":        {remake(raw, `"version":1`, `"version":0`), "version 0"},
		"kind":           {remake(raw, `"kind":"agents"`, `"kind":"all"`), "kind"},
		"kind and nets":  {remake(raw, `"kind":"agents"`, `"kind":"shared"`), "2 nets, want 1"},
		"agents":         {remake(raw, `["agent_0","agent_1"]`, `["agent_0"]`), "2 focus sizes for 1 agents"},
		"other agent":    {remake(raw, `"agent":"agent_0"`, `"agent":"agent_9"`), "agent_9"},
		"units":          {remake(raw, `"hidden":32`, `"hidden":33`), "33 units"},
		"state":          {remake(raw, `"state_size":100`, `"state_size":2000000000`), "2000000000"},
		"sd":             {remake(raw, `"sd":`, `"sd":-`), "sd -"},
		"counts":         {remake(raw, `"frames":64000`, `"frames":-1`), "negative"},
		"nested params":  {remake(raw, `"cells":40`, `"cells":[1]`), "parameter"},
		"accuracy":       {remake(raw, `"right":`, `"right":9999`), "held-out"},
		"negative focus": {remake(raw, `"focus_sizes":[42`, `"focus_sizes":[-42`), "-42"},
	} {
		_, err := prefer.Load(bytes.NewReader(c.file))
		require.ErrorIs(t, err, prefer.ErrFile, name)
		assert.ErrorContains(t, err, c.says, name)
	}
}

// Go's decoder takes what is missing or null for 0; the Python client refuses it.
func TestLoadRefusesWhatIsMissingOrNull(t *testing.T) {
	_, raw := saved(t)
	for says, file := range map[string][]byte{
		"frames is missing":               remake(raw, `"frames":64000,`, ``),
		"frames is null":                  remake(raw, `"frames":64000`, `"frames":null`),
		`unknown field "Frames"`:          remake(raw, `"frames"`, `"Frames"`),
		"seeds is missing":                remake(raw, `"seeds":[0,18446744073709551615],`, ``),
		"seeds[0] is null":                remake(raw, `"seeds":[0,`, `"seeds":[null,`),
		"critic is null":                  remake(raw, `"critic":"oracle error_rate=0"`, `"critic":null`),
		"world.obs_version is missing":    remake(raw, `"obs_version":2,`, ``),
		"world.params is missing":         remake(raw, `"params":{"cells":40,"max_cycles":50},`, ``),
		"world.agents[1] is null":         remake(raw, `"agents":["agent_0","agent_1"]`, `"agents":["agent_0",null]`),
		"world.focus_sizes is missing":    remake(raw, `,"focus_sizes":[42,42]`, ``),
		"nets[0].sd is null":              remake(raw, `"sd":`, `"sd":null,"sd":`),
		"nets[0].held_out.low is missing": remake(raw, `"low":`, `"high":`),
		"votes.tie is missing":            remake(raw, `"tie":2,`, ``),
		`unknown field votes."TIE"`:       remake(raw, `"tie":2`, `"TIE":2`),
		"report.members is null":          remake(raw, `"members":3`, `"members":null`),
		"report: 0 members":               remake(raw, `"members":3,`, ``),
		"report.nets[0] is null":          remake(raw, `"nets":[{"identical"`, `"nets":[null,{"identical"`),
	} {
		require.False(t, bytes.Equal(raw, file), says)
		_, err := prefer.Load(bytes.NewReader(file))
		assert.ErrorIs(t, err, prefer.ErrFile, says)
		assert.ErrorContains(t, err, "header: "+says)
	}
	for _, old := range []string{`"without":0,`, `"weighing":"",`} {
		file := remake(raw, old, ``)
		require.False(t, bytes.Equal(raw, file), old)
		_, err := prefer.Load(bytes.NewReader(file))
		assert.NoError(t, err, "a report is for readers")
	}
	_, err := prefer.Load(bytes.NewReader(remake(raw, `"seeds":[0,18446744073709551615]`, `"seeds":null`)))
	assert.NoError(t, err)
}

func TestAHostileFileAllocatesLittle(t *testing.T) {
	_, raw := saved(t)
	big := remake(raw, `"state_size":100`, `"state_size":65536`)
	big = remake(remake(big, `"features":100`, `"features":65536`), `"features":100`, `"features":65536`)
	big = remake(remake(big, `"focus_sizes":[42,42]`, `"focus_sizes":[65536,65536]`), `"features":42`, `"features":65536`)
	big = remake(big, `"features":42`, `"features":65536`)
	for _, file := range [][]byte{big[:1500], append(bytes.Clone(raw[:8]), 0, 0, 4, 0)} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := prefer.Load(bytes.NewReader(file))
		runtime.ReadMemStats(&after)
		assert.ErrorIs(t, err, prefer.ErrFile)
		assert.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(1<<20))
	}
}

func TestValueAllocatesNothing(t *testing.T) {
	m, _ := saved(t)
	x := laneState([2]int{1, 2})
	if m.Header.Nets[0].Features == focusSize {
		x = laneFocus(1)
	}
	assert.Zero(t, testing.AllocsPerRun(100, func() { m.Value(0, x) }))
	assert.PanicsWithValue(t, "prefer: 3 features, want "+map[bool]string{true: "42", false: "100"}[len(x) == focusSize], func() { m.Value(0, x[:3]) })
}

func FuzzLoad(f *testing.F) {
	_, raw := saved(f)
	f.Add(raw)
	f.Add(raw[:100])
	f.Add([]byte("marlpit\x01\x02\x00\x00\x00{}"))
	f.Fuzz(func(t *testing.T, file []byte) {
		m, err := prefer.Load(bytes.NewReader(file))
		if err != nil {
			require.ErrorIs(t, err, prefer.ErrFile)
			return
		}
		for i, n := range m.Header.Nets {
			x := make([]float32, n.Features)
			for k := range x {
				x[k] = float32(k%3) - 1
			}
			v := float64(m.Value(i, x))
			require.False(t, math.IsNaN(v) || math.IsInf(v, 0))
		}
		var b bytes.Buffer
		require.NoError(t, m.Save(&b))
		again, err := prefer.Load(&b)
		require.NoError(t, err)
		require.Equal(t, m.Header.Nets, again.Header.Nets)
	})
}

func TestAReportThatIsTooLargeIsShortened(t *testing.T) {
	m, _ := saved(t)
	load := func() *prefer.Report {
		var b bytes.Buffer
		require.NoError(t, m.Save(&b))
		got, err := prefer.Load(&b)
		require.NoError(t, err)
		return got.Header.Report
	}
	long := *m.Header.Report
	long.Asked = []prefer.VoteReport{{}, {}}
	m.Header.Report = &long
	header, err := json.Marshal(&m.Header)
	require.NoError(t, err)
	long.Asked[0].Agent = strings.Repeat("a", 1<<18-len(header)) // no agent's name is that long; many agents are
	assert.NotEmpty(t, load().Nets[0].Calibration.Bins, "just fits")
	long.Asked[1].Agent = "b"
	assert.Empty(t, load().Nets[0].Calibration.Bins)
	assert.NotEmpty(t, long.Nets[0].Calibration.Bins, "the model keeps its own")
	long.Asked[1].Agent = strings.Repeat("b", 4000)
	assert.Nil(t, load())
}
