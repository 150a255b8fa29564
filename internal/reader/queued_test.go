package reader

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jl/internal/log"
	"jl/test/drawn"
)

// A prompt that was queued is a message to the SDK, and an attachment to all others.
func TestQueuedPrompts(t *testing.T) {
	queued := func(id, parent, attachment, more string) string {
		return `|{"uuid":"` + id + `","parentUuid":"` + parent + `","type":"attachment","timestamp":"2026-01-01T00:00:03Z","attachment":{"type":"queued_command",` + attachment + `}` + more + `}`
	}
	const talk = "u1 user @1\na2 assistant <u1 @2\n"
	tests := []struct{ name, text, want string }{
		{"on the path", talk + queued("q3", "a2", `"prompt":"p","source_uuid":"x"`, "") + "\na4 assistant <q3 @4", "u1 a2 q3 a4"},
		{"as the leaf", talk + queued("q3", "a2", `"prompt":[]`, ""), "u1 a2 q3"},
		{"without a prompt", talk + queued("q3", "a2", `"prompt":{}`, "") + "\na4 assistant <q3 @4", "u1 a2 a4"},
		{"meta", talk + queued("q3", "a2", `"prompt":"p","isMeta":true`, "") + "\na4 assistant <q3 @4", "u1 a2 a4"},
		{"in a meta entry", talk + queued("q3", "a2", `"prompt":"p"`, `,"isMeta":true`) + "\na4 assistant <q3 @4", "u1 a2 q3 a4"},
		{"of a team", talk + queued("q3", "a2", `"prompt":"p"`, `,"teamName":"t"`) + "\na4 assistant <q3 @4", "u1 a2 a4"},
		{"whose message is on the path", talk + queued("q3", "a2", `"prompt":"p","source_uuid":"u1"`, "") + "\na4 assistant <q3 @4", "u1 a2 a4"},
		{"whose message follows", talk + queued("q3", "a2", `"prompt":"p","source_uuid":"a4"`, "") + "\na4 assistant <q3 @4", "u1 a2 a4"},
		{"twice", talk + queued("q3", "a2", `"prompt":"p","source_uuid":"x"`, "") + "\n" + queued("q4", "q3", `"prompt":"p","source_uuid":"x"`, "") + "\na5 assistant <q4 @4", "u1 a2 q3 a5"},
		{"another attachment", talk + "t3 attachment <a2 @3\na4 assistant <t3 @4", "u1 a2 a4"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			text := drawn.Log(test.text)
			for _, rules := range []Rules{SDK, SDKSystem} {
				r := read(t, text, rules)
				require.Equal(t, test.want, ids(t, r, r.Path(log.None, log.Options{}, false).Nodes))
			}
			all := read(t, text, Default)
			require.Len(t, all.Path(log.None, log.Options{}, false).Nodes, strings.Count(text, "\n"))
		})
	}
}
