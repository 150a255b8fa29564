package says

import (
	"strconv"

	"jl/internal/entry"
)

// A figure is what a member of a usage counts.
type figure uint8

const (
	silent figure = iota // nothing that the others have not
	input
	toolInput // what a tool that runs on the server put in, which is not in the input
	output
	thoughts // part of the output, which is not in it unless total says so
	thinking // part of the output, which is in it
	total    // of input, output and what is not in these
	read
	write
	write5m
	write1h
	searches // of the web, which are paid for one by one
	nested   // more members are in it
	// What a usage names beside its figures.
	speed
	tier
	geo
	cost
)

// tokenNames are the names that agents have for what they count. What costs money, and what says how much, is not
// silent.
var tokenNames = map[string]figure{
	"input_tokens": input, "inputTokens": input, "input_token_count": input, "promptTokenCount": input, "prompt_tokens": input, "prompt": input,
	"input": input, "inputOther": input,
	"tool": toolInput, "tool_token_count": toolInput, "toolUsePromptTokenCount": toolInput, "tool_tokens": toolInput,
	"output_tokens": output, "outputTokens": output, "output_token_count": output, "completion_tokens": output, "candidates": output,
	"candidatesTokenCount": output, "output": output,
	"thoughts": thoughts, "thoughts_token_count": thoughts, "thoughtsTokenCount": thoughts, "reasoning": thoughts,
	"reasoning_output_tokens": thinking, "reasoningTokens": thinking, "reasoning_tokens": thinking, "thinkingTokens": thinking, "thinking_tokens": thinking,
	"cache_read_input_tokens": read, "cacheReadInputTokens": read, "cached_input_tokens": read, "cacheReadTokens": read,
	"cached_content_token_count": read, "cachedContentTokenCount": read, "cached": read, "cacheRead": read, "inputCacheRead": read, "cachedInput": read, "cached_tokens": read,
	"cachedReadTokens":            read,
	"cache_creation_input_tokens": write, "cacheCreationInputTokens": write, "cache_write_input_tokens": write, "cacheWriteTokens": write,
	"cacheWrite": write, "inputCacheCreation": write, "cacheCreationTokens": write,
	"ephemeral_5m_input_tokens": write5m, "cacheCreationEphemeral5mInputTokens": write5m,
	"ephemeral_1h_input_tokens": write1h, "cacheCreationEphemeral1hInputTokens": write1h, "cacheWrite1h": write1h,
	"read": read, "write": write, // OpenCode's, in its cache
	"web_search_requests": searches, "webSearchRequests": searches,
	"cache": nested, "cache_creation": nested, "prompt_tokens_details": nested, "input_tokens_details": nested,
	"output_tokens_details": nested, "completion_tokens_details": nested, "server_tool_use": nested,
	"total_tokens": total, "totalTokens": total, "totalTokenCount": total, "total_token_count": total, "total": total,
	"service_tier": tier, "inference_geo": geo, "speed": speed, "cost": cost, "costUSD": cost, "cost_usd": cost,

	"text_tokens": silent, "accepted_prediction_tokens": silent, "web_fetch_requests": silent, // a part, and what costs nothing
	"tool_calls": silent, "logprobs": silent, "modelCalls": silent, "numTurns": silent, "totalInputTokens": silent, "maxInputTokens": silent,
	"prompt_token_ids": silent, "completion_token_ids": silent, "extra": silent, "contextWindow": silent, "maxOutputTokens": silent,
	"iterations": silent, "timestamp": silent, "type": silent, "model": silent, "modelUsage": silent, "trafficType": silent,
	"promptTokensDetails": silent, "candidatesTokensDetails": silent, "cacheTokensDetails": silent,
	"canonicalModel": silent, "costBasis": silent, "provider": silent, "apiCallId": silent, "duration": silent, "duration_ms": silent, "apiDurationMs": silent, "durationMs": silent, "requests": silent,
}

// tokens adds up the figures of a usage.
func (t *Telling) tokens(v entry.Value, cacheInInput bool) Tokens {
	var c counts
	t.count(v, &c, 0)
	return c.tokens(cacheInInput)
}

// counts are what a usage tells: numbers by figure, and what it names.
type counts struct {
	numbers                [nested]int64
	speed, tier, geo, cost entry.Value
}

// name takes what a usage names beside its figures.
func (c *counts) name(is figure, v entry.Value) {
	switch is {
	case speed:
		c.speed = v.NonEmpty()
	case tier:
		c.tier = v.NonEmpty()
	case geo:
		c.geo = v.NonEmpty()
	case cost:
		c.cost = v
	}
}

