// Package llm asks language models behind any OpenAI-compatible endpoint. It is
// the only package that imports go-openai.
//
// Two ways of asking are known. By F−R, the yes/no question "did this help?" is
// asked of a transition forwards and with its two states exchanged, and the
// difference of the two log-odds of "yes" is the verdict: the model's liking
// for "yes" cancels. The log-odds come from the first token's
// log-probabilities where the endpoint gives them, else from sampled answers.
// By pair, the forward and the backward transition are shown as A and B, in
// both orders; verdicts that contradict each other are a tie.
//
// What an endpoint does wrong has one of three outcomes, never a silent score:
//
//   - tried again, at most Config.Retries times, with backoff or as Retry-After
//     says: 408, 425, 429, 5xx, a lost connection, no reply in time, 200 with an
//     error body, 200 with something that is not JSON;
//   - an error, so no vote is recorded and the question stays open: all of the
//     above once the tries are used up, and at once 400, 401, 403, 404, an
//     exhausted quota, a redirect, a reply larger than Config.MaxReply, a
//     Retry-After longer than Config.MaxWait. A 400 that names temperature,
//     logprobs or max_tokens makes the client leave that parameter out (or
//     send max_completion_tokens) and ask again;
//   - an invalid vote with its reason: no choices, no content, an answer that is
//     neither or both, one cut off by length, log-probabilities that are none.
package llm
