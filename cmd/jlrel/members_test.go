package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"jl/internal/cli"
	"jl/test/program"
)

const id = "11111111-1111-4111-8111-111111111111"

// write creates a file and the directories above it, and returns its name.
func write(t testing.TB, content string, elements ...string) string {
	t.Helper()
	name := filepath.Join(elements...)
	require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o777))
	require.NoError(t, os.WriteFile(name, []byte(content), 0o666))
	return name
}

// firstWrite calls do before the first bytes are written.
type firstWrite struct {
	bytes.Buffer
	do func()
}

func (w *firstWrite) Write(b []byte) (int, error) {
	if w.Len() == 0 {
		w.do()
	}
	return w.Buffer.Write(b)
}

// TestRowsComeAtOnce changes the log when the first rows come out. Jlrel must read the
// changed log.
func TestRowsComeAtOnce(t *testing.T) {
	home := t.TempDir()
	log := write(t, "{}\n", home, "projects", "-w", id+".jsonl")
	for i := range 400 {
		write(t, "{}\n", home, "projects", "-w", id, "subagents", fmt.Sprintf("agent-%03d.jsonl", i))
	}
	out := firstWrite{do: func() {
		write(t, `{"type":"file-history-delta","trackingPath":"a","backup":{"backupFileName":"ffffffffffffffff@v1"}}`, log)
	}}
	require.Zero(t, cli.Run("jlrel", about, []string{"--home", home, id}, cli.Stdio{Out: &out, Err: io.Discard}, run))
	rows := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
	require.Len(t, rows, 402)
	require.Contains(t, rows[0], `"kind":"session"`)
	require.Contains(t, rows[1], `/agent-000.jsonl"`)
	require.Contains(t, rows[401], `ffffffffffffffff@v1","missing":true`)
}

// TestOutputs has outputs of tasks that must not be opened: one of a terabyte, a named
// pipe, and a link.
func TestOutputs(t *testing.T) {
	home, tasks := t.TempDir(), filepath.Join(t.TempDir(), "tasks")
	huge := write(t, "", tasks, "b1.output")
	require.NoError(t, os.Truncate(huge, 1<<40))
	require.NoError(t, syscall.Mkfifo(filepath.Join(tasks, "b2.output"), 0o666))
	require.NoError(t, os.Symlink(huge, filepath.Join(tasks, "b3.output")))
	var log strings.Builder
	for _, task := range []string{"b1", "b2", "b3", "b4"} {
		fmt.Fprintf(&log, `{"type":"queue-operation","content":"<task-notification><task-id>%s</task-id><output-file>%s</output-file></task-notification>"}`+"\n",
			task, filepath.Join(tasks, task+".output"))
	}
	write(t, log.String(), home, "projects", "-w", id+".jsonl")
	rows := strings.Split(string(output(t, "--home", home, id)), "\n")
	require.Len(t, rows, 6)
	require.Contains(t, rows[1], `/b1.output","bytes":1099511627776,"mtime":"`)
	require.Contains(t, rows[2], `/b2.output","task":"b2","error":"not read: a named pipe"}`)
	require.Contains(t, rows[3], `/b3.output","task":"b3","error":"not read: a symbolic link, which is not followed"}`)
	require.Contains(t, rows[4], `/b4.output","task":"b4","missing":true}`)
	out, errs, status := program.Run(about, run, "", "--home", home, "-0", id)
	require.Zero(t, status)
	require.NotContains(t, out, "output")
	require.Equal(t, "jlrel: "+huge+": not in the home: left out\n", errs)
}
