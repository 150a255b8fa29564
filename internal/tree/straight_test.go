package tree

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jl/internal/dialect"
)

// alphabets hold the lines that random logs are made of, by dialect, the header first. In
// a line, ID stands for an id or a number of a few, and NEW for one that no other line has.
var alphabets = map[dialect.Dialect][]string{
	dialect.Codex: {
		`{"type":"session_meta","payload":{}}`,
		`{"type":"event_msg","payload":{"type":"task_started"}}`,
		`{"type":"response_item","payload":{"type":"message","role":"user"}}`,
		`{"type":"event_msg","payload":{"type":"user_message","message":"NEW"}}`,
		`{"type":"response_item","payload":{"type":"message","role":"assistant"}}`,
		`{"type":"inter_agent_communication_metadata","payload":{}}`,
		`{"type":"inter_agent_communication","payload":{}}`,
		`{"type":"compacted","payload":{"replacement_history":[]}}`,
		`{"type":"compacted","payload":{}}`,
		`{"type":"event_msg","payload":{"type":"thread_rolled_back","num_turns":ID}}`,
	},
	dialect.Gemini: {
		`{"sessionId":"s","startTime":"t"}`,
		`{"id":"NEW","type":"user","content":"x"}`,
		`{"id":"ID","type":"user","content":"x"}`,
		`{"id":"ID","type":"gemini","content":"NEW"}`,
		`{"$rewindTo":"ID"}`,
		`{"$set":{"messages":[{"id":"ID"},{"id":"ID"}]}}`,
		`{"$set":{"summary":"x"}}`,
	},
	dialect.Copilot: {
		`{"type":"session.start","id":"s","parentId":null,"data":{}}`,
		`{"type":"user.message","id":"NEW","data":{}}`,
		`{"type":"user.message","id":"ID","parentId":"ID","data":{}}`,
		`{"type":"user.message","id":"NEW","data":{},"agentId":"ID"}`,
		`{"type":"session.idle","id":"NEW","data":{},"ephemeral":true}`,
		`{"type":"session.compaction_start","id":"NEW","data":{}}`,
		`{"type":"session.compaction_complete","id":"NEW","data":{"success":true}}`,
		`{"type":"session.compaction_complete","id":"NEW","data":{"success":false}}`,
		`{"type":"session.context_cleared","id":"NEW","data":{}}`,
	},
	dialect.Grok: {
		`{"update":{"sessionUpdate":"plan"}}`,
		`{"update":{"sessionUpdate":"user_message_chunk"}}`,
		`{"update":{"sessionUpdate":"user_message_chunk","_meta":{"promptIndex":ID}}}`,
		`{"update":{"sessionUpdate":"user_message_chunk","_meta":{"hostTurn":true}}}`,
		`{"update":{"sessionUpdate":"agent_message_chunk"}}`,
		`{"update":{"sessionUpdate":"rewind_marker","target_prompt_index":ID}}`,
	},
	dialect.DeepSeek: {
		`{"type":"session","id":"s","createdAt":1}`,
		`{"type":"turn/start","seq":NEW,"data":{}}`,
		`{"type":"user/message","seq":NEW,"data":{},"surfaceOp":"append"}`,
		`{"type":"user/message","seq":NEW,"data":{},"surfaceOp":{"op":"replace","start":ID,"end":ID}}`,
	},
	dialect.PiV1: {
		`{"type":"session","id":"s"}`,
		`{"type":"message","message":{"role":"user","content":"NEW"}}`,
		`{"type":"compaction","firstKeptEntryIndex":ID}`,
	},
	dialect.Unknown: {`{"role":"NEW"}`, `{"role":"ID"}`, `{}`},
}

// drawStraight returns a log of lines of an alphabet that bytes choose.
func drawStraight(lines []string, choice []byte) string {
	var b strings.Builder
	b.WriteString(lines[0] + "\n")
	for i, c := range choice {
		l := lines[int(c)%len(lines)]
		for k := 1; strings.Contains(l, "ID"); k++ {
			l = strings.Replace(l, "ID", strconv.Itoa((int(c)/len(lines)*k+i/7)%9), 1)
		}
		b.WriteString(strings.ReplaceAll(l, "NEW", strconv.Itoa(100+i)) + "\n")
	}
	return b.String()
}

