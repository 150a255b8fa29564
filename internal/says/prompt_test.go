package says

import (
	"testing"

	"github.com/stretchr/testify/require"

	"jl/internal/dialect"
)

func TestPromptOf(t *testing.T) {
	tests := []struct{ entry, want string }{
		{`{"type":"user","message":{"content":" x\n"}}`, "x"},
		{`{"type":"message","message":{"role":"user","content":"x"}}`, "x"},
		{`{"type":"user","message":{"content":[{"type":"image"},{"type":"text","text":" "},{"type":"text","text":"x"}]}}`, "x"},
		{`{"type":"user","message":{"content":[{"type":"text","text":"<system-reminder>r</system-reminder>"},{"type":"text","text":"x "},{"type":"image"},{"type":"text","text":"y"},{"type":"text","text":"z"}]}}`, "x\ny\nz"},
		{`{"type":"user","message":{"content":[{"type":"tool_result"}]}}`, ""},
		{`{"type":"user","isCompactSummary":true,"message":{"content":"x"}}`, ""},
		{`{"type":"user","isMeta":true,"message":{"content":"x"}}`, ""},
		{`{"type":"user","isSynthetic":true,"message":{"content":"x"}}`, ""},
		{`{"type":"user","origin":{"kind":"human"},"message":{"content":"x"}}`, "x"},
		{`{"type":"user","origin":{"kind":"auto-continuation"},"message":{"content":"x"}}`, ""},
		{`{"type":"user","isMeta":true,"origin":{"kind":"channel","server":"s"},"message":{"content":"<channel source=\"s\" user=\"ann\">\nx\n</channel>"}}`, "x"},
		{`{"type":"user","message":{"content":"<channel><title>x</title></channel>"}}`, "<channel><title>x</title></channel>"},
		{`{"type":"user","message":{"content":"<agent-notification>\nx</agent-notification>"}}`, ""},
		{`{"type":"user","message":{"content":"<user_action>\nx</user_action>"}}`, ""},
		{`{"type":"user","message":{"content":"[Your previous response had no visible output. Please continue and produce a user-visible response.]"}}`, ""},
		{`{"type":"user","message":{"content":"<command-name>/rename</command-name>\n<command-message>rename</command-message>\n<command-args>Moons</command-args>"}}`, ""},
		{`{"type":"assistant","message":{"role":"assistant","content":"x"}}`, ""},
		{`{"type":"attachment","attachment":{"type":"queued_command","prompt":"x","source_uuid":"u"}}`, "x"},
		{`{"type":"attachment","attachment":{"type":"queued_command","prompt":"x","origin":{"kind":"coordinator"}}}`, ""},
		{`{"type":"user","message":{"content":"<p> is wrong"}}`, "<p> is wrong"},
		{`{"type":"user","message":{"content":"<task-notification>\nx</task-notification>"}}`, ""},
		{`{"type":"user","message":{"content":"[Request interrupted by user]"}}`, ""},
		{`{"type":"user","message":{"content":[{"type":"text","text":"<ide_opened_file>x</ide_opened_file>"},{"type":"text","text":"x"}]}}`, "x"},
		{`{"type":"user","message":{"content":"<command-message>x</command-message>\n<command-name>/x</command-name>\n<command-args>y z</command-args>"}}`, "/x y z"},
		{`{"type":"user","message":{"content":"<command-name>/x</command-name><command-args></command-args>"}}`, ""},
		{`{"type":"user","message":{"content":"<command-message>x is running…</command-message>\n<command-name>/x</command-name>"}}`, "/x"},
		{`{"type":"user","message":{"content":"<command-name>/x</command-name>\n<command-message>x</command-message>\n<command-args></command-args>"}}`, ""},
		{`{"type":"user","message":{"content":"<command-name>/x"}}`, "<command-name>/x"},
		{`{"type":"user","message":{"content":"<bash-input>ls</bash-input>"}}`, "! ls"},
		{`{"type":"user","message":{"role":"user","parts":[{"text":"x"}]}}`, "x"},
		{`{"type":"tool_result","message":{"role":"user","parts":[{"functionResponse":{"id":"t"}}]}}`, ""},
		{`{"type":"user","subtype":"notification","message":{"role":"user","parts":[{"text":"x"}]}}`, ""},
	}
	for _, test := range tests {
		prompt, _ := PromptOf(dialect.Claude, scanned(t, test.entry))
		require.Equal(t, test.want, string(prompt), test.entry)
	}
}

func TestCommandWithoutArguments(t *testing.T) {
	prompt, command := PromptOf(dialect.Claude, scanned(t, `{"type":"user","message":{"content":"<command-name>/x</command-name><command-args></command-args>"}}`))
	require.Nil(t, prompt)
	require.Equal(t, "/x", string(command))
}
