package archive

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"jl/test/env"
)

func TestProgress(t *testing.T) {
	var out bytes.Buffer
	s := newScreen(&out, 2)
	s.every = 0
	s.show(1, "s.jsonl", "writing", 50, 200)
	s.show(1, "s.jsonl", "writing", 100, 200)
	s.show(1, "s.jsonl", "checking", 200, 200)
	s.clear()
	s.clear()
	s.show(2, "long/"+strings.Repeat("é", 100)+"\x1b[2J\r\u202e\xff/s.jsonl", "writing", 0, 0)
	s.clear()
	long := "2/2 writing   0% " + strings.Repeat("é", 22) + "?[2J??\ufffd/s.jsonl"
	want := ""
	for _, line := range []string{"1/2 writing  25% s.jsonl", "1/2 writing  50% s.jsonl", "1/2 checking 100% s.jsonl", "", long, ""} {
		want += "\r" + line + "\x1b[K"
	}
	require.Equal(t, want, out.String())
	require.LessOrEqual(t, len(long), progressWidth)
}

// TestProgressIsThrottled: a line stays for an interval.
func TestProgressIsThrottled(t *testing.T) {
	var out bytes.Buffer
	s := newScreen(&out, 1)
	s.every = time.Hour
	s.show(1, "s.jsonl", "writing", 1, 1000)
	require.Empty(t, out.String(), "a FILE that takes less does not appear")
	s.last = s.last.Add(-s.every)
	s.show(1, "s.jsonl", "writing", 2, 1000)
	s.show(1, "s.jsonl", "writing", 3, 1000)
	require.Equal(t, 1, strings.Count(out.String(), "\r"))
}

// TestProgressOnTerminal archives a file that takes a while, with a terminal as standard
// error: a line appears, and is gone at the end.
func TestProgressOnTerminal(t *testing.T) {
	env.NeedsTerminal(t)
	dir := t.TempDir()
	name := filepath.Join(dir, "s.jsonl")
	require.NoError(t, os.WriteFile(name, nil, 0o600))
	require.NoError(t, os.Truncate(name, 96<<20))
	cmd := exec.Command("script", "-qec", "archive nope s.jsonl nope", "/dev/null")
	cmd.Dir = dir
	out, err := cmd.Output()
	require.EqualError(t, err, "exit status 2")
	shown, ok := strings.CutSuffix(string(out), strings.Repeat("archive: nope: no such file or directory\r\n", 2))
	require.True(t, ok)
	require.Regexp(t, regexp.MustCompile(`^(\r2/3 (writing|checking) +\d+% s\.jsonl\x1b\[K)+\r\x1b\[K$`), shown)
	require.FileExists(t, name+".zst")
	require.NoFileExists(t, name)
}