// linesOf returns the lines of nodes that are not above an offset.
func linesOf(t *testing.T, tree *Tree, nodes []Node, from int64) string {
	t.Helper()
	var b strings.Builder
	for _, n := range nodes {
		if tree.Pos(n).Offset >= from {
			b.Write(tree.Entry(n).Line)
		}
	}
	require.NoError(t, tree.Err())
	return b.String()
}

// pathOf returns what jlpath prints of a log, but for the header.
func pathOf(t *testing.T, log string) string {
	t.Helper()
	tree := read(t, log, Default)
	return linesOf(t, tree, tree.Path(None, Options{}).Nodes, 0)
}

// checkStraight requires of a straight log that its path is its own path, that the path of
// its live part is the path from the cut on, and that its ends show each entry.
func checkStraight(t *testing.T, d dialect.Dialect, log string) {
	t.Helper()
	tree := read(t, log, Default)
	require.Equal(t, d.String(), tree.Dialect().String(), log)
	header := ""
	if d == dialect.PiV1 {
		header, _, _ = strings.Cut(log, "\n")
		header += "\n"
	}
	path := tree.Path(None, Options{})
	require.Empty(t, path.Remarks, log)
	if len(path.Nodes) > 0 {
		text := linesOf(t, tree, path.Nodes, 0)
		require.Equal(t, text, pathOf(t, header+text), log)
	}

	r := strings.NewReader(log)
	live, err := ReadLive(r, r.Size())
	require.NoError(t, err)
	require.Equal(t, linesOf(t, tree, path.Nodes, live.Cut), pathOf(t, log[:live.Head]+log[live.Cut:]), log)

	ends := tree.Ends()
	shown, remarks := tree.Union(ends)
	require.Empty(t, remarks, log)
	for _, n := range tree.order {
		if tree.at(n).flags&sidechain == 0 {
			require.Contains(t, shown, n, "%s\n%s", tree.ID(n), log)
		}
		whole := tree.Path(n, Options{}).Nodes
		require.Equal(t, n, whole[len(whole)-1])
		text := linesOf(t, tree, whole, 0)
		require.Equal(t, text, pathOf(t, header+text), log)
	}
	require.Empty(t, tree.Orphans(), log)
	require.Empty(t, tree.Cycles(), log)
	for _, b := range tree.Branches(ends)[min(1, len(ends)):] {
		if b.Fork != None {
			require.True(t, tree.Above(b.Fork, b.End), log)
		}
	}
}

func FuzzPathOfPathAndLivePartOfStraightLogs(f *testing.F) {
	rng := rand.New(rand.NewPCG(1, 2))
	for d := range alphabets {
		for range 15 {
			b := make([]byte, 30)
			for i := range b {
				b[i] = byte(rng.Uint32())
			}
			f.Add(byte(d), b)
		}
	}
	f.Fuzz(func(t *testing.T, d byte, b []byte) {
		if lines, ok := alphabets[dialect.Dialect(d)]; ok {
			checkStraight(t, dialect.Dialect(d), drawStraight(lines, b[:min(len(b), 60)]))
		}
	})
}

// TestSharedOthers compares real and hand-made logs of other programs with the paths, the
// cuts and the leaves that their sources imply.
func TestSharedOthers(t *testing.T) {
	for _, row := range rows(sharedFile(t, "real", "others", "dialects.tsv")) {
		name := strings.TrimSuffix(row[0], ".jsonl")
		t.Run(name, func(t *testing.T) {
			log := string(sharedFile(t, "real", "others", row[0]))
			tree := read(t, log, Default)
			var lines []string
			for _, n := range tree.Path(None, Options{}).Nodes {
				lines = append(lines, strconv.FormatInt(tree.Pos(n).Line, 10))
			}
			require.Equal(t, strings.Fields(string(sharedFile(t, "real", "others", name+".path"))), lines)
			leaf := "0"
			if len(lines) > 0 {
				leaf = lines[len(lines)-1]
			}
			require.Equal(t, row[2], leaf)

			r := strings.NewReader(log)
			live, err := ReadLive(r, r.Size())
			require.NoError(t, err)
			cut := 1
			if live.Cut > live.Head {
				cut += strings.Count(log[:live.Cut], "\n")
			}
			require.Equal(t, strings.TrimSpace(string(sharedFile(t, "real", "others", name+".cut"))), fmt.Sprint(cut))
		})
	}
}
