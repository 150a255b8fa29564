package torture

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

const outputFailure = "output failure is never success"

// fullErrors are what a write fails with.
var fullErrors = []syscall.Errno{syscall.ENOSPC, syscall.EIO, syscall.EDQUOT}

// outputCalls are the calls by which archives and restored files come to be, and
// what they may fail with.
var outputCalls = []struct {
	name   string
	errors []syscall.Errno
}{
	{"write", fullErrors},
	{"copy_file_range", fullErrors},
	{"sendfile", fullErrors},
	{"openat", []syscall.Errno{syscall.ENOSPC, syscall.EACCES, syscall.EMFILE}},
	{"mkdirat", []syscall.Errno{syscall.ENOSPC, syscall.EACCES}},
	{"fsync", []syscall.Errno{syscall.EIO, syscall.ENOSPC}},
	{"close", []syscall.Errno{syscall.EIO, syscall.EDQUOT}},
	{"fchmod", []syscall.Errno{syscall.EPERM}},
	{"fchmodat", []syscall.Errno{syscall.EPERM}},
	{"utimensat", []syscall.Errno{syscall.EPERM}},
	{"linkat", []syscall.Errno{syscall.EXDEV, syscall.ENOSPC, syscall.EIO}},
	{"renameat", []syscall.Errno{syscall.EXDEV, syscall.EIO}},
	{"unlinkat", []syscall.Errno{syscall.EPERM, syscall.EIO}},
}

// half says what is half, of all that v has left in w; like was a world like it
// before. "" says that old or new is whole, everywhere.
func (w *world) half(t testing.TB, like *world, v invocation) string {
	t.Helper()
	if strings.Contains(v.args, "--restore") {
		return w.halfRestored(t)
	}
	text, err := os.ReadFile(w.forms[plain])
	old := err == nil
	if old && string(text) != like.text {
		return "a log with other bytes"
	}
	if !old && strings.Contains(v.args, "--keep") {
		return "no log, which was to be kept"
	}
	target := w.target(v)
	if _, err := os.Lstat(target); err != nil {
		if !old {
			return "neither the log nor its archive"
		}
		return ""
	}
	if got := execute(t, program(t, "jlrev", target)); got.status != 0 || got.stdout != reversed(like.text) {
		return "half an archive: " + got.String()
	}
	return ""
}

// target returns the path of the archive that v makes.
func (w *world) target(v invocation) string {
	if strings.Contains(v.args, "--to") {
		return filepath.Join(w.out, "s.jsonl.zst")
	}
	return w.forms[plain] + ".zst"
}

// restored are the files that are restored, and the backup of each.
var restored = map[string]string{"src/integrate.go": "0000000000000001@v1", "src/energy.go": "0000000000000002@v1"}

func (w *world) halfRestored(t testing.TB) string {
	t.Helper()
	for name, backup := range restored {
		text, err := os.ReadFile(filepath.Join(w.out, name))
		if os.IsNotExist(err) {
			continue
		}
		require.NoError(t, err)
		want, err := os.ReadFile(filepath.Join(w.home, "file-history", w.id, backup))
		require.NoError(t, err)
		if string(text) != string(want) {
			return "half a file: " + name
		}
	}
	return ""
}

func reversed(text string) string {
	lines := strings.SplitAfter(text, "\n")
	var b strings.Builder
	for i := len(lines) - 1; i >= 0; i-- {
		b.WriteString(lines[i])
	}
	return b.String()
}

// readLines runs a command, and closes its output when some lines have been read:
// before it is started, if none. It returns how many bytes it would have printed,
// at least.
func readLines(t testing.TB, cmd *exec.Cmd, lines int) (outcome, int) {
	t.Helper()
	r, out, err := os.Pipe()
	require.NoError(t, err)
	cmd.Stdout = out
	if lines == 0 {
		r.Close()
	}
	wait := start(t, cmd)
	out.Close()
	n := 0
	if lines > 0 {
		b := bufio.NewReaderSize(r, 16)
		for range lines {
			line, _ := b.ReadString('\n')
			n += len(line)
		}
		r.Close()
	}
	return wait(), n
}

// This copy goes with the next changes.
