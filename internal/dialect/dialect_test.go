package dialect

import (
	"testing"

	"github.com/stretchr/testify/require"

	"jl/internal/entry"
)

func scanned(t *testing.T, text string) *entry.Entry {
	t.Helper()
	var e entry.Entry
	require.True(t, e.Scan([]byte(text)), text)
	return &e
}

func TestOf(t *testing.T) {
	tests := []struct {
		name, first string
		want        Dialect
		header      bool
	}{
		{"Claude", `{"type":"user","uuid":"a","parentUuid":null}`, Claude, false},
		{"Claude, not a node", `{"type":"summary","summary":"x","leafUuid":"a"}`, Claude, false},
		{"pi", `{"type":"session","version":3,"id":"a","timestamp":"2026-01-01T00:00:00Z","cwd":"/w"}`, Pi, true},
		{"pi, first version", `{"type":"session","id":"a"}`, PiV1, true},
		{"pi, without its header", `{"type":"message","id":"a","parentId":"b"}`, Pi, false},
		{"pi, an edge of a root", `{"id":"a","parentId":null,"line":1,"offset":0,"length":9}`, Pi, false},
		{"an edge of a sidechain with pi's names", `{"id":"a","parentId":null,"isSidechain":true}`, Pi, false},
		{"a sidechain without an id", `{"isSidechain":true,"parentId":null}`, Claude, false},
		{"session by type only", `{"type":"session"}`, Unknown, false},
		{"session whose id is not a string", `{"type":"session","id":1}`, Unknown, false},
		{"session with a uuid", `{"type":"session","id":"a","uuid":"b"}`, Claude, false},
		{"entry of type session inside a tree", `{"type":"session","id":"a","parentId":null}`, Pi, false},
		{"both kinds of id", `{"uuid":"a","id":"b","parentId":"c"}`, Claude, false},
		{"an id without a parent", `{"type":"message","id":"a"}`, Unknown, false},
		{"an id that is not a string", `{"type":"message","id":7,"parentId":null}`, Unknown, false},
		{"pi, an entry without an id", `{"type":"message","message":{"role":"user"}}`, PiV1, false},
		{"pi, type escaped", `{"type":"\u006dessage","message":{}}`, PiV1, false},
		{"a message of another program's", `{"type":"message","role":"user","content":"x"}`, Unknown, false},
		{"a type of Claude without an id", `{"type":"custom-title","customTitle":"x"}`, Claude, false},
		{"a type of Claude with an id", `{"type":"file-history-snapshot","id":"x","sessionId":"s"}`, Unknown, false},
		{"a word that others may use, too", `{"type":"summary"}`, Unknown, false},
		{"such a word, of a session", `{"type":"mode","mode":"x","sessionId":"s"}`, Claude, false},
		{"old, without an id", `{"type":"user","message":{}}`, ClaudeNoIDs, false},
		{"not Claude's message", `{"type":"user","message":"x"}`, Unknown, false},
		{"a type that is not a string", `{"type":["message"]}`, Unknown, false},
		{"a type of pi with a uuid", `{"type":"message","uuid":"a"}`, Claude, false},
		{"a type of pi with a uuid that is null", `{"type":"message","uuid":null}`, Claude, false},
		{"nothing", `{}`, Unknown, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			e := scanned(t, test.first)
			require.Equal(t, test.want, Of(e))
			require.Equal(t, test.header, Pi.IsHeader(e))
		})
	}
}

func TestIDOfAndParentOf(t *testing.T) {
	tests := []struct{ name, text, claude, claudeParent, pi, piParent string }{
		{"Claude", `{"uuid":"a","parentUuid":"b"}`, `"a"`, `"b"`, ``, ``},
		{"pi", `{"id":"a","parentId":"b"}`, ``, ``, `"a"`, `"b"`},
		{"both", `{"uuid":"a","id":"b","parentUuid":"c","parentId":"d"}`, `"a"`, `"c"`, `"b"`, `"d"`},
		{"null", `{"uuid":null,"parentUuid":null,"id":null,"parentId":null}`, ``, ``, ``, ``},
		{"empty", `{"uuid":"","parentUuid":"","id":"","parentId":""}`, ``, ``, ``, ``},
		{"not strings", `{"uuid":1,"parentUuid":["x"],"id":{"a":"b"},"parentId":true}`, ``, ``, ``, ``},
		{"absent", `{}`, ``, ``, ``, ``},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			e := scanned(t, test.text)
			require.Equal(t, test.claude, string(Claude.IDOf(e)))
			require.Equal(t, test.claudeParent, string(Claude.ParentOf(e)))
			require.Equal(t, test.pi, string(Pi.IDOf(e)))
			require.Equal(t, test.piParent, string(Pi.ParentOf(e)))
			if test.claude == `` {
				require.Nil(t, Claude.IDOf(e))
			}
		})
	}
}

