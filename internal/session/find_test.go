package session

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"jl/test/scripttest"
)

func TestLogsOf(t *testing.T) {
	h := tree{
		"projects/-a/" + one + ".jsonl": "old", "projects/-b/" + one + ".jsonl": "newer", "projects/-b/" + one + "/subagents/agent-x.jsonl": "",
		"todos/" + two + ".json": "", "projects/-a/" + two + "/subagents/agent-x.jsonl": "",
	}.open(t)
	old := time.Now().Add(-time.Hour)
	require.NoError(t, os.Chtimes(h.Path("projects/-a/"+one+".jsonl"), old, old))
	logsOf := func(id string) (names []string) {
		logs, errs := (&Match{Home: h, ID: id}).LogsOf()
		require.Empty(t, errs)
		for _, log := range logs {
			names = append(names, log.Name)
		}
		return names
	}
	require.Equal(t, []string{"projects/-b/" + one + ".jsonl", "projects/-a/" + one + ".jsonl"}, logsOf(one))
	require.Empty(t, logsOf(two), "it has members, but no log")
	require.Empty(t, logsOf("nobody"))
	require.Empty(t, logsOf(""))
}

// TestClosedFolders: a folder that cannot be read, or cannot be searched, may hold the newest log.
func TestClosedFolders(t *testing.T) {
	layout := tree{"projects/-a/" + one + ".jsonl": "x", "projects/-b/" + one + ".jsonl": "x", "projects/-b/" + one + "/archived.json": "x"}
	for mode, want := range map[os.FileMode][]string{
		0:     {"session projects/-a/" + one + ".jsonl", "! other projects/-b: permission denied"},
		0o644: {"session projects/-a/" + one + ".jsonl", "session projects/-b/" + one + ".jsonl: permission denied", "other projects/-b/" + one + ": permission denied"},
	} {
		h := layout.open(t)
		shut := h.Path("projects/-b")
		require.NoError(t, os.Chmod(shut, mode))
		t.Cleanup(func() { _ = os.Chmod(shut, 0o755) }) // else it cannot be removed
		scripttest.AsNobody(t, func() {
			require.Equal(t, want, texts(h.Members(one)))
			logs, errs := (&Match{Home: h, ID: one}).LogsOf()
			require.Equal(t, "projects/-a/"+one+".jsonl", logs[0].Name)
			require.Equal(t, mode == 0, len(logs) == 1 && len(errs) == 1)
		})
	}
}

// TestParts: Copilot CLI keeps a sub-agent in the log of its session, and may be asked about its id.
func TestParts(t *testing.T) {
	name := ".copilot/session-state/" + one + "/events.jsonl"
	h := tree{name: `{"type":"session.start","id":"a","data":{}}` + "\n" + `{"type":"user.message","id":"b","data":{"agentId":"y"},"agentId":"call_x"}`}
	homes, errs := Open([]string{h.open(t).Path(".copilot")})
	require.Empty(t, errs)
	t.Cleanup(homes.Close)
	found, errs := homes.Find("call_x", false)
	require.Empty(t, errs)
	require.Equal(t, []Match{{homes[0], "call_x", strings.TrimPrefix(name, ".copilot/"), true}}, found)
	require.Equal(t, one, found[0].Session())
	for _, id := range []string{"call", "y", "call.x"} {
		found, _ := homes.Find(id, false)
		require.Empty(t, found, id)
	}
}

// TestExact: an id that is exact is no beginning, and that of no sub-agent.
func TestExact(t *testing.T) {
	h := tree{"projects/-a/" + one + ".jsonl": "", "projects/-a/" + one + "/subagents/agent-abcde.jsonl": "", "todos/other.json": ""}.open(t)
	for id, want := range map[string]int{one: 1, "other": 1, one[:8]: 0, "abcde": 0, "agent-abcde": 0} {
		found, errs := Homes{h}.Find(id, true)
		require.Empty(t, errs)
		require.Len(t, found, want, id)
	}
}

func TestAgents(t *testing.T) {
	own := "projects/-a/" + one + "/subagents/"
	h := tree{
		own + "agent-abcde.jsonl": "", own + "agent-abcde.meta.json": "", own + "agent-abcdef.jsonl.zst": "", own + "notes.jsonl": "",
		"projects/-b/agent-xyz.jsonl": "", "projects/-b/" + two + "/subagents/agent-abcde.jsonl": "",
	}.open(t)
	for id, want := range map[string][]string{
		"abcde":     {own + "agent-abcde.jsonl", "projects/-b/" + two + "/subagents/agent-abcde.jsonl"}, // exactly so
		"abcdef":    {own + "agent-abcdef.jsonl.zst"},
		"abc":       nil, // too short for a beginning
		"agent-abc": nil,
		"abcd":      {own + "agent-abcde.jsonl", own + "agent-abcdef.jsonl.zst", "projects/-b/" + two + "/subagents/agent-abcde.jsonl"},

		"agent-xyz": {"projects/-b/agent-xyz.jsonl"},

		"no": nil, "agent-": nil, "": nil, "../a": nil,
	} {
		var logs []string
		found, errs := Homes{h}.Find(id, false)
		require.Empty(t, errs)
		for _, m := range found {
			logs = append(logs, m.Log)
		}
		require.Equal(t, want, logs, id)
	}
}

// TestManyIDs: ids that no log has as its name, sub-agents and plans are searched for in one walk, however many
// are asked for, so that what appears later is not found.
func TestManyIDs(t *testing.T) {
	three := "33333333-3333-4333-8333-333333333333"
	h := tree{
		"projects/-a/" + one + ".jsonl":                      `{"type":"user","uuid":"a","sessionId":"` + two + `","slug":"x"}`,
		"projects/-a/" + one + "/subagents/agent-abcd.jsonl": "",
		"plans/x.md": "",
	}.open(t)
	homes := Homes{h}
	find := func(name string) (logs []string) {
		found, errs := homes.Find(name, false)
		require.Empty(t, errs)
		for _, m := range found {
			logs = append(logs, m.Log)
		}
		return logs
	}
	log := "projects/-a/" + one + ".jsonl"
	require.Equal(t, []string{log}, find(two))
	require.Equal(t, []string{"projects/-a/" + one + "/subagents/agent-abcd.jsonl"}, find("abcd"))
	owners, errs, err := h.owners(h.Path("plans/x.md"))
	require.Empty(t, errs)
	require.NoError(t, err)
	require.Equal(t, []string{one}, owners)
	require.NoError(t, os.WriteFile(h.Path(log), []byte(`{"type":"user","uuid":"a","sessionId":"`+three+`"}`), 0o666))
	require.NoError(t, os.WriteFile(h.Path("projects/-a/"+one+"/subagents/agent-efgh.jsonl"), nil, 0o666))
	require.Empty(t, find(three))
	require.Empty(t, find("efgh"))
	require.Equal(t, []string{log}, find(two))
}
