package session

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// The names of the long directories are those that version 0.3.329 of the Agent SDK looks
// for first.
func TestProjectName(t *testing.T) {
	tests := []struct{ name, dir, want string }{
		{"plain", "/home/user/repo", "-home-user-repo"},
		{"replaced characters", "/a_b.c d-e", "-a-b-c-d-e"},
		{"two directories, one name", "/a/b-c", "-a-b-c"},
		{"the other", "/a-b/c", "-a-b-c"},
		{"not ASCII", "/é日本", "----"},
		{"two UTF-16 units", "/😀", "---"},
		{"root", "/", "-"},
		{"a letter and its accent", "/home/jose\u0301", "-home-jos-"},
		{"marks out of order", "/x\u0307\u0323", "---"},
		{"Hangul", "/\u1112\u1161\u11ab", "--"},
		{"a character that is another one", "/\u212b", "--"},
		{"not UTF-8", "/\xff/e\u0301", "----"},
		{"200 units", "/" + strings.Repeat("a", 199), "-" + strings.Repeat("a", 199)},
		{"200 units, more bytes", "/" + strings.Repeat("é", 199), "-" + strings.Repeat("-", 199)},
		{"long", "/home/user/" + strings.Repeat("abcdefghi/", 30) + "x", "-home-user-" + strings.Repeat("abcdefghi-", 19)[:189] + "-39ak89"},
		{"long and wide", "/home/user/" + strings.Repeat("日本/😀é/", 30) + "x", "-home-user-" + strings.Repeat("-", 189) + "-spt1fv"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			require.Equal(t, test.want, projectName(test.dir))
		})
	}
}

func TestIsElement(t *testing.T) {
	for _, name := range []string{"a", "...", "a b", "*", "~", "é", "a\n", "-x", strings.Repeat("a", 255)} {
		require.True(t, isElement(name), "%q", name)
	}
	for _, name := range []string{"", ".", "..", "/", "a/b", "/etc/passwd", `a\b`, "a\x00", strings.Repeat("a", 256)} {
		require.False(t, isElement(name), "%q", name)
	}
}

const (
	one = "11111111-1111-4111-8111-111111111111"
	two = "2222ABcd-2222-4222-8222-222222222222"
)

func TestOwner(t *testing.T) {
	tests := []struct{ name, want string }{
		{one, one},
		{two, two},
		{one + ".txt", one},
		{one + "-agent-" + two + ".json", one},
		{"1p_events." + one + ".json", one},
		{"x" + one, ""},
		{one + "0", ""},
		{"0" + one + "-" + two, two},
		{"latest", ""},
		{"", ""},
		{strings.Repeat("-", 36), ""},
		{strings.ReplaceAll(one, "1", "g"), ""},
	}
	for _, test := range tests {
		require.Equal(t, test.want, Owner(test.name), "%q", test.name)
	}
}

func TestAgentID(t *testing.T) {
	tests := []struct{ name, want string }{
		{"agent-a1.jsonl", "a1"},
		{"projects/P/S/subagents/workflows/w/agent-a-b.jsonl", "a-b"},
		{"agent-a1.jsonl.zst", "a1"},
		{"agent-a1.meta.json", "a1"},
		{"agent-.jsonl", ""},
		{"agent-a1.json", ""},
		{"journal.jsonl", ""},
		{one + ".jsonl", ""},
	}
	for _, test := range tests {
		require.Equal(t, test.want, AgentID(test.name), "%q", test.name)
	}
}

func TestPlanSlug(t *testing.T) {
	require.Equal(t, "calm-green-fox", planSlug("calm-green-fox.md"))
	require.Equal(t, "calm-green-fox", planSlug("calm-green-fox-agent-a1.md"))
	require.Equal(t, "", planSlug("calm-green-fox"))
}

func TestBackup(t *testing.T) {
	for _, good := range []string{"0123456789abcdef@v1", "ffffffffffffffff@v0", "0000000000000000@v123456789012345678901234567890"} {
		require.True(t, IsBackup(good), good)
		require.Equal(t, "file-history/s/"+good, Backup("s", good))
	}
	for _, bad := range []string{
		"", "0123456789abcdef", "0123456789abcdef@v", "0123456789abcdef@1", "0123456789abcdef@v1x", "0123456789abcdef@v1\n",
		"0123456789abcdeF@v1", "0123456789abcdeg@v1", "0123456789abcde@v1", "0123456789abcdef0@v1", "x0123456789abcdef@v1",
		"../0123456789abcdef@v1", "0123456789abcdef@v1/..", "0123456789abcdef@v1\x00", "0123456789abcdef@v-1",
		"................@v1", "/123456789abcdef@v1", "0123456789abcdef@v" + strings.Repeat("1", 5000), "*", "0123456789abcde?@v1",
	} {
		require.False(t, IsBackup(bad), bad)
		require.Equal(t, "", Backup("s", bad), bad)
	}
	for _, id := range []string{"", ".", "..", "/", "a/b", `a\b`, "a\x00", "../s", strings.Repeat("x", 256)} {
		require.Equal(t, "", Backup(id, "0123456789abcdef@v1"), id)
	}
}

