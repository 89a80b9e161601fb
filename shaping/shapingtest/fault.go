package shapingtest

import (
	"fmt"
	"net/http"
	"strings"
	"time"
)

// Fault is a way in which real endpoints differ or fail.
type Fault string

// The faults.
const (
	EmptyChoices   Fault = "empty choices"              // 200, choices []
	NullContent    Fault = "null content"               // 200, content null
	ReasoningOnly  Fault = "reasoning only"             // content null, text without stated answer in reasoning
	ReasoningSays  Fault = "reasoning states"           // content null, reasoning ends in "Answer: yes"/"Answer: B"
	Fenced         Fault = "fenced JSON"                // {"answer": …} in a code fence
	AfterProse     Fault = "JSON after prose"           // prose, then {"answer": …}
	Thinking       Fault = "think tags"                 // <think>…</think> before the answer
	CutOff         Fault = "cut off"                    // finish_reason length in mid-sentence
	Waffle         Fault = "both answers"               // "yes and no, A or B"
	RateLimited    Fault = "429 with Retry-After"       // Retry-After: 1
	RateLimitedDay Fault = "429 for a day"              // Retry-After: 86400
	QuotaUsedUp    Fault = "429 quota"                  // code insufficient_quota
	ServerError    Fault = "500"                        //
	Hang           Fault = "hang"                       // no reply until the client gives up
	ErrorIn200     Fault = "200 with error body"        // {"error": {…, code 503}}
	NoTemperature  Fault = "400 naming temperature"     // as long as temperature is sent
	NoLogProbs     Fault = "400 naming logprobs"        // as long as logprobs are asked for
	NewTokenLimit  Fault = "400 naming max_tokens"      // as long as max_tokens is sent
	NoFormat       Fault = "400 naming response_format" // as long as it is sent
	Unavailable    Fault = "503 with Retry-After"       // Retry-After: 1
	NoUsage        Fault = "no usage"                   // 200, tokens aren't reported
	ReasonsFirst   Fault = "reasons first"              // <think> as the first token; the answer follows where there is room
	Unauthorized   Fault = "401"                        // echoes the key it was given
	NotJSON        Fault = "200 HTML"                   //
	HalfReply      Fault = "half reply"                 // connection closed in the middle of the body
	Huge           Fault = "huge reply"                 // 64 MiB
	Redirect       Fault = "redirect"                   // 307 to another host
	NullLogProb    Fault = "null logprob"               // "logprob": null for every token
	BadLogProbs    Fault = "logprob 1e9"                //
)

// Faults in the first number of a JSON object that was asked for.
const (
	NumberNaN     Fault = "number NaN"
	NumberInf     Fault = "number Infinity"
	NumberHuge    Fault = "number 1e9"
	NumberText    Fault = "number as text" // "0.5"
	NumberNull    Fault = "number null"
	NumberMissing Fault = "number missing"
	NumberExtra   Fault = "number extra" // one more key
	NumberTwice   Fault = "number twice" // the key comes again
	NumberList    Fault = "list in place of an object"
)

// numberFaults are what stands in the reply: KEY is the first key, REST the
// proper members of the others.
var numberFaults = map[Fault]string{
	NumberNaN:     `{"KEY": NaN, REST}`,
	NumberInf:     `{"KEY": Infinity, REST}`,
	NumberHuge:    `{"KEY": 1e9, REST}`,
	NumberText:    `{"KEY": "0.5", REST}`,
	NumberNull:    `{"KEY": null, REST}`,
	NumberMissing: `{REST}`,
	NumberExtra:   `{"KEY": 5, "agent_99": 10, REST}`,
	NumberTwice:   `{"KEY": 5, "KEY": 6, REST}`,
	NumberList:    `["KEY", 5]`,
}

