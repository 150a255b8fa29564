package says

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"jl/internal/dialect"
	"jl/internal/entry"
	"jl/internal/shape"
)

// authors are the members by which Claude Code says who wrote a user entry, with all kinds of the type SDKMessageOrigin, and who that is.
var authors = []struct {
	members string
	want    shape.Author
}{
	{``, shape.Anybody},
	{`,"isMeta":false,"isSynthetic":false`, shape.Anybody},
	{`,"origin":null`, shape.Anybody},
	{`,"origin":{}`, shape.Anybody},
	{`,"isMeta":true`, shape.Client},
	{`,"isSynthetic":true`, shape.Client},
	{`,"client_composed":true`, shape.Client},
	{`,"origin":{"kind":"human"}`, shape.Person},
	{`,"origin":{"kind":"channel","server":"telegram"}`, shape.Person},
	{`,"isMeta":true,"origin":{"kind":"channel","server":"telegram"}`, shape.Person},
	{`,"isSynthetic":true,"origin":{"kind":"channel","server":"telegram"}`, shape.Client},
	{`,"isMeta":true,"origin":{"kind":"human"}`, shape.Client},
	{`,"origin":{"kind":"peer","from":"uds:x","name":"Ann","body":"x"}`, shape.Client},
	{`,"origin":{"kind":"task-notification"}`, shape.Client},
	{`,"origin":{"kind":"task-notification","subkind":"scheduled-trigger","fireReason":"manual"}`, shape.Client},
	{`,"origin":{"kind":"task-notification","subkind":"peer-send-message"}`, shape.Client},
	{`,"origin":{"kind":"task-notification","subkind":"projects-relay"}`, shape.Client},
	{`,"origin":{"kind":"task-notification","subkind":"session-inbox"}`, shape.Client},
	{`,"origin":{"kind":"task-notification","subkind":"external-event"}`, shape.Client},
	{`,"origin":{"kind":"coordinator"}`, shape.Client},
	{`,"origin":{"kind":"unclassified"}`, shape.Client},
	{`,"origin":{"kind":"observer","from":"a","senderTaskId":"b"}`, shape.Client},
	{`,"origin":{"kind":"auto-continuation"}`, shape.Client},
	{`,"origin":{"kind":"observer-activity"}`, shape.Client},
	{`,"origin":{"kind":"one that is new"}`, shape.Client},
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
				require.Equal(t, author.want, shape.AuthorOf(&e), "%s", e.Bytes)
			}
			var told Telling
			Tell(dialect.Claude, &e, &told)
			require.Len(t, told.Things, 1, "%s", e.Bytes)
			require.Equal(t, author.want != shape.Client, told.Things[0].Is == Prompt, "%s", e.Bytes)
			require.Equal(t, author.want == shape.Person, told.Things[0].Human, "%s", e.Bytes)
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
		Tell(dialect.Copilot, &e, &told)
		require.Len(t, told.Things, 1, members)
		got := told.Things[0].Is.String()
		if told.Things[0].Untyped {
			got = "task"
		}
		require.Equal(t, want, got, members)
	}
}
