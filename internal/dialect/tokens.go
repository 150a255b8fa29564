package dialect

import "jl/internal/entry"

// A figure is what a member of a usage counts.
type figure uint8

const (
	silent figure = iota // nothing that the others have not
	input
	output
	thoughts // part of the output, which is not in it unless total says so
	total    // of input, output and what is not in these
	read
	write
	write5m
	write1h
	nested // more members are in it
)

// figures are the names that agents have for what they count.
var figures = map[string]figure{
	"input_tokens": input, "inputTokens": input, "input_token_count": input, "promptTokenCount": input, "prompt_tokens": input, "prompt": input,
	"input": input, "inputOther": input,
	"output_tokens": output, "outputTokens": output, "output_token_count": output, "completion_tokens": output, "candidates": output,
	"candidatesTokenCount": output, "output": output,
	"thoughts": thoughts, "thoughts_token_count": thoughts, "thoughtsTokenCount": thoughts, "reasoning": thoughts,
	"cache_read_input_tokens": read, "cacheReadInputTokens": read, "cached_input_tokens": read, "cacheReadTokens": read,
	"cached_content_token_count": read, "cachedContentTokenCount": read, "cached": read, "cacheRead": read, "inputCacheRead": read, "cachedInput": read, "cached_tokens": read,
	"cache_creation_input_tokens": write, "cacheCreationInputTokens": write, "cache_write_input_tokens": write, "cacheWriteTokens": write,
	"cacheWrite": write, "inputCacheCreation": write,
	"ephemeral_5m_input_tokens": write5m, "cacheCreationEphemeral5mInputTokens": write5m,
	"ephemeral_1h_input_tokens": write1h, "cacheCreationEphemeral1hInputTokens": write1h, "cacheWrite1h": write1h,
	"read": read, "write": write, // OpenCode's, in its cache
	"cache": nested, "cache_creation": nested, "prompt_tokens_details": nested, "input_tokens_details": nested,

	"service_tier": silent, "inference_geo": silent, "server_tool_use": silent, "fallback_credit": silent, "output_tokens_details": silent,
	"total_tokens": total, "totalTokens": total, "totalTokenCount": total, "total_token_count": total, "total": total,
	"reasoning_output_tokens": silent, "tool": silent, "tool_token_count": silent, "toolUsePromptTokenCount": silent, "tool_tokens": silent,
	"webSearchRequests": silent, "costUSD": silent, "cost": silent, "cost_usd": silent, "tool_calls": silent, "logprobs": silent,
	"prompt_token_ids": silent, "completion_token_ids": silent, "extra": silent, "contextWindow": silent, "maxOutputTokens": silent, "thinkingTokens": silent,
	"completion_tokens_details": silent, "reasoningTokens": silent, "iterations": silent, "speed": silent, "type": silent, "model": silent,
	"trafficType": silent, "promptTokensDetails": silent, "candidatesTokensDetails": silent, "cacheTokensDetails": silent,
	"canonicalModel": silent, "costBasis": silent, "provider": silent, "apiCallId": silent, "duration": silent, "duration_ms": silent, "durationMs": silent, "requests": silent,
}

// tokens adds up what a usage tells. Within says that the input has what was read from a cache or written to one. A
// member that no rule reads is named.
func (t *Telling) tokens(v entry.Value, within bool) Tokens {
	var n counts
	t.count(v, &n)
	return n.tokens(within)
}

// counts are what a usage tells, by figure.
type counts [nested]int64

// tokens adds up n, in which the thoughts may be part of the output.
func (n *counts) tokens(within bool) Tokens {
	within = within || n[read]+n[write] > 0 && n[input]+n[output] == n[total]
	if all := n[input] + n[output] + n[thoughts]; n[total] > 0 && (within && all > n[total] || all+n[read]+n[write] > n[total] && !within) {
		n[thoughts] = 0
	}
	x := Tokens{Input: n[input], Output: n[output] + n[thoughts], Write: n[write], Write5m: n[write5m], Write1h: n[write1h], Read: n[read]}
	x.Write = max(x.Write, x.Write5m+x.Write1h)
	if within {
		x.Input = max(x.Input-x.Read-x.Write, 0)
	}
	if x.Write5m+x.Write1h == 0 || x.Write5m == 0 {
		x.Write5m = max(x.Write-x.Write1h, 0)
	}
	return x
}

func (t *Telling) count(v entry.Value, n *counts) {
	for name, v := range v.Named() {
		switch is, known := figures[string(name)]; {
		case !known:
			t.unread("member of a usage", string(name))
		case is == nested:
			t.count(v, n)
		case is != silent:
			if k, ok := v.Int(); ok {
				n[is] = max(n[is], k) // some tell one figure twice, once without a part of it
			}
		}
	}
}

// record adds the tokens of a request that are among other things a client notes of it: the input has what was read from a cache.
func (t *Telling) record(v entry.Value, more Thing) {
	var n counts
	for name, v := range v.Named() {
		if is, known := figures[string(name)]; known && is != silent && is != nested {
			n[is], _ = v.Int()
		}
	}
	more.Is, more.Tokens, more.Speed = Usage, n.tokens(true), v.Member("speed").NonEmpty()
	t.say(more)
}

// usage adds the tokens of a message. It does nothing if the message tells none.
func (t *Telling) usage(v entry.Value, within bool, more Thing) {
	if !v.IsObject() {
		return
	}
	more.Is, more.Tokens, more.Speed = Usage, t.tokens(v, within), v.Member("speed").NonEmpty()
	t.say(more)
}

// totals adds what a client tells of each model: an object of usages by model.
func (t *Telling) totals(v entry.Value, scope Scope, within bool, usage func(entry.Value) entry.Value) {
	for model, v := range v.Members() {
		t.usage(usage(v), within, Thing{Model: model, Scope: scope})
	}
}

func itself(v entry.Value) entry.Value { return v }

// sum returns the sum of the numbers among the members of v, or its total.
func sum(v entry.Value) (n int64) {
	if total, ok := v.Member("total_tokens").Int(); ok {
		return total
	}
	for _, v := range v.Members() {
		k, _ := v.Int()
		n += k
	}
	return n
}
