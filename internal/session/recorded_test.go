package session

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jl/internal/entry"
)

// recorded returns a home in which only entries name most members.
func recorded(t *testing.T) *Home {
	t.Helper()
	outputs := filepath.Join(t.TempDir(), "tasks")
	require.NoError(t, os.Mkdir(outputs, 0o777))
	require.NoError(t, os.WriteFile(filepath.Join(outputs, "b1.output"), []byte("x"), 0o666))
	t.Setenv("OUTPUTS", outputs)
	results := "/home/u/.claude/projects/-w/" + one + "/tool-results/"
	log := strings.Join([]string{
		`{"type":"user","slug":"fox","imagePasteIds":[1,2,-1,"3"],"message":{"content":"see image-cache/` + one + `/4.png, image-cache/x/5.png and paste-cache/aa.txt. Not paste-cache/.."}}`,
		`{"type":"user","slug":"fox","message":{}}`,
		`{"message":"cut o{"type":"user","slug":"owl","message":{"content":[{"type":"tool_result","content":"<persisted-output>\nsaved to: ` + results + `gone.txt"}]}}`,
		`{"type":"user","slug":"","toolUseResult":{"agentId":"new","persistedOutputPath":"` + results + `t.txt"},"message":{}}`,
		`{"type":"user","toolUseResult":{"agentId":"damaged"},"message":{}}`,
		`{"type":"user","toolUseResult":{"agentId":"gone"},"message":{}}`,
		`{"type":"user","toolUseResult":{"agentId":"../x"},"message":{}}`,
		`{"type":"file-history-delta","trackingPath":"a","backup":{"backupFileName":"0123456789abcdef@v2"}}`,
		`{"type":"file-history-delta","trackingPath":"b","backup":{"backupFileName":"../../x"}}`,
		`{"type":"queue-operation","content":"<task-notification><task-id>b1</task-id><output-file>` + outputs + `/b1.output</output-file>"}`,
		`{"type":"queue-operation","content":"<task-notification><task-id>b1</task-id><output-file>` + outputs + `/b1.output</output-file>"}`,
		`{"type":"user","toolUseResult":{"backgroundTaskId":"b\u0032","outputFile":"/etc/passwd"},"message":{"content":[{"type":"tool_result"}]}}`,
		`{"type":"user","toolUseResult":{"backgroundTaskId":"b3"},"message":{"content":[{"type":"tool_result"}]}}`,
		`{"type":"user","message":{"content":"paste-cache/bb`,
	}, "\n")
	return tree{
		"projects/-w/" + one + ".jsonl":                          log,
		"projects/-w/" + one + "/subagents/agent-new.jsonl":      `{"slug":"owl","message":"paste-cache/bb"}`,
		"projects/-w/" + one + "/tool-results/t.txt":             "",
		"projects/-w/agent-damaged.jsonl":                        pack("{}")[:9],
		"projects/-w/agent-other.jsonl":                          pack("{}")[:9],
		"image-cache/" + one + "/1.jpeg":                         "",
		"image-cache/" + one + "/4.png":                          "",
		"paste-cache/aa.txt":                                     "",
		"paste-cache/bb":                                         "",
		"plans/fox-agent-a.md":                                   "",
		"plans/owl.md":                                           "",
		"history.jsonl":                                          `{"sessionId":"` + one + `","pastedContents":{"1":{"contentHash":"aa"},"2":{"contentHash":"cc"}}}`,
		"projects/-x/" + two + ".jsonl":                          `{"message":"an image-cache/` + two + `/7.png that is gone"}`,
		"projects/-x/33333333-3333-4333-8333-333333333333.jsonl": "",
	}.open(t)
}

