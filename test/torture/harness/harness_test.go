package harness

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// The tests that use the checks in this package prove something only if the checks
// can fail.

// TestMessages shows that bad messages and bad runs are noticed. All tests in which
// something fails add to its row of the table.
func TestMessages(t *testing.T) {
	for _, bad := range []string{
		"",
		"jlrev: a.jsonl: input/output error",
		"jlpath: a.jsonl: input/output error\n",
		"jlrev: b.jsonl: input/output error\n",
		"jlrev: a.jsonl: Input/output error\n",
		"jlrev: a.jsonl: input/output error.\n",
		"jlrev: error: a.jsonl: input/output error\n",
		"jlrev: a.jsonl: read /tmp/a.jsonl: input/output error\n",
		"jlrev: a.jsonl: input/output error\n\n",
		"jlrev: a.jsonl: %!v(MISSING)\n",
		"jlrev: a.jsonl: &{%!s(*fs.PathError=0xc000012345)}\n",
		"panic: a.jsonl\n\ngoroutine 1 [running]:\n",
	} {
		require.NotEmpty(t, problemOfMessages("jlrev", bad, "a.jsonl"), "%q", bad)
	}
	require.Empty(t, problemOfMessages("jlrev", "jlrev: /x/a.jsonl:812: torn entry\n", "a.jsonl"))

	want := Outcome{Stdout: "a\nb\n"}
	for _, bad := range []Outcome{
		{Stdout: "a\n"},
		{},
		{Status: 1},
		{Status: -1, Signal: syscall.SIGBUS},
		{Status: 2},
		{Status: 2, Stderr: "panic: x\n\ngoroutine 1 [running]:\n"},
		{Stdout: "a\nb\n", Hung: true},
		{Stdout: "a\nb\n", Files: "half"},
	} {
		require.NotEmpty(t, problem("jlrev", want, bad, "a.jsonl"), "%v", bad)
	}
	require.Empty(t, problem("jlrev", want, want, "a.jsonl"))
}

func TestStray(t *testing.T) {
	for _, c := range []*Call{
		{Name: "connect"},
		{Name: "unlinkat", Path: "/w/log/s.jsonl"},
		{Name: "linkat", Path: "/w/out/a", To: "/w/b"},
		{Name: "openat", Path: "/w/out2", Args: [6]uint64{2: syscall.O_RDWR}},
		{Name: "openat", Path: "/etc/x", Args: [6]uint64{2: syscall.O_CREAT}},
	} {
		require.True(t, c.Stray("/w/out"), "%v", c)
	}
	require.False(t, (&Call{Name: "openat", Path: "/etc/x"}).Stray("/w/out"))
	require.False(t, (&Call{Name: "linkat", Path: "/w/out/a", To: "/w/out/b"}).Stray("/w/out"))
}

func TestTable(t *testing.T) {
	rows := []*row{
		{id: "P10", text: "ten", test: "TestB", tried: 3, held: 2, remarks: []string{"one", "two"}},
		{id: "P2", text: "two", test: "TestC", tried: 1, held: 1},
		{id: "P10", text: "also ten", test: "TestA", tried: 7, held: 7},
	}
	text := format(rows)
	require.Equal(t, text, format(parse(text)))
	require.Regexp(t, `(?s)TestC.*TestA.*TestB \| 3 \| 2 \| one; two \|`, text)

	name := filepath.Join(t.TempDir(), "table")
	t.Setenv("TORTURE_TABLE", name)
	table.rows = rows
	defer func() { table.rows = nil }()
	require.NoError(t, report())
	require.NoError(t, report())
	text2, err := os.ReadFile(name)
	require.NoError(t, err)
	require.Contains(t, string(text2), "| TestB | 6 | 4 |")
}
