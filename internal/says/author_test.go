package says

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"jl/internal/dialect"
	"jl/internal/entry"
	"jl/internal/shape"
)

// Who wrote an entry, by its members as package shape reads them, decides what its text is.
func TestAuthors(t *testing.T) {
	for _, author := range []struct {
		members string
		want    shape.Author
	}{
		{``, shape.Anybody},
		{`,"isMeta":true`, shape.Client},
		{`,"isSynthetic":true`, shape.Client},
		{`,"origin":{"kind":"human"}`, shape.Person},
		{`,"isMeta":true,"origin":{"kind":"channel","server":"telegram"}`, shape.Person},
	} {
		for _, in := range []string{
			`{"type":"user","uuid":"u","parentUuid":null,"sessionId":"s","message":{"role":"user","content":"Count."}%s}`,
			`{"type":"attachment","uuid":"u","parentUuid":null,"sessionId":"s","attachment":{"type":"queued_command","prompt":"Count."%s}}`,
		} {
			var told Telling
			e := scanned(t, fmt.Sprintf(in, author.members))
			Tell(dialect.Claude, e, &told)
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
