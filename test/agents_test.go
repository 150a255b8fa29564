package test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// asks is code that names an agent or the dialect of one.
var asks = regexp.MustCompile(`dialect\.(Claude|Codex|Gemini|DeepSeek|Grok|Copilot|ClaudeNoIDs|Pi|PiV1)\b|"(codex|gemini|copilot|qwen|pi|grok|deepseek)"`)

// agentTables are the folders of those that have a file for each agent.
var agentTables = []string{"../internal/dialect", "../internal/says"}

// TestOnlyTheTablesKnowAgents: a new agent is a row in the tables of dialects and of words, and one in the table of homes.
func TestOnlyTheTablesKnowAgents(t *testing.T) {
	found := false
	for _, dir := range []string{"../cmd", "../internal"} {
		require.NoError(t, filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
			if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || slices.Contains(agentTables, filepath.Dir(path)) {
				return err
			}
			text, err := os.ReadFile(path)
			require.NoError(t, err)
			if path == "../internal/session/agents.go" {
				found = asks.Match(text)
				return nil
			}
			require.Empty(t, asks.FindString(string(text)), path)
			return nil
		}))
	}
	require.True(t, found, "the table names them")
}
