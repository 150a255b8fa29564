package session

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestNames: all that is told of a name, for each agent.
func TestNames(t *testing.T) {
	const day = "sessions/2026/05/01/"
	tests := []struct {
		agent, name    string
		isDir          bool
		kind           string
		session, other string // other is the id of a sub-agent, or the beginning of one of a session
	}{
		{"claude", "projects/-w/" + one + ".jsonl", false, Log, one, ""},
		{"claude", "projects/-w/" + one + ".jsonl.zst", false, Log, one, ""},
		{"claude", "projects/-w/notes\n.jsonl", false, Log, "notes\n", ""},
		{"claude", "projects/-w/agent-0a.jsonl.gz", false, Agent, "", "0a"},
		{"claude", "projects/-w/agent-0a.meta.json", false, AgentMeta, "", "0a"},
		{"claude", "projects/-w/" + one, true, Other, one, ""},
		{"claude", "projects/-w/" + one + "/subagents/agent-0a.jsonl", false, Agent, one, "0a"},
		{"claude", "projects/-w/" + one + "/subagents/x/y/agent-0a.meta.json", false, AgentMeta, one, "0a"},
		{"claude", "projects/-w/" + one + "/subagents/workflows/w.json", false, "workflow", one, ""},
		{"claude", "projects/-w/" + one + "/subagents/workflows/agent-0a.jsonl", false, Agent, one, "0a"},
		{"claude", "projects/-w/" + one + "/tool-results/agent-0a.jsonl", false, kindToolResult, one, ""},
		{"claude", "projects/-w/" + one + "/x.txt", false, Other, one, ""},
		{"claude", "projects/-w", true, "", "", ""},
		{"claude", "todos/" + one + "-agent-" + two + ".json", false, "todo", one, ""},
		{"claude", "todos/x.json", false, "todo", "", ""},
		{"claude", "shell/snapshot-" + one, false, "", one, ""},
		{"claude", "jobs/11111111/state.json", false, kindJob, "", "11111111"},
		{"claude", "daemon/gateway-routed/11111111", true, kindJob, "", "11111111"},
		{"codex", day + "rollout-2026-05-01T10-00-00-" + one + ".jsonl", false, thread, one, ""},
		{"codex", day + "rollout-2026-05-01T10-00-00-" + one + "_" + two + ".jsonl", false, thread, one, ""},
		{"codex", "sessions/2026/05/rollout-" + one + ".jsonl", false, "", "", ""},
		{"codex", "archived_sessions/rollout-2026-05-01T10-00-00-" + one + ".jsonl", false, thread, one, ""},
		{"gemini", "tmp/p/chats/session-2026-05-01T10-00-abcdef12.jsonl", false, Log, "", "abcdef12"},
		{"gemini", "tmp/p/chats/" + one + "/sub.jsonl", false, Agent, one, "sub"},
		{"copilot", "session-state/my.id.jsonl", false, Log, "my.id", ""},
		{"copilot", "session-state/" + one + "/events.jsonl", false, Log, one, ""},
		{"copilot", "session-state/" + one + "/checkpoints/x/y", false, "checkpoint", one, ""},
		{"copilot", "session-state/" + one + "/checkpoints", true, "checkpoint", one, ""},
		{"qwen", "projects/-w/chats/" + one + ".jsonl", false, Log, one, ""},
		{"qwen", "projects/-w/subagents/" + one + "/agent-a.jsonl", false, Agent, one, "a"},
		{"pi", "sessions/--w--/2026_my_id.jsonl", false, Log, "my_id", ""},
		{"pi", "sessions/--w--/x/forks/2026_" + one + ".jsonl", false, Log, one, ""},
		{"pi", "sessions/--w--/2026_my.id/subagent-artifacts/a.md", false, "artifact", "my.id", ""},
		{"pi", "sessions/--w--/2026_my.id/run/0/session.jsonl", false, Agent, "my.id", ""},
		{"grok", "sessions/-w/g1/updates.jsonl", false, Log, "g1", ""},
		{"deepseek", "sessions/-w/d1/session.jsonl", false, thread, "d1", ""},
		{"deepseek", "sessions/-w/d1.jsonl", false, thread, "d1", ""},
		{"cursor", "projects/p/agent-transcripts/c1/c1.jsonl", false, Log, "c1", ""},
		{"cursor", "projects/p/agent-transcripts/c1/c2.jsonl", false, Other, "c1", ""},
		{"cursor", "projects/p/agent-transcripts/c1/subagents/s1.jsonl", false, Agent, "c1", "s1"},
	}
	for _, tt := range tests {
		a := &agents()[slices.IndexFunc(agents(), func(a agent) bool { return a.name == tt.agent })]
		m := a.match(tt.name, tt.isDir)
		require.Equal(t, []string{tt.kind, tt.session, tt.other}, []string{m.kind, m.session, m.agent + m.prefix + m.short}, "%s %s", tt.agent, tt.name)
	}
}

// TestOwnIDs: the user of pi may choose an id, which the names of all that belongs to the session have.
func TestOwnIDs(t *testing.T) {
	h := tree{
		"sessions/--w--/2026-01-01_my.id.jsonl":                   `{"type":"session","id":"my.id"}`,
		"sessions/--w--/2026-01-01_my.id/subagent-artifacts/a.md": "",
	}.open(t)
	require.Equal(t, []string{"session sessions/--w--/2026-01-01_my.id.jsonl", "artifact sessions/--w--/2026-01-01_my.id/subagent-artifacts/a.md"}, texts(h.Members("my.id")))
	require.Equal(t, "my.id", h.OwnerOf("sessions/--w--/2026-01-01_my.id/subagent-artifacts/a.md"))
}

// TestMisplaced: a log at no place of a session is found, as what it is.
func TestMisplaced(t *testing.T) {
	misplaced := func(h *Home) (found []string) {
		for _, m := range h.Misplaced() {
			found = append(found, m.Kind+" "+m.Session+" "+m.Agent+" "+m.Name)
		}
		return found
	}
	require.Equal(t, []string{
		"session " + one + "  projects/-w/22/sub/" + one + ".jsonl",
		"session " + two + "  projects/-w/22/sub/notes.jsonl",
		"agent " + one + " " + two + " projects/-w/22/subagents/agent-" + two + ".jsonl",
	}, misplaced(tree{
		"projects/-w/22/subagents/agent-" + two + ".jsonl": agentLine(one),
		"projects/-w/22/sub/" + one + ".jsonl":             "",
		"projects/-w/22/sub/" + one + " 2.jsonl":           agentLine(one),
		"projects/-w/22/sub/notes.jsonl":                   agentLine(two),
		"projects/-w/22/sub/x.jsonl":                       "{}",
		"projects/-w/" + one + "/sub/notes.jsonl":          agentLine(two),
	}.open(t)))
	require.Equal(t, []string{"session " + one + "  sessions/2026/05/01/copy.jsonl"}, misplaced(tree{
		"sessions/2026/05/01/copy.jsonl":                   `{"type":"session_meta","payload":{"id":"` + one + `"}}`,
		"sessions/2026/05/01/rollout-" + two + ".jsonl":    "",
		"sessions/2026/05/01/" + two + " (conflict).jsonl": `{"type":"session_meta","payload":{"id":"` + two + `"}}`,
	}.open(t)))
}
