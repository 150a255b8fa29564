package dialect

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"jl/internal/entry"
)

// authors are the members by which Claude Code says who wrote a user entry, with all kinds of the type SDKMessageOrigin, and who that is.
var authors = []struct {
	members string
	want    Author
}{
	{``, Anybody},
	{`,"isMeta":false,"isSynthetic":false`, Anybody},
	{`,"origin":null`, Anybody},
	{`,"origin":{}`, Anybody},
	{`,"isMeta":true`, Client},
	{`,"isSynthetic":true`, Client},
	{`,"client_composed":true`, Client},
	{`,"origin":{"kind":"human"}`, Person},
	{`,"origin":{"kind":"channel","server":"telegram"}`, Person},
	{`,"isMeta":true,"origin":{"kind":"channel","server":"telegram"}`, Person},
	{`,"isSynthetic":true,"origin":{"kind":"channel","server":"telegram"}`, Client},
	{`,"isMeta":true,"origin":{"kind":"human"}`, Client},
	{`,"origin":{"kind":"peer","from":"uds:x","name":"Ann","body":"x"}`, Client},
	{`,"origin":{"kind":"task-notification"}`, Client},
	{`,"origin":{"kind":"task-notification","subkind":"scheduled-trigger","fireReason":"manual"}`, Client},
	{`,"origin":{"kind":"task-notification","subkind":"peer-send-message"}`, Client},
	{`,"origin":{"kind":"task-notification","subkind":"projects-relay"}`, Client},
	{`,"origin":{"kind":"task-notification","subkind":"session-inbox"}`, Client},
	{`,"origin":{"kind":"task-notification","subkind":"external-event"}`, Client},
	{`,"origin":{"kind":"coordinator"}`, Client},
	{`,"origin":{"kind":"unclassified"}`, Client},
	{`,"origin":{"kind":"observer","from":"a","senderTaskId":"b"}`, Client},
	{`,"origin":{"kind":"auto-continuation"}`, Client},
	{`,"origin":{"kind":"observer-activity"}`, Client},
	{`,"origin":{"kind":"one that is new"}`, Client},
}

// In a log, in a capture, and in an attachment the same members say who wrote a prompt.
func TestAuthorsOfAllKinds(t *testing.T) {
	for _, author := range authors {
		for _, in := range []string{
			`{"type":"user","uuid":"u","parentUuid":null,"sessionId":"s","message":{"role":"user","content":"Count."}%s}`,
			`{"type":"user","uuid":"u","session_id":"s","parent_tool_use_id":null,"message":{"role":"user","content":[{"type":"text","text":"Count."}]}%s}`,
			`{"type":"attachment","uuid":"u","parentUuid":null,"sessionId":"s","attachment":{"type":"queued_command","prompt":"Count."%s}}`,
		} {
			var e entry.Entry
			require.True(t, e.Scan(fmt.Appendf(nil, in, author.members)))
			if e.Get(entry.Type).Is("user") {
				require.Equal(t, author.want, AuthorOf(&e), "%s", e.Bytes)
			}
			var told Telling
			Claude.Tell(&e, &told)
			require.Len(t, told.Things, 1, "%s", e.Bytes)
			require.Equal(t, author.want != Client, told.Things[0].Is == Prompt, "%s", e.Bytes)
			require.Equal(t, author.want == Person, told.Things[0].Human, "%s", e.Bytes)
		}
	}
}

// What Copilot's user.message tells of its source.
func TestSourcesOfCopilot(t *testing.T) {
	for members, want := range map[string]string{
		``: "prompt", `,"source":""`: "prompt", `,"source":"user"`: "prompt", `,"isAutopilotContinuation":false`: "prompt",
		`,"source":"autopilot"`: "context", `,"isAutopilotContinuation":true`: "context", `,"source":"autopilot-objective"`: "context",
		`,"source":"skill-pdf"`: "context", `,"source":"system"`: "context", `,"source":"instruction"`: "context", `,"source":"schedule-1"`: "context",
		`,"source":"command-review"`: "context", `,"source":"agent-a1"`: "task",
	} {
		var e entry.Entry
		require.True(t, e.Scan([]byte(`{"type":"user.message","id":"e","parentId":null,"data":{"content":"Count."`+members+`}}`)))
		var told Telling
		Copilot.Tell(&e, &told)
		require.Len(t, told.Things, 1, members)
		got := told.Things[0].Is.String()
		if told.Things[0].Untyped {
			got = "task"
		}
		require.Equal(t, want, got, members)
	}
}
