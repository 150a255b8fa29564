package says_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"jl/internal/dialect"
	"jl/internal/entry"
	"jl/internal/says"
)

// TestTitle: what names a session, and who did; an empty title is one, and a session is not told
// a summary, which may be of another log.
func TestTitle(t *testing.T) {
	for _, test := range []struct {
		d           dialect.Dialect
		line, title string
		rank        dialect.Rank
		told        string // as the title of the session
	}{
		{dialect.Claude, `{"type":"custom-title","customTitle":"A"}`, `"A"`, dialect.ByUser, `"A"`},
		{dialect.Claude, `{"type":"custom-title","customTitle":""}`, `""`, dialect.ByUser, `""`},
		{dialect.Claude, `{"type":"custom-title","customTitle":7}`, `7`, dialect.ByUser, ``},
		{dialect.Claude, `{"type":"ai-title","aiTitle":"A"}`, `"A"`, dialect.ByClient, `"A"`},
		{dialect.Claude, `{"type":"summary","summary":"A"}`, `"A"`, dialect.BySummary, ``},
		{dialect.Claude, `{"type":"system","subtype":"custom_title","systemPayload":{"customTitle":"A"}}`, `"A"`, dialect.ByUser, `"A"`},
		{dialect.Claude, `{"type":"user","customTitle":"A"}`, ``, dialect.NoTitle, ``},
		{dialect.Gemini, `{"$set":{"summary":"A"}}`, `"A"`, dialect.ByClient, `"A"`},
		{dialect.Gemini, `{"$set":{"summary":""}}`, ``, dialect.NoTitle, ``},
		{dialect.Copilot, `{"type":"session.title_changed","data":{"title":"A"}}`, `"A"`, dialect.ByClient, `"A"`},
		{dialect.DeepSeek, `{"type":"session/title","data":{"title":"A"}}`, `"A"`, dialect.ByClient, `"A"`},
		{dialect.Pi, `{"type":"session_info","name":"A"}`, `"A"`, dialect.ByUser, `"A"`},
		{dialect.Codex, `{"type":"event_msg","payload":{"title":"A"}}`, ``, dialect.NoTitle, ``},
	} {
		var e entry.Entry
		require.True(t, e.Scan([]byte(test.line)))
		title, rank := test.d.Title(&e)
		require.Equal(t, test.title, string(title), test.line)
		require.Equal(t, test.rank, rank, test.line)
		require.Equal(t, test.told, string(says.About(test.d, &e).Title), test.line)
	}
}
