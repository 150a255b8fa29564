package said_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jl/internal/says"
)

// TestFailed: for each agent, a call that did not do what it should has failed: of a tool that is not there, with an exit
// code in any form, refused, interrupted. Its files have failed, too, and the others have not. The logs have the forms
// that the programs write; another test wants git to take their diffs.
func TestFailed(t *testing.T) {
	logs, err := filepath.Glob("testdata/edits/*.jsonl")
	require.NoError(t, err)
	require.Len(t, logs, 9)
	for _, log := range logs {
		t.Run(strings.TrimSuffix(filepath.Base(log), ".jsonl"), func(t *testing.T) {
			text, err := os.ReadFile(log)
			require.NoError(t, err)
			rows, report := rowsOf(t, only(says.Result, says.File), false, string(text))
			require.Empty(t, report)
			seen := map[string]bool{}
			for _, row := range rows {
				var r struct {
					Is, Call string
					Failed   *bool
				}
				require.NoError(t, json.Unmarshal([]byte(row), &r))
				require.NotNil(t, r.Failed, row)
				require.Equal(t, !slices.Contains([]string{"ok", "new", "beds", "end", "part"}, r.Call), *r.Failed, row)
				seen[r.Is] = true
			}
			require.Equal(t, map[string]bool{"result": true, "file": true}, seen)
		})
	}
}