func TestHasAgentLog(t *testing.T) {
	dir := t.TempDir()
	log := filepath.Join(dir, "s.jsonl")
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "s/subagents/workflows/w"), 0o700))
	for _, name := range []string{"s/subagents/agent-a1.jsonl", "agent-a2.jsonl.gz", "s/subagents/workflows/w/agent-a4.jsonl"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), nil, 0o600))
	}
	for _, agent := range []string{"a1", "a2", "a4"} {
		require.True(t, HasAgentLog(log, agent), agent)
		require.True(t, HasAgentLog(log+".zst", agent), agent)
		require.False(t, HasAgentLog(filepath.Join(dir, "s"), agent), agent)
	}
	for _, agent := range []string{"a3", "", "../subagents/agent-a1"} {
		require.False(t, HasAgentLog(log, agent), agent)
	}
}

func TestAgentTold(t *testing.T) {
	dir := t.TempDir()
	log := filepath.Join(dir, "agent-a1.jsonl")
	told := func(name string) string {
		agentType, model := AgentTold(name)
		return agentType + " " + model
	}
	require.Equal(t, " ", told(log))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "agent-a1.meta.json"), []byte("{\n  \"agentType\": \"Explore\",\n  \"model\": \"m\"\n}"), 0o600))
	require.Equal(t, "Explore m", told(log))
	require.Equal(t, "Explore m", told(log+".zst"))
	require.Equal(t, " ", told(filepath.Join(dir, "session.jsonl")))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "agent-a1.meta.json"), []byte(`{"agentType":`), 0o600))
	require.Equal(t, " ", told(log))
	require.NoError(t, os.Remove(filepath.Join(dir, "agent-a1.meta.json")))
	require.NoError(t, syscall.Mkfifo(filepath.Join(dir, "agent-a1.meta.json"), 0o600))
	require.Equal(t, " ", told(log), "it must not wait for a writer")
	require.NoError(t, os.Remove(filepath.Join(dir, "agent-a1.meta.json")))
	require.NoError(t, os.Symlink("/dev/zero", filepath.Join(dir, "agent-a1.meta.json")))
	require.Equal(t, " ", told(log), "it must not read without end")
}

func TestCwdTold(t *testing.T) {
	const told = `{"cwd":"/w/told"}`
	h := tree{
		".gemini/projects.json": `{"projects":{"/w/other":"venus","/w/moons":"moons"}}`,
		".gemini/tmp/moons/chats/session-2026-06-01T10-00-1.jsonl": "",
		".gemini/tmp/mars/chats/session-2026-06-01T10-00-1.jsonl":  "",
		".grok/sessions/%2Fw%2Fmoons/" + one + "/updates.jsonl":    "",
		".kimi-code/sessions/k/" + one + "/state.json":             told,
		".kimi-code/sessions/k/" + one + "/agents/main/wire.jsonl": "",
		"projects/-w-moons/" + one + ".jsonl":                      `{"type":"summary"}` + "\n" + `{"cwd":"/w/moons"}` + "\n" + `{"cwd":"/w/moons/io"}`,
		"projects/-w-moons/" + one + "/subagents/agent-a1.jsonl":   "",
		"subagents/projects/-w-moons/" + one + ".jsonl":            `{"cwd":"/w/last"}`,
		"projects/-w-moons/agent-b1.jsonl":                         `{"agentId":"b1","sessionId":"` + one + `","cwd":"/w/moons/io"}`,
		"projects/-w-moons/agent-c1.jsonl":                         `{"agentId":"c1","sessionId":"gone","cwd":"/w/moons/io"}`,
	}.open(t)
	for name, want := range map[string]string{
		".gemini/tmp/moons/chats/session-2026-06-01T10-00-1.jsonl":              "/w/moons",
		".gemini/tmp/mars/chats/session-2026-06-01T10-00-1.jsonl":               "",
		".grok/sessions/%2Fw%2Fmoons/" + one + "/updates.jsonl":                 "/w/moons",
		".kimi-code/sessions/k/" + one + "/agents/main/wire.jsonl":              "/w/told",
		"projects/-w-moons/" + one + ".jsonl":                                   "", // its entries tell it
		"projects/-w-moons/" + one + "/subagents/agent-a1.jsonl":                "/w/moons",
		"projects/-w-moons/" + one + "/subagents/workflows/wf_1/agent-a2.jsonl": "/w/moons",
		"projects/-w-moons/agent-b1.jsonl":                                      "/w/moons",
		"projects/-w-moons/agent-c1.jsonl":                                      "",
		"subagents/projects/-w-moons/" + one + "/subagents/agent-a1.jsonl":      "/w/last",
		"projects/-w-moons/agent-d1.jsonl":                                      "",
		"log.jsonl":                                                             "",
	} {
		require.Equal(t, want, CwdTold(h.Path(name)), name)
	}
	t.Chdir(h.Path("projects/-w-moons/" + one + "/subagents"))
	require.Equal(t, "/w/moons", CwdTold("agent-a1.jsonl"), "wherever the name begins")
}
