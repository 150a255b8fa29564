package shape

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
		} {
			e := scan(t, fmt.Sprintf(in, author.members))
			require.Equal(t, author.want, AuthorOf(e), "%s", e.Bytes)
			var m Message
			m.Read(e.Get(entry.Message))
			require.Equal(t, author.want != Client, m.Typed(e), "%s", e.Bytes)
		}
		m := MarksIn(entry.Value(fmt.Sprintf(`{"type":"queued_command","prompt":"Count."%s}`, author.members)))
		require.Equal(t, author.want, m.Author(), author.members)
	}
}

// TestNoticesOfQwen: entries of some subtypes are written by the client.
func TestNoticesOfQwen(t *testing.T) {
	for subtype, want := range map[string]Author{"notification": Client, "cron": Client, "background_task_completed": Client, "other": Anybody} {
		require.Equal(t, want, AuthorOf(scan(t, `{"type":"user","subtype":"`+subtype+`","message":{"content":"Count."}}`)), subtype)
	}
}

// TestPlanOfTheModel: an entry with a plan that is not empty tells the model to carry it out, and so does an attachment.
func TestPlanOfTheModel(t *testing.T) {
	for members, want := range map[string]bool{``: false, `,"planContent":""`: false, `,"planContent":null`: false, `,"planContent":"# Pier"`: true} {
		e := scan(t, `{"type":"user","message":{"content":"Go on."}`+members+`}`)
		require.Equal(t, want, MarksOf(e).Plan, members)
		require.Equal(t, want, MarksIn(entry.Value(`{"prompt":"x"`+members+`}`)).Plan, members)
		var m Message
		m.Read(e.Get(entry.Message))
		require.Equal(t, want, m.IsPlan(e), members)
	}
}