func TestAllMembers(t *testing.T) {
	h := recorded(t)
	own, outputs := "projects/-w/"+one, os.Getenv("OUTPUTS")
	want := []string{
		"session " + own + ".jsonl",
		"agent " + own + "/subagents/agent-new.jsonl",
		"tool-result " + own + "/tool-results/t.txt",
		"image image-cache/" + one + "/1.jpeg",
		"image image-cache/" + one + "/4.png",
		"plan plans/fox-agent-a.md",
		"image image-cache/" + one + "/2.png missing",
		"paste paste-cache/aa.txt",
		"! " + own + ".jsonl: torn entry; recovered",
		"plan plans/owl.md",
		"tool-result " + own + "/tool-results/gone.txt missing",
		"agent projects/-w/agent-damaged.jsonl",
		"agent " + own + "/subagents/agent-gone.jsonl missing",
		"file-history file-history/" + one + "/0123456789abcdef@v2 missing",
		"task-output " + outputs + "/b1.output",
		"task-output /etc/passwd: not read: outputs of tasks are not stored here",
		"! " + own + ".jsonl: the last line is not finished",
		"paste paste-cache/bb",
		"paste paste-cache/cc.txt missing",
		"! projects/-w/agent-other.jsonl: damaged",
	}
	readies := 0
	h.Ready = func() { readies++ }
	got := texts(h.AllMembers(one))
	require.Len(t, got, len(want))
	for i := range want {
		if strings.HasPrefix(want[i], "!") {
			require.True(t, strings.HasPrefix(got[i], want[i]), "%s: %s", want[i], got[i])
			got[i] = want[i]
		}
	}
	require.Equal(t, want, got)
	require.Equal(t, 2, readies)
	for m := range h.AllMembers(one) {
		if m.Kind == TaskOutput && m.Err != nil {
			require.Equal(t, `"b\u0032"`, string(m.Task))
			require.Equal(t, "/etc/passwd", m.Path())
		}
		if m.Kind == Log {
			require.Equal(t, h.Path(own+".jsonl"), m.Path())
		}
	}
	for n := range want { // a loop that ends gets nothing more
		for range h.AllMembers(one) {
			if n--; n < 0 {
				break
			}
		}
	}
}

// TestMissingTakeLittle: only hashes of missing members are kept.
func TestMissingTakeLittle(t *testing.T) {
	const backups, some = 1 << 16, 1 << 13 // some of them, so that buffers have their sizes
	var log strings.Builder
	for i := range backups {
		fmt.Fprintf(&log, `{"type":"file-history-delta","trackingPath":"a","backup":{"backupFileName":"%016x@v1"}}`+"\n", i)
	}
	h := tree{"projects/-w/" + one + ".jsonl": log.String()}.open(t)
	live := func() int64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	var before, after int64
	n := 0
	for range h.AllMembers(one) {
		switch n++; n {
		case some + 1:
			before = live()
		case backups + 1:
			after = live()
		}
	}
	require.Equal(t, backups+1, n)
	require.Less(t, (after-before)/(backups-some), int64(64), "bytes of memory for a name")
	runtime.KeepAlive(log.String())
}

func TestEntriesStop(t *testing.T) {
	const torn = `{"a":"b{"type":"x"}` + "\n"
	h := tree{"debug/log": "{}\n" + torn + torn + "{}\n"}.open(t)
	for n := range 6 {
		got := 0
		for _, err := range h.Entries("debug/log") {
			if err != nil {
				require.Equal(t, "debug/log: torn entry; recovered the entry at byte "+[]string{"", "10", "", "30"}[got], err.Error())
			}
			if got++; got > n {
				break
			}
		}
		require.Equal(t, n+1, got)
	}
	for _, err := range h.Entries("debug/none") {
		require.ErrorIs(t, err, os.ErrNotExist)
	}
}