// tokens adds up the numbers, in which the thoughts may be part of the output. CacheInInput says that the input has what
// was read from a cache or written to one.
func (c *counts) tokens(cacheInInput bool) Tokens {
	n := &c.numbers
	if n[input]+n[output]+n[thoughts]+n[toolInput] <= n[total] {
		n[input] += n[toolInput]
	}
	thought := n[thoughts] + n[thinking]
	cacheInInput = cacheInInput || n[read]+n[write] > 0 && n[input]+n[output] == n[total]
	if all := n[input] + n[output] + n[thoughts]; n[total] > 0 && (cacheInInput && all > n[total] || all+n[read]+n[write] > n[total] && !cacheInInput) {
		n[thoughts] = 0
	}
	x := Tokens{Input: n[input], Output: n[output] + n[thoughts], Write: n[write], Write5m: n[write5m], Write1h: n[write1h], Read: n[read], Searches: n[searches]}
	x.Thinking = min(thought, x.Output)
	x.Write = max(x.Write, x.Write5m+x.Write1h)
	if cacheInInput {
		x.Input = max(x.Input-x.Read-x.Write, 0)
	}
	if x.Write5m+x.Write1h == 0 || x.Write5m == 0 {
		x.Write5m = max(x.Write-x.Write1h, 0)
	}
	return x
}

// count takes what v tells, which is in depth other objects of a usage. A member that no rule reads is named.
func (t *Telling) count(v entry.Value, c *counts, depth int) {
	for name, v := range v.Named() {
		k, isNumber := v.Int()
		switch is, known := tokenNames[string(name)]; {
		case !known:
			if !isNumber && entry.First(v) != nil || k != 0 { // nothing costs nothing
				t.unread("member of a usage", string(name))
			}
		case is == nested && depth < deepest:
			t.count(v, c, depth+1)
		case is == nested:
			t.unread("member of a usage", string(name))
		case is > nested:
			if depth == 0 {
				c.name(is, v)
			}
		default:
			c.numbers[is] = max(c.numbers[is], k) // some tell one figure twice, once without a part of it
		}
	}
}

// record adds the tokens of a request that are among other things a client notes of it: the input has what was read
// from a cache.
func (t *Telling) record(v entry.Value, more Thing) {
	var c counts
	for name, v := range v.Named() {
		switch is := tokenNames[string(name)]; {
		case is > nested:
			c.name(is, v)
		case is != silent && is != nested:
			c.numbers[is], _ = v.Int()
		}
	}
	t.counted(&c, c.tokens(true), more) // what else it notes of a cost is in units of its own
}

// usage adds the tokens of a message, and what the client says they cost. It does nothing if the message tells none.
func (t *Telling) usage(v entry.Value, cacheInInput bool, more Thing) {
	if !v.IsObject() {
		return
	}
	var c counts
	t.count(v, &c, 0)
	tokens := c.tokens(cacheInInput)
	t.counted(&c, tokens, more)
	if more.Scope == OfMessage { // else the cost is told with all of the total
		t.costs(c.cost, tokens)
	}
}

// counted adds the tokens of a usage, with what it names beside them.
func (t *Telling) counted(c *counts, tokens Tokens, more Thing) {
	more.Is, more.Tokens, more.Speed, more.Tier, more.Geo = Usage, tokens, c.speed, c.tier, c.geo
	t.say(more)
}

// costs adds what a client says a message costs, in dollars: a number, or an object with a total.
func (t *Telling) costs(cost entry.Value, tokens Tokens) {
	if cost.IsObject() {
		cost = cost.Member("total")
	}
	if !cost.IsNumber() {
		return
	}
	if dollars, err := strconv.ParseFloat(string(cost), 64); err == nil && dollars > 0 {
		t.say(Thing{Is: Bill, Tokens: tokens, Bill: &Counted{Dollars: cost}})
	}
}

// totals adds what a client tells of each model: an object of usages by model.
func (t *Telling) totals(v entry.Value, scope Scope, cacheInInput bool, usage func(entry.Value) entry.Value) {
	for model, v := range v.Members() {
		t.usage(usage(v), cacheInInput, Thing{Model: model, Scope: scope})
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

// Plus returns the sum of t and u.
func (t Tokens) Plus(u Tokens) Tokens { return t.each(u, func(a, b int64) int64 { return a + b }) }

// Less returns what t has more than u.
func (t Tokens) Less(u Tokens) Tokens {
	return t.each(u, func(a, b int64) int64 { return max(a-b, 0) })
}

// Common returns what both t and u have.
func (t Tokens) Common(u Tokens) Tokens {
	return t.each(u, func(a, b int64) int64 { return min(a, b) })
}

// each returns what f makes of each number in t and u.
func (t Tokens) each(u Tokens, f func(a, b int64) int64) Tokens {
	return Tokens{
		Input: f(t.Input, u.Input), Output: f(t.Output, u.Output), Read: f(t.Read, u.Read), Thinking: f(t.Thinking, u.Thinking),
		Write: f(t.Write, u.Write), Write5m: f(t.Write5m, u.Write5m), Write1h: f(t.Write1h, u.Write1h), Searches: f(t.Searches, u.Searches),
	}
}
