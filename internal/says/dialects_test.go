package says

import (
	"testing"

	"github.com/stretchr/testify/require"

	"jl/internal/dialect"
	"jl/internal/entry"
)

func scanned(t *testing.T, text string) *entry.Entry {
	t.Helper()
	var e entry.Entry
	require.True(t, e.Scan([]byte(text)), text)
	return &e
}

// A prompt is found where its program writes it.
func TestPrompts(t *testing.T) {
	for _, test := range []struct {
		log           dialect.Dialect
		entry, prompt string
	}{
		{dialect.Codex, `{"type":"event_msg","payload":{"type":"user_message","message":"x"},"timestamp":"1970-01-01T00:00:01Z"}`, `"x"`},
		{dialect.Codex, `{"type":"event_msg","payload":{"type":"item_completed","item":{"type":"UserMessage","content":[{"type":"image"},{"type":"text","text":"x"}]}}}`, `"x"`},
		{dialect.Codex, `{"type":"event_msg","payload":{"type":"item_completed","item":{"type":"AgentMessage","content":[{"text":"x"}]}}}`, ``},
		{dialect.Codex, `{"type":"event_msg","payload":{"type":"agent_message","message":"x"}}`, ``},
		{dialect.Codex, `{"type":"response_item","payload":{}}`, ``},
		{dialect.Codex, `{"type":"compacted","payload":{}}`, ``},
		{dialect.Gemini, `{"id":"a","type":"user","content":"x"}`, `"x"`},
		{dialect.Gemini, `{"id":"a","type":"user","content":[{"text":"x"},{"text":"y"}]}`, `"x"`},
		{dialect.Gemini, `{"id":"a","type":"user","content":[]}`, ``},
		{dialect.Gemini, `{"id":"a","type":"gemini","content":"x"}`, ``},
		{dialect.Gemini, `{"id":"a","type":"info","content":"x"}`, ``},
		{dialect.DeepSeek, `{"type":"user/message","data":{"content":[{"type":"text","text":"x"}]},"time":2}`, `"x"`},
		{dialect.DeepSeek, `{"type":"turn/start","time":"x"}`, ``},
		{dialect.DeepSeek, `{"type":"turn/start","time":9223372036854775807}`, ``},
		{dialect.Grok, `{"update":{"sessionUpdate":"user_message_chunk","content":{"text":"x"}},"timestamp":3}`, `"x"`},
		{dialect.Grok, `{"params":{"update":{"sessionUpdate":"plan"}},"timestamp":-1}`, ``},
		{dialect.Grok, `{"update":{"sessionUpdate":"\x"}}`, ``},
		{dialect.Copilot, `{"type":"user.message","data":{"content":"x"}}`, `"x"`},
		{dialect.Copilot, `{"type":"system.message","data":{"content":"x"}}`, ``},
		{dialect.Copilot, `{"type":"session.idle","data":{}}`, ``},
		{dialect.Pi, `{"type":"message","message":{}}`, ``},
		{dialect.Pi, `{"type":"label"}`, ``},
		{dialect.Unknown, `{"role":"user"}`, ``},
		{dialect.Unknown, `{"role":"user","message":{"content":[{"text":"x"}]}}`, `"x"`},
		{dialect.Unknown, `{"role":"assistant","message":{"content":"x"},"timestamp":1777629600000}`, ``},
		{dialect.Unknown, `{"timestamp":1777629600}`, ``},
	} {
		require.Equal(t, test.prompt, string(promptOf(test.log, scanned(t, test.entry))), test.entry)
	}
}

func TestCalls(t *testing.T) {
	tests := []struct {
		dialect dialect.Dialect
		entry   string
		want    int
	}{
		{dialect.Codex, `{"type":"response_item","payload":{"type":"function_call"}}`, 1},
		{dialect.Codex, `{"type":"response_item","payload":{"type":"function_call_output"}}`, 0},
		{dialect.Codex, `{"type":"event_msg","payload":{"type":"function_call"}}`, 0},
		{dialect.Gemini, `{"id":"a","type":"gemini","content":"x","toolCalls":[{},{}]}`, 2},
		{dialect.Gemini, `{"id":"a","type":"gemini","content":"x"}`, 0},
		{dialect.DeepSeek, `{"type":"assistant/message","data":{"message":{"content":[{"type":"tool-call","id":"c"}]}}}`, 1},
		{dialect.DeepSeek, `{"type":"tool/call"}`, 0},
		{dialect.DeepSeek, `{"type":"tool/result"}`, 0},
		{dialect.Grok, `{"update":{"sessionUpdate":"tool_call"}}`, 1},
		{dialect.Grok, `{"update":{"sessionUpdate":"tool_call_update"}}`, 0},
		{dialect.Copilot, `{"type":"assistant.message","data":{"toolRequests":[{"toolCallId":"a"},{"toolCallId":"b"}]}}`, 2},
		{dialect.Copilot, `{"type":"tool.execution_start"}`, 0},
		{dialect.Copilot, `{"type":"tool.execution_complete"}`, 0},
		{dialect.Unknown, `{"type":"tool_call"}`, 0},
	}
	for _, test := range tests {
		require.Equal(t, test.want, callsIn(test.dialect, scanned(t, test.entry)), test.entry)
	}
}

func TestSessionOf(t *testing.T) {
	tests := []struct{ entry, want string }{
		{`{}`, ""},
		{`{"sessionId":"a"}`, `"a"`},
		{`{"sessionId":"\u0061","session_id":"b"}`, `"\u0061"`},
		{`{"sessionId":7,"session_id":"b"}`, `"b"`},
		{`{"session_id":""}`, ""},
		{`{"type":"system","subtype":"hook_started","session_id":"a"}`, ""},
		{`{"type":"system","subtype":"init","session_id":"a"}`, `"a"`},
		{`{"message":{"sessionId":"decoy"}}`, ""},
	}
	for _, test := range tests {
		require.Equal(t, test.want, string(SessionOf(scanned(t, test.entry))), test.entry)
	}
}

// promptOf returns the first text of the first prompt in e that is sure, or nil.
func promptOf(d dialect.Dialect, e *entry.Entry) entry.Value {
	var t Telling
	Tell(d, e, &t)
	for i := range t.Things {
		if x := &t.Things[i]; x.Is == Prompt && !x.Unsure {
			for v := range each(x.Text) {
				if text := BlockOf(v).Text; text != nil {
					return text
				}
			}
		}
	}
	return nil
}

// callsIn returns how many tools e calls.
func callsIn(d dialect.Dialect, e *entry.Entry) (n int) {
	var t Telling
	Tell(d, e, &t)
	for i := range t.Things {
		if t.Things[i].Is == Call {
			n++
		}
	}
	return n
}
