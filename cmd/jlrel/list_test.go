package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jl/test/program"
)

// A listing is a log and its row in the Agent SDK's listing, null if the log is not
// listed.
type listing struct {
	name string
	log  []byte
	sdk  json.RawMessage
}

// output runs the program, which must report nothing, and returns its output.
func output(t testing.TB, args ...string) []byte {
	t.Helper()
	out, errs, status := program.Run(about, run, "", args...)
	require.Empty(t, errs)
	require.LessOrEqual(t, status, 1)
	return []byte(out)
}

// unlisted has what jlrel calls the sessions with a conversation that the SDK does not list.
var unlisted = map[string]any{
	"side-first": "p", "side-nested-first": "q", "side-false-then-nested-true": "p", "side-first-space1": "p",
	"glued-title-user": "d", "prompt-head-cut1": "headcut", "prompt-line-cut-by-head": strings.Repeat("z", 200) + "…",
}

// differs has what differs from the SDK's row, because jlrel takes whole entries, also in damaged lines,
// and their own members, where the SDK searches the text for the two ways that clients write JSON in.
var differs = map[string]map[string]any{
	"lastprompt-other": {"summary": "p"}, "compact-nested": {"firstPrompt": "q", "summary": "q"}, "meta-nested": {"firstPrompt": "q", "summary": "q"},
	"created-mix": {"createdAt": 1577836800000.},
	"glued-three": {"customTitle": "a", "summary": "a"}, "last-glued": {"summary": "d"},
	"title-comma": {"customTitle": "d", "summary": "d"}, "title-junk": {"customTitle": "d", "summary": "d"},
	"title-first-key-junk": {"customTitle": "d", "summary": "d"}, "title-esc-key": {"customTitle": "d", "summary": "d"},
	"user-esc-type": {"firstPrompt": "esc", "summary": "esc"}, "user-spaced-wide": {"firstPrompt": "wide", "summary": "wide"},
	"title-spaced-wide": {"customTitle": "d", "summary": "d"}, "ai-spaced-wide": {"customTitle": "d", "summary": "d"},
	"last-spaced-wide": {"summary": "d"}, "sum-spaced-wide": {"summary": "d"}, "tag-spaced-wide": {"tag": "d"},
}

// compare lists a home that holds the logs, and compares the rows with the SDK's.
func compare(t *testing.T, listings []listing) {
	t.Helper()
	home := t.TempDir()
	folder := filepath.Join(home, "projects", "-w")
	require.NoError(t, os.MkdirAll(folder, 0o777))
	id := func(i int) string { return fmt.Sprintf("00000000-0000-4000-8000-%012d", i) }
	for i, l := range listings {
		require.NoError(t, os.WriteFile(filepath.Join(folder, id(i)+".jsonl"), l.log, 0o666))
	}
	rows := map[string]map[string]any{}
	for line := range bytes.Lines(output(t, "--home", home, "--list")) {
		var row map[string]any
		require.NoError(t, json.Unmarshal(line, &row))
		rows[row["sessionId"].(string)] = row
	}
	for i, l := range listings {
		t.Run(l.name, func(t *testing.T) {
			var want map[string]any
			require.NoError(t, json.Unmarshal(l.sdk, &want))
			got := rows[id(i)]
			if want == nil {
				require.Equal(t, unlisted[l.name], got["summary"])
				return
			}
			require.NotNil(t, got)
			for _, key := range []string{"sessionId", "lastModified", "fileSize", "path", "agent", "messages", "lastTimestamp", "model", "entrypoint"} {
				delete(got, key) // they do not depend on the log's content, or the SDK does not tell them
			}
			for _, row := range []map[string]any{got, want} { // the SDK leaves out what it does not know
				maps.DeleteFunc(row, func(_ string, v any) bool { return v == nil })
			}
			maps.Copy(want, differs[l.name])
			require.Equal(t, want, got)
		})
	}
}

var repeated = regexp.MustCompile(`\{\{(.)\*(\d+)\}\}`)

// TestListing compares with the answers of listSessions in version 0.3.329 of the Agent
// SDK. "{{x*9}}" in a log means "xxxxxxxxx".
func TestListing(t *testing.T) {
	files, err := filepath.Glob("testdata/listing-*.jsonl")
	require.NoError(t, err)
	var listings []listing
	for _, name := range files {
		table, err := os.ReadFile(name)
		require.NoError(t, err)
		for line := range bytes.Lines(table) {
			var l struct {
				Name, Log string
				SDK       json.RawMessage
			}
			require.NoError(t, json.Unmarshal(line, &l))
			log := repeated.ReplaceAllStringFunc(l.Log, func(s string) string {
				m := repeated.FindStringSubmatch(s)
				n, err := strconv.Atoi(m[2])
				require.NoError(t, err)
				return strings.Repeat(m[1], n)
			})
			listings = append(listings, listing{l.Name, []byte(log), l.SDK})
		}
	}
	require.Greater(t, len(listings), 200)
	compare(t, listings)
}

// BenchmarkList lists a home of 5,000 sessions in 50 folders. JL_KEEP keeps it, for
// a comparison with other programs.
func BenchmarkList(b *testing.B) {
	home := b.TempDir()
	if keep := os.Getenv("JL_KEEP"); keep != "" {
		home = keep
	}
	answer := `{"parentUuid":null,"isSidechain":false,"cwd":"/w","sessionId":"s","gitBranch":"main","type":"assistant","message":{"role":"assistant","content":[{"type":"text","text":"` +
		strings.Repeat("answer ", 200) + `"}]},"uuid":"a","timestamp":"2026-01-01T00:00:09.000Z"}` + "\n"
	var size int64
	for i := range 5000 {
		folder := filepath.Join(home, "projects", fmt.Sprintf("-w-%d", i%50))
		require.NoError(b, os.MkdirAll(folder, 0o777))
		log := fmt.Sprintf(`{"parentUuid":null,"isSidechain":false,"cwd":"/w","sessionId":"s","gitBranch":"main","type":"user","message":{"role":"user","content":"prompt %d"},"uuid":"u","timestamp":"2026-01-01T00:00:01.000Z"}`+"\n", i) +
			strings.Repeat(answer, 1+i%40)
		size += int64(len(log))
		name := filepath.Join(folder, fmt.Sprintf("00000000-0000-4000-8000-%012d.jsonl", i))
		require.NoError(b, os.WriteFile(name, []byte(log), 0o666))
	}
	b.SetBytes(size)
	b.ReportAllocs()
	for b.Loop() {
		require.Equal(b, 5000, bytes.Count(output(b, "--home", home, "--list"), []byte("\n")))
	}
}
