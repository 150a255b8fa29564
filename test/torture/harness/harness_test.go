package harness

import (
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
	require.Empty(t, problemOfMessages("jlrev", "jlrev: a.jsonl:3: its parent \"a\\\"0x00000c panic\" is not in the file\n", "a.jsonl"))

	want := Outcome{Stdout: "a\nb\n"}
	for _, bad := range []Outcome{
		{Stdout: "a\n"}, {}, {Status: 1}, {Status: -1, Signal: syscall.SIGBUS}, {Status: 2},
		{Status: 2, Stderr: "panic: x\n\ngoroutine 1 [running]:\n"}, {Stdout: "a\nb\n", Hung: true}, {Stdout: "a\nb\n", Files: "half"},
	} {
		require.NotEmpty(t, Problem("jlrev", want, bad, "a.jsonl"), "%v", bad)
	}
	require.Empty(t, Problem("jlrev", want, want, "a.jsonl"))
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
		{id: "P10", text: "b", test: "TestB", tried: 3, held: 2, remarks: []string{"one", "two"}},
		{id: "P2", text: "c", test: "TestC", tried: 1, held: 1},
	}
	name := filepath.Join(t.TempDir(), "table")
	require.NoError(t, report(rows, name))
	require.NoError(t, report([]*row{{id: "P10", text: "b", test: "TestB", tried: 4, held: 4}, {id: "P10", text: "a", test: "TestA"}}, name))
	require.Regexp(t, `^.*\n.*\n\| P2 .* 1 \| 1 .*\n\| P10 \| a .* 0 \| 0 .*\n\| P10 \| b .* 7 \| 6 \|  \|\n$`, Read(t, name))
}
