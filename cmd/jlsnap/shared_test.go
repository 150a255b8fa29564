package main

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jl/internal/cli"
	"jl/internal/line"
	"jl/internal/tree"
)

// plainMerge returns the merged snapshots of a path. It is the rule once more, written
// without regard to speed.
func plainMerge(log []byte, path []string) []any {
	stored := map[string]map[string]any{}
	for l := range bytes.Lines(log) {
		var e map[string]any
		if json.Unmarshal(l, &e) == nil && e["type"] == "file-history-snapshot" {
			if id, ok := e["messageId"].(string); ok {
				stored[id] = e
			}
		}
	}
	var merged []any
	for _, id := range path {
		s, ok := stored[id]["snapshot"].(map[string]any)
		if !ok {
			continue
		}
		at := -1
		if stored[id]["isSnapshotUpdate"] == true {
			for i := range merged {
				if merged[i].(map[string]any)["messageId"] == s["messageId"] {
					at = i
				}
			}
		}
		if at < 0 {
			merged = append(merged, s)
		} else {
			merged[at] = s
		}
	}
	return merged
}

// TestSharedSessions reads real sessions, if there are any: the merged snapshots at each
// leaf are those of plainMerge, byte for byte as logged, and the rows are the last one.
func TestSharedSessions(t *testing.T) {
	const real = "../../../shared/real"
	if _, err := os.Stat(real); err != nil {
		t.Skip("no shared sessions: ", err)
	}
	total := 0
	require.NoError(t, filepath.WalkDir(real, func(name string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(name) != ".jsonl" {
			return err
		}
		log, err := os.ReadFile(name)
		require.NoError(t, err)
		if bytes.Contains(log, []byte(`"file-history-delta"`)) {
			return nil // the plain rule does not know deltas
		}
		src := bytes.NewReader(log)
		tr, err := tree.Read(line.NewForward(bytes.NewReader(log)), src, src.Size(), tree.Default, nil)
		require.NoError(t, err)
		for _, leaf := range tr.Leaves() {
			var path []string
			for _, n := range tr.Path(leaf, tree.Options{}).Nodes {
				path = append(path, tr.ID(n))
			}
			want := plainMerge(log, path)
			lines := output(t, "-l", tr.ID(leaf), name)
			require.Len(t, lines, len(want), name)
			for i, l := range lines {
				require.True(t, bytes.Contains(log, []byte(`"snapshot":`+l)), name)
				require.Equal(t, want[i], decode(t, l), name)
			}
			if total += len(want); len(want) == 0 {
				continue
			}
			files := want[len(want)-1].(map[string]any)["trackedFileBackups"].(map[string]any)
			rows := output(t, "--files", "--home", t.TempDir(), "-l", tr.ID(leaf), name)
			require.Len(t, rows, len(files))
			for _, r := range rows {
				row := decode(t, r)
				f := files[row["path"].(string)].(map[string]any)
				require.Equal(t, []any{f["backupFileName"], f["version"], f["backupTime"]}, []any{row["backup"], row["version"], row["backupTime"]})
				require.Equal(t, map[bool]string{true: "absent", false: "pruned"}[f["backupFileName"] == nil], row["state"])
			}
		}
		return nil
	}))
	require.Positive(t, total)
}

func output(t *testing.T, args ...string) []string {
	var out, err strings.Builder
	cli.Run("jlsnap", about, args, cli.Stdio{In: strings.NewReader(""), Out: &out, Err: &err}, run)
	require.NotContains(t, err.String(), "skipped")
	if out.Len() == 0 {
		return nil
	}
	return strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
}

func decode(t *testing.T, s string) map[string]any {
	var v map[string]any
	require.NoError(t, json.Unmarshal([]byte(s), &v))
	return v
}
