package session

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestTitles wants the marks of the entries in an end of a log. TYPE and NAME stand for each kind of mark.
func TestTitles(t *testing.T) {
	marks := []struct {
		typ, name string
		of        func(titles) string
	}{
		{"custom-title", "customTitle", func(t titles) string { return t.custom }},
		{"ai-title", "aiTitle", func(t titles) string { return t.ai }},
		{"tag", "tag", func(t titles) string { return t.tag }},
		{"last-prompt", "lastPrompt", func(t titles) string { return t.lastPrompt }},
	}
	const s = `"sessionId":"s"`
	const plan = `{"type":"user","uuid":"a","message":{"role":"user","content":"Implement the following plan:\n\n# A pier of oak\n\nFell trees."}}` + "\n"
	for line, want := range map[string]string{
		`{"type":"TYPE","NAME":"V"}`:                "V",
		`{"NAME":"V","type":"TYPE"}`:                "V",
		`{ "type" : "TYPE","NAME" : "V" }`:          "V",
		`{"type":"TYPE","NAME":"V\q"}`:              "",
		`{"type":"TYPE","NAME":null}`:               "",
		`{"type":"user","NAME":"V"}`:                "",
		`{"type":"TYPE","x":{"NAME":"V"}}`:          "",
		`[{"type":"TYPE","NAME":"V"}]`:              "",
		"\t" + `{"type":"TYPE","NAME":"V"} ` + "\r": "V",

		// Damaged lines:
		`x{"type":"TYPE","NAME":"V",` + s + `}`:                                           "V",
		`{"a":"b{"type":"TYPE","NAME": "V",` + s + `} `:                                   "V",
		`{"type":"TYPE","NAME":"V"}x`:                                                     "V",
		`{"type":"TYPE","NAME":"V"`:                                                       "",
		`{"type":"TYPE","NAME":"U"}{"type":"TYPE","NAME":"V"}`:                            "V",
		`{"type":"TYPE","NAME":"V"}{"type":"user"}`:                                       "V",
		`{"a":[1,{"type":"TYPE","NAME":"V",` + s + `}]`:                                   "",
		`{"a":"` + strings.Repeat("z", 5000) + `{"type":"TYPE","NAME":"V",` + s + `}`:     "V",
		`{"type":"TYPE","NAME":"U"}` + "\n" + `{"type":"TYPE","NAME":1}`:                  "U",
		`{"type":"TYPE","NAME":"U"}` + "\n" + `{"type":"TYPE","x":{"NAME":"V"}}` + "\n\n": "U",
	} {
		for _, m := range marks {
			line := strings.NewReplacer("TYPE", m.typ, "NAME", m.name).Replace(line)
			for _, tail := range []bool{true, m.name == "tag" || m.name == "lastPrompt"} { // a head has neither
				require.Equal(t, want, m.of(titlesIn(line, tail)), line)
			}
		}
	}
	for log, want := range map[string]string{ // what names a session that begins with a plan
		plan: "A pier of oak",
		plan + `{"type":"last-prompt","lastPrompt":"Implement the following plan: # A pier of oak Fell"}`: "A pier of oak",
		plan + `{"type":"last-prompt","lastPrompt":"Implement the following plan: # A pier of oak Fe…"}`:  "A pier of oak",
		plan + `{"type":"last-prompt","lastPrompt":"Implement the following plan: # A boat"}`:             "A boat",
		plan + `{"type":"last-prompt","lastPrompt":"Sail."}`:                                              "Sail.",
		plan + `{"type":"custom-title","customTitle":"Implement the following plan: mine"}`:               "Implement the following plan: mine",
	} {
		name, err := NameOf(strings.NewReader(log), int64(len(log)))
		require.NoError(t, err)
		require.Equal(t, want, name, log)
	}
	for line, want := range map[string]string{ // of the summary
		`{"type":"summary","summary":"V"}`:          "V",
		`{"type":"x","summary":` + "\t" + `"V"}`:    "V",
		`{"type":"tool_use_summary","summary":"V"}`: "",
		`{"x":{"summary":"V"}}`:                     "",

		`{"type":"system","subtype":"task_notification","session_id":"s","summary":"V"}`: "", // of a capture
		`x{"type":"summary","summary":"V"}`:                                              "",
	} {
		require.Equal(t, want, titlesIn(line, true).summary, line)
	}
}

// titlesIn returns the titles of a tail, or of a head.
func titlesIn(end string, isTail bool) (t titles) {
	r := newEndReader()
	for e := range r.entriesIn([]byte(end)) {
		if isTail {
			r.inTail(&t, e)
		} else {
			t.mark(e, r.seen.in)
		}
	}
	return t
}

