package llm

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	"marlpit/shaping"
)

func TestReadAnswer(t *testing.T) {
	for in, want := range map[string]string{
		"yes": "yes", "Yes.": "yes", " **No** ": "no", "No, it did not.": "no", "\"yes\"": "yes",
		"The answer is: no": "no", "Hm.\n\nAnswer: **Yes**": "yes", "It is closer.\nyes": "yes",
		`{"answer": "no"}`: "no", `{"answer": true}`: "yes", `{"answer": 1}`: "", `{"score": "yes"}`: "",
		"": "", "maybe": "", "yes or no": "", "yes\n…\nno": "", "yesterday": "", "nothing": "",
		"<think>yes": "", "<think>yes</think>no": "no", "Answer: NaN": "",
	} {
		got, reason := readAnswer(reply{text: in}, yesNo)
		assert.Equal(t, want, got, "%q", in)
		assert.Equal(t, want == "", reason != "", "%q", in)
	}
	for in, want := range map[string]string{
		"A": "a", "B.": "b", "(A)": "a", "B: it helps": "b", "A is a move": "", "a": "a", "Answer: B": "b",
		"Option A or B": "", "same": "same", "{\"better\":\"A\"}": "a", "C": "",
	} {
		got, _ := readAnswer(reply{text: in}, aOrB)
		assert.Equal(t, want, got, "%q", in)
	}
}

func TestHostileRepliesNeverPanic(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		body := rapid.OneOf(
			rapid.String(),
			rapid.Map(rapid.String(), func(s string) string {
				return `{"choices":[{"message":{"content":"` + s + `"},"logprobs":{"content":[{"token":"` + s + `"}]}}]}`
			}),
			rapid.SampledFrom([]string{
				`null`, `[]`, `{"choices":null}`, `{"choices":[null]}`, `{"choices":[{"logprobs":{"content":null}}]}`,
				`{"choices":[{"message":{"content":[{"text":"yes"},{"text":null}]}}]}`, `{"error":"x"}`, `{"error":[]}`,
				`{"choices":[{"message":{"content":{"a":1}}}],"usage":{"prompt_tokens":-5}}`, strings.Repeat("[", 20000),
				strings.Repeat("{", 3000) + strings.Repeat("}", 3000),
			}),
		).Draw(t, "body")
		r, err := decode(shaping.Request{Reply: []byte(body)})
		if err != nil {
			return
		}
		readAnswer(r, yesNo)
		readNumbers(r, []string{"a", "b"})
		firstToken(r.tokens, 0.01)
	})
	start := time.Now()
	readAnswer(reply{text: strings.Repeat("{", 30000) + strings.Repeat("}", 30000)}, yesNo)
	readNumbers(reply{text: strings.Repeat(`{"a":`, 6000)}, []string{"a"})
	readNumbers(reply{text: strings.Repeat(`{"b":[`, 5000) + strings.Repeat("{}", 2000)}, []string{"a"})
	assert.Less(t, time.Since(start), time.Minute)
}

// FuzzReply reads whatever an endpoint may send.
func FuzzReply(f *testing.F) {
	f.Add([]byte(`{"choices":[{"message":{"content":"yes"},"finish_reason":"stop"}]}`))
	f.Add([]byte(`{"choices":[{"message":{"content":null,"reasoning":"Answer: B"},"logprobs":{"content":[{"token":" Yes","logprob":-0.1,"top_logprobs":[{"token":"no","logprob":null}]}]}}]}`))
	f.Add([]byte(`{"error":{"message":"no","code":"429"}}`))
	f.Add([]byte(`{"choices":[{"message":{"content":"{\"a\": 1e9, \"b\": \"0.5\", \"a\": -0}"}}]}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		r, err := decode(shaping.Request{Reply: body})
		if err != nil {
			return
		}
		for _, among := range []options{yesNo, aOrB} {
			if answer, reason := readAnswer(r, among); (answer == "") == (reason == "") {
				t.Fatalf("answer %q, reason %q", answer, reason)
			}
		}
		for key, n := range readNumbers(r, []string{"a", "b"}) {
			if n.reason == "" && !(n.value >= lowest && n.value <= highest) {
				t.Fatalf("%s is %v", key, n.value)
			}
		}
		if logit, reason := firstToken(r.tokens, 0.01); reason == "" && !(math.Abs(logit) < 25) {
			t.Fatalf("log-odds %v", logit)
		}
	})
}

func TestRetryAfterForms(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for in, want := range map[string]time.Duration{
		"": 0, "2": 2 * time.Second, "0.5": 500 * time.Millisecond, "-1": 0, "soon": 0, "NaN": 0, "1e300": 1e6 * time.Second,
		"Fri, 02 Jan 2026 03:04:15 GMT": 10 * time.Second, "Fri, 02 Jan 2026 03:00:00 GMT": 0,
	} {
		assert.Equal(t, want, parseRetryAfter(in, now), in)
	}
}