func TestPiVersion(t *testing.T) {
	for text, want := range map[string]Dialect{
		`{"type":"session","id":"a"}`:                 PiV1,
		`{"type":"session","id":"a","version":1}`:     PiV1,
		`{"type":"session","id":"a","version":"3"}`:   PiV1,
		`{"type":"session","id":"a","version":2}`:     Pi,
		`{"type":"session","id":"a","version":3.0}`:   Pi,
		`{"type":"message","message":{}}`:             PiV1,
		`{"type":"message","id":"a","parentId":null}`: Pi,
		`{"type":"message","id":"a","parentId":"x"}`:  Pi,
	} {
		require.Equal(t, want, Of(scanned(t, text)), text)
	}
}

func TestIsConversation(t *testing.T) {
	for _, typ := range []string{"user", "assistant", "tool_result", "attachment", "system"} {
		require.True(t, Claude.IsConversation(scanned(t, `{"type":"`+typ+`"}`)), typ)
	}
	for _, typ := range []string{`"progress"`, `"summary"`, `"User"`, `""`, `null`, `["user"]`} {
		require.False(t, Claude.IsConversation(scanned(t, `{"type":`+typ+`}`)), typ)
	}
	require.False(t, Claude.IsConversation(scanned(t, `{"message":{"type":"user"}}`)))
}

func TestIsBoundary(t *testing.T) {
	require.True(t, Claude.IsBoundary(scanned(t, `{"type":"system","subtype":"compact_boundary"}`)))
	require.False(t, Claude.IsBoundary(scanned(t, `{"type":"system","subtype":"microcompact_boundary"}`)))
	require.False(t, Claude.IsBoundary(scanned(t, `{"type":"user","subtype":"compact_boundary"}`)))
	require.False(t, Claude.IsBoundary(scanned(t, `{"type":"system"}`)))
	require.True(t, Claude.IsBoundary(scanned(t, `{"type":"system","subtype":"chat_compression","parentUuid":"a"}`)))
	require.True(t, Claude.IsBoundary(scanned(t, `{"type":"system","subtype":"rewind","parentUuid":null}`)))
	require.False(t, Claude.IsBoundary(scanned(t, `{"type":"system","subtype":"rewind","parentUuid":"a"}`)))
}

func TestLogicalParentOf(t *testing.T) {
	for _, test := range []struct{ text, parent, logical string }{
		{`{"type":"system","subtype":"compact_boundary","parentUuid":null,"logicalParentUuid":"a"}`, ``, `"a"`},
		{`{"type":"system","subtype":"compact_boundary","parentUuid":"b","logicalParentUuid":"a"}`, `"b"`, `"a"`},
		{`{"type":"system","subtype":"chat_compression","parentUuid":"a"}`, ``, `"a"`},
		{`{"type":"user","parentUuid":"a","logicalParentUuid":""}`, `"a"`, ``},
	} {
		e := scanned(t, test.text)
		require.Equal(t, test.parent, string(Claude.ParentOf(e)), test.text)
		require.Equal(t, test.logical, string(Claude.LogicalParentOf(e)), test.text)
	}
}

