package session

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The names of the long directories are those that version 0.3.329 of the Agent SDK
// looks for first.
func TestProjectName(t *testing.T) {
	tests := []struct{ name, dir, want string }{
		{"plain", "/home/user/repo", "-home-user-repo"},
		{"what is replaced", "/a_b.c d-e", "-a-b-c-d-e"},
		{"two directories, one name", "/a/b-c", "-a-b-c"},
		{"the other", "/a-b/c", "-a-b-c"},
		{"no ASCII", "/é日本", "----"},
		{"two UTF-16 units", "/😀", "---"},
		{"root", "/", "-"},
		{"200 units", "/" + strings.Repeat("a", 199), "-" + strings.Repeat("a", 199)},
		{"200 units, more bytes", "/" + strings.Repeat("é", 199), "-" + strings.Repeat("-", 199)},
		{"long", "/home/user/" + strings.Repeat("abcdefghi/", 30) + "x", "-home-user-" + strings.Repeat("abcdefghi-", 19)[:189] + "-39ak89"},
		{"long and wide", "/home/user/" + strings.Repeat("日本/😀é/", 30) + "x", "-home-user-" + strings.Repeat("-", 189) + "-spt1fv"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			require.Equal(t, test.want, ProjectName(test.dir))
		})
	}
}

func TestMayBeProject(t *testing.T) {
	long := ProjectName("/" + strings.Repeat("a", 300))
	require.True(t, MayBeProject("-w", "-w"))
	require.False(t, MayBeProject("-w-x", "-w"))
	require.True(t, MayBeProject(long, long))
	require.True(t, MayBeProject(long[:201]+"other", long))
	require.False(t, MayBeProject(long[:200]+"x", long))
}

func TestIsElement(t *testing.T) {
	for _, name := range []string{"a", "...", "a b", "*", "~", "é", "a\n", "-x", strings.Repeat("a", 255)} {
		require.True(t, IsElement(name), "%q", name)
	}
	for _, name := range []string{"", ".", "..", "/", "a/b", "/etc/passwd", `a\b`, "a\x00", strings.Repeat("a", 256)} {
		require.False(t, IsElement(name), "%q", name)
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

func TestBelongs(t *testing.T) {
	require.True(t, belongs(one+".txt", one))
	require.False(t, belongs(two+"-agent-"+one+".json", one))
	require.True(t, belongs("demo", "demo"))
	require.True(t, belongs("demo.txt", "demo"))
	require.True(t, belongs("demo-agent-demo.json", "demo"))
	require.False(t, belongs("demonstration", "demo"))
	require.False(t, belongs("1111", one))
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
	require.Equal(t, "calm-green-fox", PlanSlug("calm-green-fox.md"))
	require.Equal(t, "calm-green-fox", PlanSlug("calm-green-fox-agent-a1.md"))
	require.Equal(t, "", PlanSlug("calm-green-fox"))
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

func TestCompose(t *testing.T) {
	tests := []struct{ apart, whole string }{
		{"/home/jose\u0301/Fu\u0308\u00dfe", "/home/jos\u00e9/F\u00fc\u00dfe"},
		{"\u1112\u1161\u11ab\u1100\u1173\u11af \u1100\u1161\u11a8 \u1100\u1161", "\ud55c\uae00 \uac01 \uac00"},
		{"\u30ab\u3099\u306f\u309a", "\u30ac\u3071"},
		{"Vie\u0323\u0302t Nam e\u0323\u0302", "Vi\u1ec7t Nam \u1ec7"},
		{"x\u0323\u0307", "\u1e8b\u0323"},
		{"\u03b9\u0308\u0301\u03b1\u0302\u0345", "\u0390\u1fb3\u0302"},
		{"\u0986\u09c7\u09be", "\u0986\u09cb"},
		{"\U0001f600e\u0301", "\U0001f600\u00e9"},
		{"e\u0301", "\u00e9"},
		{"\u0301a", "\u0301a"},             // nothing before it
		{"q\u0301", "q\u0301"},             // no such character
		{"e\u0332\u0301", "e\u0332\u0301"}, // across a mark that joins nothing
		{"a\u0323\u0323", "\u1ea1\u0323"},  // one joins, another of its class does not
		{"\u1100\u11a8", "\u1100\u11a8"},   // no vowel
		{"\uac01\u11a8", "\uac01\u11a8"},   // a second tail
		{"\xff/e\u0301", "\ufffd/\u00e9"},  // no UTF-8
		{"\xff", "\xff"},
		{"", ""},
	}
	for _, test := range tests {
		require.Equal(t, test.whole, Compose(test.apart), "%+q", test.apart)
		require.Equal(t, test.whole, Compose(test.whole), "%+q", test.whole)
	}
	require.Equal(t, "-home-jos-", ProjectName("/home/jose\u0301"))
}

// FuzzCompose: what is composed stays as it is.
func FuzzCompose(f *testing.F) {
	for _, s := range []string{"a\u0323\u0302", "\u1100\u1161\u11a8", "\u0cc6\u0cc2\u0cd5", "q\u0301", "\xff\u0301"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		whole := Compose(s)
		require.Equal(t, whole, Compose(whole), "%+q", s)
		require.LessOrEqual(t, len([]rune(whole)), len([]rune(s)))
	})
}
