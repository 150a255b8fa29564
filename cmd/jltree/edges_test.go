package main

import (
	"cmp"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/require"

	"jl/internal/entry"
	"jl/internal/forest"
	"jl/internal/log"
	"jl/test/program"
)

// runOn returns what jltree prints of a log.
func runOn(text string, args ...string) string {
	out, _, _ := program.Run(about, run, text, args...)
	return out
}

// treeOf reads a log as a tree. It returns nil if the text is not a log.
func treeOf(t *testing.T, text string) *log.Log {
	t.Helper()
	r, err := log.Read(strings.NewReader(text), int64(len(text)), log.Reading{}, nil)
	if err != nil {
		return nil
	}
	return r
}

// A parent is the id of a parent, "" if there is none.
type parent = string

// edgesOf returns the ids in edges and their parents, the last ones if an id is repeated, and how
// many edges repeat one.
func edgesOf(t *testing.T, edges string) (parents map[string]parent, repeated int) {
	t.Helper()
	parents = map[string]parent{}
	for line := range strings.Lines(edges) {
		var e entry.Entry
		require.True(t, e.Scan([]byte(strings.TrimSpace(line))), line)
		id := cmp.Or(string(e.Get(entry.UUID).Text()), string(e.Get(entry.ID).Text()))
		if _, ok := parents[id]; ok {
			repeated++
		}
		parents[id] = cmp.Or(string(e.Get(entry.ParentUUID).Text()), string(e.Get(entry.ParentID).Text()))
	}
	return parents, repeated
}

// nodesOf returns the ids of the nodes of a tree and their parents. The entry of a compaction of Qwen
// Code names the entry above it as its parent, at which the tree ends the path.
func nodesOf(r *log.Log) map[string]parent {
	parents := map[string]parent{}
	for n := range r.Count {
		up := r.RawParent(n)
		if e := r.Entry(n); up == nil && e.Get(entry.LogicalParentUUID) == nil {
			up = r.Dialect.LogicalParentOf(e)
		}
		parents[r.ID(n)] = string(up.Text())
	}
	return parents
}

// chainOf returns the ids from a root to the node with an id; without an id, to the leaf of the tree.
func chainOf(r *log.Log, id string) (ids []string) {
	leaf := log.None
	if id != "" {
		leaf = r.Find([]string{id})[id].Node
	}
	for _, n := range r.Path(leaf, log.Options{Chain: true}).Nodes {
		ids = append(ids, r.ID(n))
	}
	return ids
}

// asLog is whether the edges of a log are read as the log is: pi reads a log with its header as a tree,
// even if the ids form no chain, and edges have no header.
func asLog(whole, edges *log.Log) bool { return whole.Unchained == edges.Unchained }

// checkEdges requires that the edges of a log have the ids and the parents of its tree, that the
// edges of edges are those edges, and that the edges have the path of the log, unless something
// was undone or updated in it. It reports false if the text is not a log.
func checkEdges(t *testing.T, text string) bool {
	t.Helper()
	whole := treeOf(t, text)
	if whole == nil {
		return false
	}
	edges := runOn(text)
	got, repeated := edgesOf(t, edges)
	require.Equal(t, nodesOf(whole), got, text)
	require.Equal(t, edges, runOn(edges), text)
	if edges == "" {
		return true
	}
	again := treeOf(t, edges)
	require.NotNil(t, again, edges)
	require.Equal(t, got, nodesOf(again), text)
	if whole.Dialect.IsList() && repeated == 0 {
		require.Contains(t, runOn(edges, "--check"), `"damage":0`, text)
	}
	path := chainOf(whole, "")
	switch {
	case slices.ContainsFunc(whole.Duplicates, func(d log.Duplicate) bool { return d.Same }):
		// A copy of an entry counts as the same entry, but has an edge of its own, because its place differs.
	case !whole.Dialect.IsList():
		// Which leaf is the newest depends on messages, which edges do not have, and a
		// compaction says in its entry what it kept.
		if len(path) > 0 && !strings.Contains(text, `"preserved`) && asLog(whole, again) {
			leaf := path[len(path)-1]
			require.Equal(t, chainOf(whole, leaf), chainOf(again, leaf), text)
		}
	case repeated == 0 && len(path) == len(mainOf(whole)): // else something was updated or undone
		require.Equal(t, path, chainOf(again, ""), text)
	}
	return true
}

// mainOf returns the nodes of a tree that are on no sidechain.
func mainOf(r *log.Log) []log.Node {
	return slices.DeleteFunc(forest.All(r.Count), func(n log.Node) bool { return r.Dialect.Sidechain(r.Entry(n)) != nil })
}

