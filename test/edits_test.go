package test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestEdits: for each agent, git takes the diffs of a log and makes of the files what the agent made of them. The logs have
// the forms that the programs write; "part" is an edit of which a log may not tell the whole line. TestFailed of the
// package said looks at the calls of these logs that failed.
func TestEdits(t *testing.T) {
	bin := built(t)
	before := map[string]string{"beds.txt": "alpha\nroses\nomega\n", "end.txt": "x\ny", "part.txt": "a blue boat\nfour\nfive\nsix\nseven\n"}
	edited := map[string]string{"beds.txt": "alpha\ntulips\nomega\n", "end.txt": "x\nz", "part.txt": "a red boat\nfour\nfive\nsix\nseven\n"}
	logs, err := filepath.Glob("../internal/said/testdata/edits/*")
	require.NoError(t, err)
	require.Len(t, logs, 10)
	for _, log := range logs {
		t.Run(strings.TrimSuffix(filepath.Base(log), filepath.Ext(log)), func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(log)
			require.NoError(t, err)
			dir := t.TempDir()
			for name, text := range before {
				require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
			}
			run := func(script string) string {
				cmd := shell(t, bin, `set -o pipefail; rows() { if [ "${0##*.}" = json ]; then "$EXAMPLES"/opencode.sh "$0" | jlpath -as; else jlpath -as "$0"; fi; }; `+script)
				abs, err := filepath.Abs(log)
				require.NoError(t, err)
				cmd.Args, cmd.Dir = append(cmd.Args, abs), dir
				out, err := cmd.CombinedOutput()
				require.NoError(t, err, string(out))
				return string(out)
			}
			if filepath.Ext(log) == ".json" { // whose rows only the script makes
				for l := range strings.Lines(run(`rows | jq -r 'select(.is == "result" or .is == "file") | [.is, .call, (.failed | tostring)] | join(" ")'`)) {
					is, call, failed := strings.Fields(l)[0], strings.Fields(l)[1], strings.Fields(l)[2]
					worked := []string{"ok", "new", "beds", "end", "part"}
					require.Equal(t, !slices.Contains(worked, call), failed == "true", "%s %s", is, call)
				}
			}
			said := run(`git init -q . && rows | jq -L "$JL" -r -n 'include "jl"; patch(inputs)' >.git/diff && git apply .git/diff`)
			for name, want := range edited {
				id := strings.TrimSuffix(name, ".txt")
				if !strings.Contains(string(text), id+".txt") {
					continue
				}
				if got, err := os.ReadFile(filepath.Join(dir, name)); string(got) != want {
					require.NoError(t, err)
					require.Equal(t, before[name], string(got))
					require.Contains(t, said, "what was changed in "+name+" is not in the log")
					require.Contains(t, []string{"grok", "kimi"}, strings.TrimSuffix(filepath.Base(log), ".jsonl"))
				}
			}
			got, err := os.ReadFile(filepath.Join(dir, "new.txt"))
			require.NoError(t, err)
			require.Equal(t, "one\ntwo\n", string(got))
			require.NoFileExists(t, filepath.Join(dir, "boat.txt"))
		})
	}
}
