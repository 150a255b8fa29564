package cut

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jl/internal/dialect"
	"jl/internal/forest"
	"jl/internal/log"
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

// drawList returns a log of lines of an alphabet that bytes choose.
func drawList(lines []string, choice []byte) string {
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
func linesOf(t *testing.T, tr *log.Log, nodes []log.Node, from int64) string {
	t.Helper()
	var b strings.Builder
	for _, n := range nodes {
		if tr.Pos(n).Offset >= from {
			b.Write(tr.Entry(n).Line)
		}
	}
	require.NoError(t, tr.Err())
	return b.String()
}

// pathOf returns what jlpath prints of a log, but for the header.
func pathOf(t *testing.T, text string) string {
	t.Helper()
	tr := read(t, text)
	return linesOf(t, tr, tr.Path(log.None, log.Options{}).Nodes, 0)
}

// checkList requires of a list that its path is its own path, that the path of
// its live part is the path from the cut on, and that its ends show each entry.
func checkList(t *testing.T, d dialect.Dialect, text string) {
	t.Helper()
	tr := read(t, text)
	require.Equal(t, d.String(), tr.Dialect.String(), text)
	header := ""
	if d == dialect.PiV1 {
		header, _, _ = strings.Cut(text, "\n")
		header += "\n"
	}
	path := tr.Path(log.None, log.Options{})
	require.Empty(t, path.Odd, text)
	if len(path.Nodes) > 0 {
		text := linesOf(t, tr, path.Nodes, 0)
		require.Equal(t, text, pathOf(t, header+text), text)
	}

	r := strings.NewReader(text)
	live, err := Find(r, r.Size())
	require.NoError(t, err)
	require.Equal(t, linesOf(t, tr, path.Nodes, live.Offset), pathOf(t, text[:live.Head]+text[live.Offset:]), text)

	shown := tr.Union(tr.Leaves, log.Options{Through: true})
	require.Empty(t, shown.Odd, text)
	for n := range tr.Count {
		if !tr.Tree.Is(n, log.Sidechain) {
			require.Contains(t, shown.Nodes, n, "%s\n%s", tr.ID(n), text)
		}
		whole := tr.Path(n, log.Options{}).Nodes
		require.Equal(t, n, whole[len(whole)-1])
		text := linesOf(t, tr, whole, 0)
		require.Equal(t, text, pathOf(t, header+text), text)
	}
	requireForest(t, tr)
	branches, _ := tr.Ends()
	for _, b := range branches[min(1, len(branches)):] {
		if b.Fork != log.None {
			require.True(t, slices.Contains(forest.Of(tr.Tree.Up).Walk(b.Leaf, nil), b.Fork), text)
		}
	}
}

func FuzzPathOfPathAndLivePartOfLists(f *testing.F) {
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
			checkList(t, dialect.Dialect(d), drawList(lines, b[:min(len(b), 60)]))
		}
	})
}

// requireForest requires that all parents of nodes are in the log, and make no cycle.
func requireForest(t *testing.T, tr *log.Log) {
	t.Helper()
	for n := range tr.Count {
		top := forest.Of(tr.Tree.Up).Walk(n, nil)[0]
		require.Equal(t, log.None, tr.Written[top], "%s", tr.ID(top))
	}
}