// alphabets hold the lines that random logs are made of, by the program that writes them, the
// header first. In a line, ID stands for one of a few ids, TEXT for anything, and NUM for a number.
var alphabets = map[string][]string{
	"Claude": {
		`{"type":"summary","summary":"TEXT","leafUuid":"ID"}`,
		`{"uuid":"ID","parentUuid":"ID","type":"user","message":{"role":"user","content":"TEXT"}}`,
		`{"uuid":"ID","parentUuid":"ID","type":"assistant","timestamp":"2026-01-01T00:00:0NUMZ","message":{"id":"ID"}}`,
		`{"uuid":"ID","parentUuid":null,"type":"user"}`,
		`{"uuid":"ID","parentUuid":"ID","type":"progress"}`,
		`{"uuid":"ID","parentUuid":"ID","type":"assistant","isSidechain":true}`,
		`{"uuid":"ID","parentUuid":null,"logicalParentUuid":"ID","type":"system","subtype":"compact_boundary"}`,
		`{"uuid":"","parentUuid":"","type":"user"}`,
		`{"type":"user","message":{"content":"TEXT"},"sessionId":"s"}`,
	},
	"Claude without ids": {
		`{"type":"user","message":{"content":"TEXT"},"sessionId":"s"}`,
		`{"type":"assistant","message":{"content":[]},"sessionId":"s"}`,
		`{"type":"assistant","message":{},"uuid":""}`,
		`{"type":"progress","uuid":"ID","parentUuid":"ID"}`,
		`{"type":"summary","summary":"TEXT","leafUuid":"ID"}`,
	},
	"Qwen": {
		`{"uuid":"ID","parentUuid":null,"sessionId":"s","type":"user","cwd":"/","version":"0.1","message":{"role":"user","parts":[]}}`,
		`{"uuid":"ID","parentUuid":"ID","sessionId":"s","type":"assistant","message":{"role":"model","parts":[]}}`,
		`{"uuid":"ID","parentUuid":"ID","sessionId":"s","type":"tool_result"}`,
	},
	"Codex": {
		`{"type":"session_meta","payload":{}}`,
		`{"type":"event_msg","payload":{"type":"task_started"}}`,
		`{"type":"response_item","payload":{"type":"message","role":"user"}}`,
		`{"type":"event_msg","id":"ID","payload":{"type":"user_message","message":"TEXT"}}`,
		`{"type":"response_item","payload":{"type":"message","role":"assistant"}}`,
		`{"type":"compacted","payload":{"replacement_history":[]}}`,
		`{"type":"event_msg","payload":{"type":"thread_rolled_back","num_turns":NUM}}`,
	},
	"Gemini": {
		`{"sessionId":"s","startTime":"t"}`,
		`{"id":"ID","type":"user","content":"TEXT"}`,
		`{"id":"ID","type":"gemini","content":"TEXT"}`,
		`{"id":"TEXT","type":"gemini","content":"TEXT"}`,
		`{"$rewindTo":"ID"}`,
		`{"$set":{"messages":[{"id":"ID"},{"id":"ID"}]}}`,
		`{"$set":{"summary":"TEXT"}}`,
	},
	"DeepSeek": {
		`{"type":"session","id":"s","createdAt":1}`,
		`{"type":"user/message","seq":NUM,"time":NUM,"data":{},"surfaceOp":"append"}`,
		`{"type":"tool/result","seq":NUM,"data":{},"surfaceOp":{"op":"replace","start":NUM,"end":NUM}}`,
	},
	"Grok": {
		`{"update":{"sessionUpdate":"plan"}}`,
		`{"params":{"update":{"sessionUpdate":"user_message_chunk"}}}`,
		`{"update":{"sessionUpdate":"agent_message_chunk"}}`,
		`{"update":{"sessionUpdate":"rewind_marker","target_prompt_index":NUM}}`,
	},
	"Copilot": {
		`{"type":"session.start","id":"s","parentId":null,"data":{}}`,
		`{"type":"user.message","id":"ID","parentId":"ID","data":{}}`,
		`{"type":"assistant.message","id":"TEXT","data":{}}`,
		`{"type":"assistant.message","data":{}}`,
		`{"type":"user.message","id":"ID","data":{},"agentId":"ID"}`,
		`{"type":"session.idle","id":"TEXT","data":{},"ephemeral":true}`,
		`{"type":"session.compaction_complete","id":"TEXT","data":{"success":true}}`,
	},
	"pi v1": {
		`{"type":"session","id":"s"}`,
		`{"type":"message","id":"ID","message":{"role":"user","content":"TEXT"}}`,
		`{"type":"compaction","firstKeptEntryIndex":NUM}`,
	},
	"pi": {
		`{"type":"session","version":3,"id":"s"}`,
		`{"type":"message","id":"ID","parentId":"ID","message":{"role":"user","content":"TEXT"}}`,
		`{"type":"message","id":"TEXT","parentId":"ID","message":{"role":"assistant"}}`,
		`{"type":"message","id":"ID","parentId":null,"message":{}}`,
		`{"type":"compaction","id":"ID","parentId":"ID","firstKeptEntryId":"ID"}`,
		`{"type":"custom"}`,
	},
	"unknown": {`{"role":"TEXT"}`, `{"role":"user","id":"ID"}`, `{}`, `{"type":"session"}`},
}

