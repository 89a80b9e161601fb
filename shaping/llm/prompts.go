package llm

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"strings"
	"text/template"
)

//go:embed prompts/*.tmpl
var promptFiles embed.FS

// Prompt is a versioned template of one kind of question. Its text never
// changes: a change is a new version.
type Prompt struct {
	Name string // "fr-v1": kind and version
	Text string // the template
	Hash string // SHA-256 of Text in hex; recorded with every request
	tmpl *template.Template
}

// The prompts in use.
var (
	promptFR    = loadPrompt("fr-v1")
	promptPair  = loadPrompt("pair-v1")
	promptScore = loadPrompt("score-v1")
	promptAll   = loadPrompt("all-v1")
	promptRound = loadPrompt("round-v1")
	promptWrong = loadPrompt("wrong-v1")
)

// Prompts lists the templates that transitions are asked about with, for the record.
func Prompts() []Prompt { return []Prompt{promptFR, promptPair, promptScore, promptAll} }

// RoundPrompts lists the templates that rounds are asked about with.
func RoundPrompts() []Prompt { return []Prompt{promptRound, promptWrong} }

func loadPrompt(name string) Prompt {
	text, err := promptFiles.ReadFile("prompts/" + name + ".tmpl")
	if err != nil {
		panic("llm: " + err.Error())
	}
	sum := sha256.Sum256(text)
	return Prompt{
		Name: name, Text: string(text), Hash: hex.EncodeToString(sum[:]),
		tmpl: template.Must(template.New(name).Option("missingkey=error").Parse(string(text))),
	}
}

// render returns the system and the user message. Blanks around what is filled
// in are cut off.
func (p Prompt) render(data map[string]string) (system, user string) {
	for k, v := range data {
		data[k] = strings.TrimSpace(v)
	}
	return p.section("system", data), p.section("user", data)
}

func (p Prompt) section(name string, data map[string]string) string {
	var b strings.Builder
	if err := p.tmpl.ExecuteTemplate(&b, name, data); err != nil {
		panic("llm: prompt " + p.Name + ": " + err.Error()) // templates are ours and tested
	}
	return strings.TrimSpace(b.String())
}