// numbers is a proper object: 3 for the first key, 4 more for each further one.
func numbers(keys []string) string {
	var parts []string
	for i, k := range keys {
		parts = append(parts, fmt.Sprintf("%q: %d", k, min(3+4*i, 10)))
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

// bad is the object with a fault in its first number.
func (f Fault) bad(keys []string) string {
	return strings.NewReplacer("KEY", keys[0], "REST", strings.Trim(numbers(keys[1:]), "{}")).Replace(numberFaults[f])
}

// serve writes the fault; false means that this request is answered as usual.
func (f Fault) serve(w http.ResponseWriter, r *http.Request, in Request, closing <-chan struct{}) bool {
	answer, yes := "B", strings.Contains(in.User(), "yes or no")
	if yes {
		answer = "yes"
	}
	body := fmt.Sprintf("{\"answer\": %q}", answer)
	if keys := in.Keys(); keys != nil {
		body = numbers(keys)
		answer = body
		if _, ok := numberFaults[f]; ok {
			writeJSON(w, http.StatusOK, completion(in, Verdict{Text: f.bad(keys)}, "stop"))
			return true
		}
	}
	say := func(text, finish string) { writeJSON(w, http.StatusOK, completion(in, Verdict{Text: text}, finish)) }
	refuse := func(status int, message, code string) {
		writeJSON(w, status, object{"error": object{"message": message, "type": "invalid_request_error", "code": code}})
	}
	switch f {
	case EmptyChoices:
		writeJSON(w, http.StatusOK, object{"id": "x", "object": "chat.completion", "choices": []object{}})
	case NullContent, ReasoningOnly, ReasoningSays:
		message := object{"role": "assistant", "content": nil}
		if f == ReasoningOnly {
			message["reasoning"] = "Yes, B may be it, or A; no, let me see."
		} else if f == ReasoningSays {
			message["reasoning_content"] = "Let me see, {\"A\": 1}.\nAnswer: " + answer
		}
		writeJSON(w, http.StatusOK, object{"choices": []object{{"index": 0, "message": message, "finish_reason": "stop"}}})
	case Fenced:
		say("```json\n"+body+"\n```", "stop")
	case AfterProse:
		say("No doubt A is tempting, but {it} fails, as {\"x\": 1} does. "+body, "stop")
	case Thinking:
		say("<think>\nA? no. yes?\n</think>\n\n"+answer, "stop")
	case CutOff:
		say("Let me think about what happened to", "length")
	case Waffle:
		say("Both yes and no; A or B.", "stop")
	case Unavailable:
		w.Header().Set("Retry-After", "1")
		http.Error(w, "loading the model", http.StatusServiceUnavailable)
	case NoUsage:
		reply := completion(in, Verdict{Text: answer, First: Yes(0.9).First}, "stop")
		delete(reply, "usage")
		writeJSON(w, http.StatusOK, reply)
	case ReasonsFirst:
		if in.MaxTokens+in.MaxCompletionTokens > 16 {
			say("<think>\nA? no. yes?\n</think>\n\n"+answer, "stop")
			break
		}
		writeJSON(w, http.StatusOK, completion(in, Verdict{Text: "<think>\nHm", First: map[string]float64{"<think>": 0.99, "yes": 0.005}}, "length"))
	case RateLimited, RateLimitedDay:
		w.Header().Set("Retry-After", map[Fault]string{RateLimited: "1", RateLimitedDay: "86400"}[f])
		refuse(http.StatusTooManyRequests, "slow down", "rate_limit_exceeded")
	case QuotaUsedUp:
		refuse(http.StatusTooManyRequests, "You exceeded your quota: insufficient_quota", "insufficient_quota")
	case ServerError:
		http.Error(w, "out of memory", http.StatusInternalServerError)
	case Hang:
		select {
		case <-r.Context().Done():
		case <-closing:
		case <-time.After(time.Minute):
		}
	case ErrorIn200:
		writeJSON(w, http.StatusOK, object{"error": object{"message": "upstream overloaded", "code": 503}})
	case NoTemperature:
		if in.Temperature == nil {
			return false
		}
		refuse(http.StatusBadRequest, "Unsupported value: 'temperature' does not support this model", "unsupported_value")
	case NoLogProbs:
		if !in.LogProbs {
			return false
		}
		refuse(http.StatusBadRequest, "logprobs is not supported", "unsupported_parameter")
	case NewTokenLimit:
		if in.MaxTokens == 0 {
			return false
		}
		refuse(http.StatusBadRequest, "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.", "unsupported_parameter")
	case NoFormat:
		if in.ResponseFormat == nil {
			return false
		}
		refuse(http.StatusBadRequest, "response_format is not supported", "unsupported_parameter")
	case Unauthorized:
		refuse(http.StatusUnauthorized, "Incorrect API key provided: "+strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer "), "invalid_api_key")
	default:
		f.serveBroken(w, in)
	}
	return true
}

// serveBroken writes what is no proper reply at all.
func (f Fault) serveBroken(w http.ResponseWriter, in Request) {
	switch f {
	case NotJSON:
		_, _ = w.Write([]byte("<html><body>It works!</body></html>"))
	case HalfReply:
		w.Header().Set("Content-Length", "4000")
		_, _ = w.Write([]byte(`{"choices": [{"message": {"content": "yes`))
	case Huge:
		chunk := []byte(strings.Repeat(" ", 1<<20))
		for range 64 {
			if _, err := w.Write(chunk); err != nil {
				return
			}
		}
	case Redirect:
		w.Header().Set("Location", "http://192.0.2.1/v1/chat/completions")
		w.WriteHeader(http.StatusTemporaryRedirect)
	case NullLogProb, BadLogProbs:
		var value any
		if f == BadLogProbs {
			value = 1e9
		}
		list := []object{{"token": "yes", "logprob": value}, {"token": "no", "logprob": value}}
		reply := completion(in, Verdict{Text: "yes"}, "stop")
		reply["choices"].([]object)[0]["logprobs"] = object{"content": []object{
			{"token": "yes", "logprob": value, "top_logprobs": list},
		}}
		writeJSON(w, http.StatusOK, reply)
	default:
		panic("shapingtest: unknown fault " + string(f))
	}
}