// What an entry is, and when it was written, is found where its program writes it.
func TestDialectsOfEntries(t *testing.T) {
	tests := []struct {
		dialect               Dialect
		entry                 string
		kind                  string
		conversation, message bool
		time                  int64 // in microseconds, 0 if there is none
	}{
		{Codex, `{"type":"event_msg","payload":{"type":"user_message","message":"x"},"timestamp":"1970-01-01T00:00:01Z"}`, `"event_msg"`, false, false, 1e6},
		{Codex, `{"type":"event_msg","payload":{"type":"item_completed","item":{"type":"UserMessage","content":[{"type":"image"},{"type":"text","text":"x"}]}}}`, `"event_msg"`, false, false, 0},
		{Codex, `{"type":"event_msg","payload":{"type":"item_completed","item":{"type":"AgentMessage","content":[{"text":"x"}]}}}`, `"event_msg"`, false, false, 0},
		{Codex, `{"type":"event_msg","payload":{"type":"agent_message","message":"x"}}`, `"event_msg"`, false, false, 0},
		{Codex, `{"type":"response_item","payload":{}}`, `"response_item"`, true, true, 0},
		{Codex, `{"type":"compacted","payload":{}}`, `"compacted"`, true, false, 0},
		{Gemini, `{"id":"a","type":"user","content":"x"}`, `"user"`, true, true, 0},
		{Gemini, `{"id":"a","type":"user","content":[{"text":"x"},{"text":"y"}]}`, `"user"`, true, true, 0},
		{Gemini, `{"id":"a","type":"user","content":[]}`, `"user"`, true, true, 0},
		{Gemini, `{"id":"a","type":"gemini","content":"x"}`, `"gemini"`, true, true, 0},
		{Gemini, `{"id":"a","type":"info","content":"x"}`, `"info"`, false, false, 0},
		{DeepSeek, `{"type":"user/message","data":{"content":[{"type":"text","text":"x"}]},"time":2}`, `"user/message"`, true, true, 2e3},
		{DeepSeek, `{"type":"turn/start","time":"x"}`, `"turn/start"`, false, false, 0},
		{DeepSeek, `{"type":"turn/start","time":9223372036854775807}`, `"turn/start"`, false, false, 0},
		{Grok, `{"update":{"sessionUpdate":"user_message_chunk","content":{"text":"x"}},"timestamp":3}`, `"user_message_chunk"`, true, true, 3e6},
		{Grok, `{"params":{"update":{"sessionUpdate":"plan"}},"timestamp":-1}`, `"plan"`, false, false, 0},
		{Grok, `{"update":{"sessionUpdate":"\x"}}`, ``, false, false, 0},
		{Copilot, `{"type":"user.message","data":{"content":"x"}}`, `"user.message"`, true, true, 0},
		{Copilot, `{"type":"system.message","data":{"content":"x"}}`, `"system.message"`, true, false, 0},
		{Copilot, `{"type":"session.idle","data":{}}`, `"session.idle"`, false, false, 0},
		{Pi, `{"type":"message","message":{}}`, `"message"`, true, true, 0},
		{Pi, `{"type":"label"}`, `"label"`, true, false, 0},
		{Unknown, `{"role":"user"}`, ``, true, true, 0},
		{Unknown, `{"role":"user","message":{"content":[{"text":"x"}]}}`, ``, true, true, 0},
		{Unknown, `{"role":"assistant","message":{"content":"x"},"timestamp":1777629600000}`, ``, true, true, 1777629600e6},
		{Unknown, `{"timestamp":1777629600}`, ``, true, true, 0},
		{Unknown, `{"role":"user","createdAt":"1970-01-01T00:00:02Z"}`, ``, true, true, 2e6},
		{Unknown, `{"role":"user","ts":1777629600}`, ``, true, true, 1777629600e6},
		{Unknown, `{"role":"user","created":1777629600123}`, ``, true, true, 1777629600123e3},
		{Unknown, `{"role":"user","time":-1}`, ``, true, true, 0},
		{Unknown, `{"role":"user","time":{"created":1}}`, ``, true, true, 0},
	}
	for _, test := range tests {
		e, d := scanned(t, test.entry), test.dialect
		require.Equal(t, test.kind, string(d.Type(e)), test.entry)
		require.Equal(t, test.conversation, d.IsConversation(e), test.entry)
		require.Equal(t, test.message, d.IsMessage(e), test.entry)
		at, ok := d.Instant(e)
		require.Equal(t, test.time != 0, ok, test.entry)
		if ok {
			require.Equal(t, test.time, at, test.entry)
		}
	}
}

func TestAgent(t *testing.T) {
	for text, want := range map[string]string{
		`{"agentId":"a","ephemeral":true}`:   `"a"`,
		`{"agentId":"","ephemeral":true}`:    `true`,
		`{"isSidechain":true}`:               ``,
		`{"agentId":null,"ephemeral":false}`: ``,
	} {
		require.Equal(t, want, string(Copilot.Sidechain(scanned(t, text))), text)
	}
	require.Equal(t, `true`, string(Claude.Sidechain(scanned(t, `{"isSidechain":true,"agentId":"a"}`))))
	require.Nil(t, Codex.Sidechain(scanned(t, `{"agentId":"a"}`)))
}