// drawnIDs are what ID stands for. Those of the second kind look like the names of entries that
// have no id.
var drawnIDs = []string{"a", "b", "c", "d", "e", "#3", "#7", "#12", "#5+200", ""}

// drawLog returns a log of lines of an alphabet that bytes choose. Some lines are damaged.
func drawLog(lines []string, choice []byte) string {
	text := lines[0] + "\n"
	for i, c := range choice {
		n := int(c) / len(lines)
		l := lines[int(c)%len(lines)]
		for strings.Contains(l, "ID") {
			l = strings.Replace(l, "ID", drawnIDs[(n+i/5)%len(drawnIDs)], 1)
			n /= 2
		}
		l = strings.ReplaceAll(strings.ReplaceAll(l, "TEXT", strconv.Itoa(100+i)), "NUM", strconv.Itoa(n%10))
		switch (int(c) * (i + 1)) % 37 {
		case 1:
			l = l[:len(l)/2] // torn, and the next one is on the same line
		case 2:
			l = l[:len(l)/2] + "\n"
		case 3:
			l = "[]\n" + l + "\n"
		case 4, 5: // two entries on a line
		default:
			l += "\n"
		}
		text += l
	}
	return text
}

func FuzzEdgesAreTheTree(f *testing.F) {
	rng := rand.New(rand.NewPCG(3, 4))
	for name := range alphabets {
		for range 20 {
			b := make([]byte, 1+rng.IntN(40))
			for i := range b {
				b[i] = byte(rng.Uint32())
			}
			f.Add(name, b)
		}
	}
	f.Fuzz(func(t *testing.T, name string, b []byte) {
		if lines, ok := alphabets[name]; ok {
			checkEdges(t, drawLog(lines, b[:min(len(b), 60)]))
		}
	})
}

// TestEdgesOfLists: in a log that is a list, an entry whose id is taken, or that has none, is
// called by its line.
func TestEdgesOfLists(t *testing.T) {
	const user = `{"type":"user.message","data":{}`
	tests := map[string]struct {
		text string
		ids  []string // of the path
	}{
		"a repeated id": {
			`{"type":"session.start","id":"0","data":{}}` + "\n" + user + `,"id":"s"}` + "\n" + user + `,"id":"a"}` + "\n" + user + `,"id":"a"}` + "\n" + user + `,"id":"z"}` + "\n",
			[]string{"s", "a", "#4", "z"},
		},
		"an id that looks like a line": {
			user + `,"id":"#3"}` + "\n" + user + `,"id":"b"}` + "\n" + user + "}\n" + user + `,"id":"z"}` + "\n",
			[]string{"#3", "b", "#3+87", "z"},
		},
		"an id that looks like an earlier line": {
			user + `,"id":"a"}` + "\n" + user + "}\n" + user + `,"id":"#2"}` + "\n" + user + `,"id":"z"}` + "\n",
			[]string{"a", "#2", "#3", "z"},
		},
		"an id that looks like a place in a line": {
			user + `,"id":"#2+43"}` + "\n" + user + `,"id":"#2"}` + user + "}\n" + user + `,"id":"z"}` + "\n",
			[]string{"#1", "#2", "#2+90", "z"},
		},
		"two on a line": {
			`{"role":"a"}` + "\n" + `{"role":"b"}{"role":"c"}` + "\n",
			[]string{"#1", "#2", "#2+25"},
		},
		"a message that was taken back and is written again": {
			`{"id":"a","type":"user","content":"x"}` + "\n" + `{"id":"b","type":"user","content":"x"}` + "\n" + `{"$rewindTo":"b"}` + "\n" +
				`{"id":"b","type":"user","content":"y"}` + "\n" + `{"id":"b","type":"user","content":"z"}` + "\n",
			[]string{"a", "#4"},
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			require.True(t, checkEdges(t, test.text))
			require.Equal(t, test.ids, chainOf(treeOf(t, test.text), ""))
		})
	}
}

// TestEdgesOfTestdata checks all logs of the tests of all programs.
func TestEdgesOfTestdata(t *testing.T) {
	logs := 0
	check := func(name, text string) {
		t.Run(name, func(t *testing.T) {
			if len(text) < 1<<20 && checkEdges(t, text) {
				logs++
			}
		})
	}
	for _, root := range []string{"../../testdata", "../../cmd", "../../examples"} {
		require.NoError(t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			switch ext := filepath.Ext(path); {
			case ext == ".jsonl":
				text, err := os.ReadFile(path)
				require.NoError(t, err)
				check(path, string(text))
			case ext == ".txtar", ext == ".txt":
				script, err := txtar.ParseFile(path)
				require.NoError(t, err)
				for _, f := range script.Files {
					check(path+":"+f.Name, string(f.Data))
				}
			}
			return nil
		}))
	}
	require.Greater(t, logs, 100)
}
