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
	EmptyChoices   Fault = "empty choices"          // 200, choices []
	NullContent    Fault = "null content"           // 200, content null
	ReasoningOnly  Fault = "reasoning only"         // content null, text without stated answer in reasoning
	ReasoningSays  Fault = "reasoning states"       // content null, reasoning ends in "Answer: yes"/"Answer: B"
	Fenced         Fault = "fenced JSON"            // {"answer": …} in a code fence
	AfterProse     Fault = "JSON after prose"       // prose, then {"answer": …}
	Thinking       Fault = "think tags"             // <think>…</think> before the answer
	CutOff         Fault = "cut off"                // finish_reason length in mid-sentence
	Waffle         Fault = "both answers"           // "yes and no, A or B"
	RateLimited    Fault = "429 with Retry-After"   // Retry-After: 1
	RateLimitedDay Fault = "429 for a day"          // Retry-After: 86400
	QuotaUsedUp    Fault = "429 quota"              // code insufficient_quota
	ServerError    Fault = "500"                    //
	Hang           Fault = "hang"                   // no reply until the client gives up
	ErrorIn200     Fault = "200 with error body"    // {"error": {…, code 503}}
	NoTemperature  Fault = "400 naming temperature" // as long as temperature is sent
	NoLogProbs     Fault = "400 naming logprobs"    // as long as logprobs are asked for
	NewTokenLimit  Fault = "400 naming max_tokens"  // as long as max_tokens is sent
	NoFormat       Fault = "400 naming response_format"
	Unauthorized   Fault = "401"          // echoes the key it was given
	NotJSON        Fault = "200 HTML"     //
	HalfReply      Fault = "half reply"   // connection closed in the middle of the body
	Huge           Fault = "huge reply"   // 64 MiB
	Redirect       Fault = "redirect"     // 307 to another host
	NullLogProb    Fault = "null logprob" // "logprob": null for every token
	BadLogProbs    Fault = "logprob 1e9"  //
)

// serve writes the fault; false means that this request is answered as usual.
func (f Fault) serve(w http.ResponseWriter, r *http.Request, in Request, closing <-chan struct{}) bool {
	answer, yes := "B", strings.Contains(in.User(), "yes or no")
	if yes {
		answer = "yes"
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
			message["reasoning_content"] = "Let me see.\nAnswer: " + answer
		}
		writeJSON(w, http.StatusOK, object{"choices": []object{{"index": 0, "message": message, "finish_reason": "stop"}}})
	case Fenced:
		say(fmt.Sprintf("```json\n{\"answer\": %q}\n```", answer), "stop")
	case AfterProse:
		say(fmt.Sprintf("No doubt A is tempting, but {it} fails. {\"reason\": \"…\", \"answer\": %q}", answer), "stop")
	case Thinking:
		say("<think>\nA? no. yes?\n</think>\n\n"+answer, "stop")
	case CutOff:
		say("Let me think about what happened to", "length")
	case Waffle:
		say("Both yes and no; A or B.", "stop")
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
