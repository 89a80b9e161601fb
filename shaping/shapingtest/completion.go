package shapingtest

import (
	"cmp"
	"math"
	"slices"
)

type object = map[string]any

// completion is a chat completion in the protocol's form.
func completion(in Request, v Verdict, finish string) object {
	choice := object{
		"index":         0,
		"message":       object{"role": "assistant", "content": v.Text},
		"finish_reason": finish,
		"logprobs":      nil,
	}
	if in.LogProbs && v.First != nil {
		choice["logprobs"] = logProbs(v.First, in.TopLogProbs)
	}
	return object{
		"id": "chatcmpl-test", "object": "chat.completion", "created": 1, "model": in.Model,
		"choices": []object{choice},
		"usage":   object{"prompt_tokens": 40, "completion_tokens": 1, "total_tokens": 41},
	}
}

func logProbs(first map[string]float64, top int) object {
	list := make([]object, 0, len(first))
	for token, p := range first {
		list = append(list, object{"token": token, "logprob": math.Log(p)})
	}
	slices.SortFunc(list, func(a, b object) int {
		return cmp.Or(-cmp.Compare(a["logprob"].(float64), b["logprob"].(float64)), cmp.Compare(a["token"].(string), b["token"].(string)))
	})
	list = list[:min(len(list), top)]
	return object{"content": []object{{
		"token": list[0]["token"], "logprob": list[0]["logprob"], "top_logprobs": list,
	}}}
}
