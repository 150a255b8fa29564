package says

import (
	"bytes"

	"jl/internal/entry"
)

// EndsCapture reports whether e is the last line of a turn in a capture, which tells of all lines before it.
func EndsCapture(e *entry.Entry) bool {
	return e.Get(entry.Type).Is("result") && (e.Member("session_id") != nil || e.Get(entry.SessionID) != nil)
}

// captureEnds tells what the last line of a capture says: the answer again, what failed, a total of its own, and what
// it cost.
func captureEnds(e *entry.Entry, t *Telling) {
	t.Session = entry.First(t.Session, e.Member("session_id"), e.Get(entry.SessionID))
	m := entry.FieldsOf(e.Bytes)
	if m.Get("is_error").Truthy() || m.Get("status").Is("error") || hasPrefix(e.Get(entry.Subtype), "error") {
		t.text(Failure, entry.First(m.Get("result").NonEmpty(), m.Get("error").Member("message").NonEmpty(), m.Get("error").NonEmpty(), saying(e.Bytes, "errors"), e.Get(entry.Subtype)))
	} else if m.Get("result").IsString() {
		t.say(Thing{Is: Answer, Text: m.Get("result"), Again: true})
	}
	stats := m.Get("stats")
	scope := OfLog
	if stats.Member("total_tokens") != nil || m.Get("usage").Member("inputTokens") != nil { // of Gemini CLI and Cursor, which print it once
		scope = OfRun
	}
	switch {
	case m.Get("modelUsage").IsObject() && len(bytes.TrimSpace(m.Get("modelUsage"))) > 2:
		t.totals(m.Get("modelUsage"), OfLog, false, itself)
	case stats.Member("models").IsObject():
		t.totals(stats.Member("models"), scope, true, func(v entry.Value) entry.Value { return entry.First(v.Member("tokens"), v) })
	case stats.IsObject():
		t.usage(stats, true, Thing{Scope: scope})
	default:
		t.usage(m.Get("usage"), false, Thing{Scope: scope})
	}
	if m.Get("total_cost_usd").IsNumber() { // behind the totals, which tell whether the client started again
		t.bill(e.Bytes)
	}
}

// bill adds what the client itself counted, with the tokens of all models.
func (t *Telling) bill(told entry.Value) {
	m := entry.FieldsOf(told)
	bill := Thing{Is: Bill, Bill: &Counted{
		Start: entry.First(m.Get("startTime"), m.Get("session_id")), Dollars: entry.First(m.Get("totalCostUSD"), m.Get("total_cost_usd")),
		Added: m.Get("totalLinesAdded"), Removed: m.Get("totalLinesRemoved"), Millis: m.Get("totalDuration"),
	}}
	if bill.Bill.Start == nil {
		bill.Bill.Start = entry.Value(`""`)
	}
	var usages []entry.Value
	for _, v := range m.Get("modelUsage").Members() {
		usages = append(usages, v)
	}
	if usages == nil {
		usages = []entry.Value{m.Get("usage")}
	}
	for _, v := range usages {
		bill.Tokens = bill.Tokens.Plus(t.tokens(v, false))
	}
	t.say(bill)
}

// isStream reports whether e is a line that gemini or cursor-agent prints with --output-format stream-json.
func isStream(e *entry.Entry, typ entry.Value) bool {
	switch {
	case typ.Is("init"):
		return true
	case typ.Is("message"):
		return e.Member("role") != nil && e.Member("content").IsString() && e.Get(entry.Timestamp) != nil && e.Get(entry.ID) == nil
	case typ.Is("tool_use"), typ.Is("tool_result"):
		return e.Member("tool_id") != nil
	case typ.Is("tool_call"):
		return e.Member("tool_call").IsObject()
	}
	return typ.Is("thinking") && e.Get(entry.Subtype) != nil
}

// streamSays tells what a line says that gemini or cursor-agent prints with --output-format stream-json. A text comes
// in pieces.
func streamSays(e *entry.Entry, t *Telling) {
	t.Session = entry.First(e.Member("session_id"), e.Get(entry.SessionID)).NonEmpty()
	switch typ := e.Get(entry.Type); {
	case typ.Is("init"):
		t.Model = e.Member("model").NonEmpty()
		t.say(Thing{Is: Setting, Model: t.Model})
	case typ.Is("message"):
		x := Thing{Is: Answer, Text: entry.First(e.Member("content"), entry.Value(`""`)), Piece: true}
		if e.Member("role").Is("user") {
			x = Thing{Is: Prompt, Text: x.Text}
		}
		t.say(x)
	case typ.Is("thinking"):
		if text := e.Member("text").NonEmpty(); text != nil {
			t.say(Thing{Is: Thinking, Text: text, Piece: true})
		}
	case typ.Is("tool_use"):
		t.say(Thing{Is: Call, Call: e.Member("tool_id"), Name: e.Member("tool_name"), Input: e.Member("parameters")})
	case typ.Is("tool_result"):
		t.say(Thing{Is: Result, Call: e.Member("tool_id"), Text: entry.First(e.Member("output"), e.Member("error").Member("message")), Failed: e.Member("status").Is("error")})
	case typ.Is("error"):
		t.text(Failure, entry.First(e.Get(entry.Message), e.Member("error").Member("message"), e.Member("error")))
	case typ.Is("tool_call"):
		cursorCall(e, t)
	default:
		t.unreadEntry(typ)
	}
}

// cursorCall tells a call of Cursor's stream, or its result. The one member of tool_call is named after the tool.
func cursorCall(e *entry.Entry, t *Telling) {
	id := e.Member("call_id")
	for name, v := range e.Member("tool_call").Members() {
		if e.Get(entry.Subtype).Is("started") {
			x := Thing{Is: Call, Call: id, Name: quoted(string(bytes.TrimSuffix(name.Text(), []byte("ToolCall")))), Input: entry.First(v.Member("args"), v)}
			if own := v.Member("name").NonEmpty(); own != nil && name.Is("function") { // a tool of the user's own
				x.Name, x.Input = own, v.Member("arguments")
			}
			t.say(x)
			return
		}
		result := v.Member("result")
		text := entry.First(result.Member("success"), result.Member("error"), result.Member("failure"), result.Member("rejected"), result)
		if said := lines(text.Member("stdout"), text.Member("stderr")); len(said) > 2 {
			text = said
		} else {
			text = entry.First(text.Member("content"), text.Member("stdout"), text.Member("message"), text.Member("errorMessage"), text.Member("reason"), text)
		}
		t.say(Thing{Is: Result, Call: id, Text: text, Failed: result.IsObject() && result.Member("success") == nil})
		return
	}
}