func TestOwners(t *testing.T) {
	h := recorded(t)
	outside := t.TempDir()
	write := func(name, content string) string {
		name = filepath.Join(outside, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o777))
		require.NoError(t, os.WriteFile(name, []byte(content), 0o666))
		return name
	}
	link := filepath.Join(outside, "link")
	require.NoError(t, os.Symlink(h.Path("projects/-w/"+one+".jsonl"), link))
	pathless := write("tasks/b3.output", "")
	linked := filepath.Dir(write("linked/x", ""))
	require.NoError(t, os.Symlink(os.Getenv("OUTPUTS"), linked+"/tasks"))
	unknown := write("tasks/b9.output", "")
	none := ErrNoOwner.Error()
	tests := []struct {
		file string
		want []string
		err  string
	}{
		{h.Path("projects/-w/" + one + ".jsonl"), []string{one}, ""},
		{link, []string{one}, ""},
		{h.Path("plans/owl.md"), []string{one}, ""},
		{h.Path("plans/none.md"), nil, "belongs to no session: no record names it"},
		{h.Path("paste-cache/aa.txt"), []string{one}, ""},
		{h.Path("paste-cache/bb"), []string{one}, ""},
		{os.Getenv("OUTPUTS") + "/b1.output", []string{one}, ""},
		{linked + "/tasks/b1.output", []string{one}, ""},
		{pathless, []string{one}, ""},
		{unknown, nil, "belongs to no session: no record names it"},
		{write(one+"/tasks/b1.output", ""), []string{one}, ""},
		{write("renamed.jsonl", agentLine(two)), []string{two}, ""},
		{write(two+".bak", ""), []string{two}, ""},
		{write("x.jsonl", "{}"), nil, none},
		{write("torn.jsonl", pack("{}")[:9]), nil, "damaged zstd data: unexpected EOF"},
		{h.Path("history.jsonl"), nil, none},
		{outside, nil, "is a directory: its logs are *.jsonl"},
		{filepath.Join(outside, "gone"), nil, "no such file or directory"},
		{filepath.Join(outside, "no/dir"), nil, "no such file or directory"},
	}
	for _, test := range tests {
		ids, unread, err := h.owners(test.file)
		require.Equal(t, test.want, ids, test.file)
		require.Empty(t, unread, test.file)
		if test.err == "" {
			require.NoError(t, err, test.file)
		} else {
			require.Equal(t, test.err, reason(err), test.file)
		}
	}
}

func TestIsMember(t *testing.T) {
	h := recorded(t)
	for name, want := range map[string]bool{
		"projects/-w/" + one + ".jsonl":                     false,
		"projects/-w/" + one + "/subagents/agent-new.jsonl": false,
		"projects/-w/" + one + "/tool-results/t.txt":        true,
		"plans/owl.md":      true,
		"image-cache/x.png": true,
		"history.jsonl":     false,
		"../outside":        false,
	} {
		require.Equal(t, want, Homes{h}.IsMember(h.Path(name)), name)
	}
}

// The lines that hold a word are a part of a log: damaged ones before the first entry do not
// make it something else.
func TestEntriesWithAWord(t *testing.T) {
	name := "projects/-w/" + one + ".jsonl"
	h := tree{name: "word\n{\"uuid\":\"a\"}\nword\n" + strings.Repeat("word "+strings.Repeat("x", 1000)+"\n", 1100) + "{\"uuid\":\"b\",\"x\":\"word\"}\n"}.open(t)
	found, damaged := 0, 0
	for e, err := range h.EntriesWith(name, []byte("word")) {
		if err != nil {
			require.ErrorAs(t, err, new(*entry.Damage))
			damaged++
		} else {
			require.True(t, e.Get(entry.UUID).Is("b"))
			found++
		}
	}
	require.Equal(t, 1, found)
	require.Equal(t, 1102, damaged)
}

// TestMembersOfForks: what the entries of a fork name is where the session is from which they come.
func TestMembersOfForks(t *testing.T) {
	h := tree{
		"projects/-w/" + one + ".jsonl": `{"type":"user","uuid":"a","sessionId":"` + one + `","forkedFrom":{"sessionId":"` + two + `","messageUuid":"a"},` +
			`"toolUseResult":{"agentId":"x","persistedOutputPath":"/home/u/.claude/projects/-w/` + two + `/tool-results/t.txt"},"message":{"content":[{"type":"tool_result","tool_use_id":"c"}]}}` + "\n",
		"projects/-w/" + two + "/subagents/agent-x.jsonl": agentLine(two),
		"projects/-w/" + two + "/tool-results/t.txt":      "",
	}.open(t)
	var names []string
	for m, err := range h.AllMembers(one) {
		require.Nil(t, err)
		names = append(names, m.Name)
	}
	require.Contains(t, names, "projects/-w/"+two+"/subagents/agent-x.jsonl")
	require.Contains(t, names, "projects/-w/"+two+"/tool-results/t.txt")
}
