package session

import (
	"strings"
	"testing"

	"jl/internal/entry"

	"github.com/stretchr/testify/require"
)

func TestPromptOf(t *testing.T) {
	tests := []struct{ name, entry, prompt, command string }{
		{"text", `{"type":"user","message":{"content":" one\ntwo "}}`, "one two", ""},
		{"blocks", `{"type":"user","message":{"content":[{"type":"image"},{"type":"text","text":"this"},{"type":"text","text":"that"}]}}`, "this", ""},
		{"command", `{"type":"user","message":{"content":"<command-name>/clear</command-name>"}}`, "", "/clear"},
		{"command and text", `{"type":"user","message":{"content":[{"type":"text","text":"<command-name>/a</command-name>"},{"type":"text","text":"b"}]}}`, "b", ""},
		{"shell command", `{"type":"user","message":{"content":"<bash-input>ls</bash-input>"}}`, "! ls", ""},
		{"put in", `{"type":"user","message":{"content":"<local-command-stdout>x</local-command-stdout>"}}`, "", ""},
		{"interrupted", `{"type":"user","message":{"content":"[Request interrupted by user]"}}`, "", ""},
		{"result", `{"type":"user","message":{"content":[{"type":"tool_result","content":"x"},{"type":"text","text":"y"}]}}`, "", ""},
		{"meta", `{"type":"user","isMeta":true,"message":{"content":"x"}}`, "", ""},
		{"summary", `{"type":"user","isCompactSummary":true,"message":{"content":"x"}}`, "", ""},
		{"answer", `{"type":"assistant","message":{"content":"x"}}`, "", ""},
		{"queued", `{"type":"attachment","attachment":{"type":"queued_command","prompt":[{"type":"text","text":"wait"}]}}`, "wait", ""},
		{"queued notice", `{"type":"attachment","attachment":{"type":"queued_command","prompt":"<task-notification>x"}}`, "", ""},
		{"queued by a program", `{"type":"attachment","attachment":{"type":"queued_command","isMeta":true,"prompt":"x"}}`, "", ""},
		{"attachment", `{"type":"attachment","attachment":{"type":"file","prompt":"x"}}`, "", ""},
		{"long", `{"type":"user","message":{"content":"` + strings.Repeat("x", 300) + `"}}`, strings.Repeat("x", 200) + "…", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var e entry.Entry
			require.True(t, e.Scan([]byte(test.entry)))
			prompt, command := PromptOf(&e)
			if e.Get(entry.Type).Is("attachment") {
				require.Empty(t, FirstPrompt(func(yield func(*entry.Entry) bool) { yield(&e) }))
			}
			require.Equal(t, []string{test.prompt, test.command}, []string{prompt, command})
		})
	}
}
