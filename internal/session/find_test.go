package session

import (
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestLogsOf(t *testing.T) {
	h := tree{
		"projects/-a/" + one + ".jsonl": "old", "projects/-b/" + one + ".jsonl": "newer", "projects/-b/" + one + "/subagents/agent-x.jsonl": "",
		"todos/" + two + ".json": "", "projects/-a/" + two + "/subagents/agent-x.jsonl": "",
	}.open(t)
	old := time.Now().Add(-time.Hour)
	require.NoError(t, os.Chtimes(h.Path("projects/-a/"+one+".jsonl"), old, old))
	require.Equal(t, []string{"projects/-b/" + one + ".jsonl", "projects/-a/" + one + ".jsonl"}, h.LogsOf(one))
	require.Empty(t, h.LogsOf(two), "it has members, but no log")
	require.Empty(t, h.LogsOf("nobody"))
	require.Empty(t, h.LogsOf(""))
}

func TestAgents(t *testing.T) {
	own := "projects/-a/" + one + "/subagents/"
	h := tree{
		own + "agent-abc.jsonl": "", own + "agent-abc.meta.json": "", own + "agent-abcd.jsonl.zst": "", own + "notes.jsonl": "",
		"projects/-b/agent-xyz.jsonl": "", "projects/-b/" + two + "/subagents/agent-abc.jsonl": "",
	}.open(t)
	for id, want := range map[string][]string{
		"abc":  {own + "agent-abc.jsonl", "projects/-b/" + two + "/subagents/agent-abc.jsonl"}, // exactly so
		"abcd": {own + "agent-abcd.jsonl.zst"},
		"ab":   {own + "agent-abc.jsonl", own + "agent-abcd.jsonl.zst", "projects/-b/" + two + "/subagents/agent-abc.jsonl"},
		"x":    {"projects/-b/agent-xyz.jsonl"},
		"no":   nil, "": nil, "../a": nil,
	} {
		agents, errs := h.Agents(id)
		require.Empty(t, errs)
		require.Equal(t, want, agents, id)
	}
}
