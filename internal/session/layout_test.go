package session

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestKindOf(t *testing.T) {
	for name, want := range map[string]string{
		"projects/-w/" + one + ".jsonl":                                   Log,
		"projects/-w/" + one + ".jsonl.zst":                               Log,
		"projects/-w/agent-a.jsonl.gz":                                    Agent,
		"projects/-w/agent-a.meta.json":                                   AgentMeta,
		"projects/-w/" + one + "/subagents/agent-a.jsonl":                 Agent,
		"projects/-w/" + one + "/subagents/workflows/w/agent-a.jsonl.zst": Agent,
		"projects/-w/" + one + "/subagents/workflows/w/agent-a.meta.json": AgentMeta,
		"projects/-w/" + one + "/subagents/agent-.jsonl":                  Other,
		"projects/-w/" + one + "/subagents/workflows/w/journal.jsonl":     Other,
		"projects/-w/" + one + "/tool-results":                            ToolResult,
		"projects/-w/" + one + "/tool-results/deep/t.txt":                 ToolResult,
		"projects/-w/" + one + "/archived.json":                           Other,
		"projects/-w/" + one:                                              Other,
		"todos/" + one + "-agent-" + one + ".json":                        Todo,
		"todos":                         Todo,
		"image-cache/" + one + "/1.png": Image,
		"projects":                      "",
		"todos-old/" + one + ".json":    "",
		"plans/" + one + ".md":          "",
	} {
		require.Equal(t, want, claude.kindOf(name), name)
	}
}