// TestAttached wants what the Agent SDK calls a session whose prompts have no text, as asked with
// these lines: the first line with an attachment counts, even if the head ends within it.
func TestAttached(t *testing.T) {
	user := func(content, more string) string {
		return `{"type":"user","message":{"role":"user","content":` + content + "}" + more + "}\n"
	}
	const image, document = `[{"type":"image"}]`, `[{"type": "document"}]`
	for log, want := range map[string]string{
		user(image, ""):                                                     "Image",
		user(document, ""):                                                  "Document",
		user(document, "") + user(image, ""):                                "Document",
		user(`[{"type":"document"},{"type":"image"}]`, ""):                  "Image",
		user(`[{"type":"image"},{"type":"text","text":"  "}]`, ""):          "Image",
		user(`[{"type":"image"},{"type":"text","text":"words"}]`, ""):       "words",
		user(image, "") + user(`"words"`, ""):                               "words",
		user(image, "") + user(`"<command-name>/x</command-name>"`, ""):     "/x",
		user(image, "") + `{"type":"summary","summary":"S"}`:                "S",
		user(`"`+strings.Repeat(`\ud800`, 200)+`"`, ""):                     strings.Repeat("\xed\xa0\x80", 200),
		user(`"`+strings.Repeat(`\ud800`, 201)+`"`, ""):                     strings.Repeat("\xed\xa0\x80", 200) + "…",
		user(`"`+strings.Repeat("\xedab", 70)+`"`, ""):                      strings.Repeat("\xedab", 66) + "\xeda…",
		user(`"`+strings.Repeat(`\ud83d\ude00`, 101)+`"`, ""):               strings.Repeat("\U0001f600", 100) + "…",
		user(document, `,"isMeta":true`) + user(image, ""):                  "Image",
		user(document, `,"isCompactSummary":true`):                          "Document",
		user(`[{"type":"image"},{"type":"tool_result"}]`, ""):               "",
		user(`[{"type" :"image"}]`, ""):                                     "",
		user(`"{\"type\":\"image\"}"`, `,"isMeta":true`):                    "",
		`{"type":"assistant","message":{"content":` + image + "}}\n":        "",
		user(image, `,"x":"`+strings.Repeat("x", endSize)+`"`):              "Image",
		`{"x":"` + strings.Repeat("x", endSize) + "\"}\n" + user(image, ""): "",
	} {
		r := newEndReader()
		e, err := r.inPlace(strings.NewReader(log), int64(len(log)))
		require.NoError(t, err)
		names := r.names(e)
		require.Equal(t, want, names.summaryOf(), log[:min(len(log), 200)])
		name, err := NameOf(strings.NewReader(log), int64(len(log)))
		require.NoError(t, err)
		names.attached = ""
		require.Equal(t, names.summaryOf(), name)
	}
}

// TestSentAfter wants what takes a session out of the archive of the Agent SDK, as asked with these
// lines.
func TestSentAfter(t *testing.T) {
	const mark = 1767261600_000000 // 2026-01-01T10:00:00Z
	entryOf := func(typ, members, time string) string {
		return `{"type":"` + typ + `",` + members + `,"timestamp":"` + time + `"}`
	}
	later := "2026-01-01T11:00:00.000Z"
	user := func(content, more string) string {
		return entryOf("user", `"message":{"role":"user","content":`+content+`}`+more, later)
	}
	queued := func(more string) string {
		return entryOf("attachment", `"attachment":{"type":"queued_command",`+more+`}`, later)
	}
	for line, want := range map[string]bool{
		user(`"words"`, ""):                                   true,
		user(`"  "`, ""):                                      false,
		user(`null`, ""):                                      false,
		user(`[{"type":"image"}]`, ""):                        true,
		user(`[{"type":"document"}]`, ""):                     true,
		user(`[{"type":"image"},{"type":"tool_result"}]`, ""): false,
		user(`"<bash-input>ls</bash-input>"`, ""):             true,
		user(`"<bash-stdout>x</bash-stdout>"`, ""):            false,
		user(`"<command-name>/x</command-name><command-args>y</command-args>"`, ""):       false,
		user(`"<command-message>x</command-message><command-name>/x</command-name>"`, ""): true,
		user(`"<div>x</div>"`, ""): false,
		user(`[{"type":"text","text":"<div>"},{"type":"text","text":"words"}]`, ""):   true,
		user(`"[Request interrupted by user]"`, ""):                                   false,
		user(`"words"`, `,"isMeta":true`):                                             false,
		user(`"words"`, `,"isSidechain":true`):                                        false,
		user(`"words"`, `,"isCompactSummary":true`):                                   false,
		user(`"words"`, `,"isVisibleInTranscriptOnly":true`):                          false,
		user(`"words"`, `,"origin":{"kind":"human"}`):                                 true,
		user(`"words"`, `,"origin":{"kind":"channel"}`):                               false,
		queued(`"prompt":"words"`):                                                    true,
		queued(`"prompt":[{"type":"image"}]`):                                         true,
		queued(`"prompt":"words","isMeta":true`):                                      false,
		queued(`"prompt":"words","origin":{"kind":"task-notification"}`):              false,
		queued(`"prompt":"<task-notification>x</task-notification>"`):                 false,
		entryOf("attachment", `"attachment":{"type":"x","prompt":"words"}`, later):    false,
		entryOf("assistant", `"message":{"content":"words"}`, later):                  false,
		entryOf("user", `"message":{"content":"words"}`, "2026-01-01T10:00:00.001Z"):  true,
		entryOf("user", `"message":{"content":"words"}`, "2026-01-01T10:00:00Z"):      false,
		entryOf("user", `"message":{"content":"words"}`, "2026-01-01T11:30:00+02:00"): false,
		entryOf("user", `"message":{"content":"words"}`, ""):                          false,
		user(`"words"`, "")[:40]:                                                      false,
	} {
		text := user(`"older"`, `,"isMeta":true`) + "\n" + line + "\n"
		require.Equal(t, want, newEndReader().sentAfter([]byte(text), mark), line)
	}
}
