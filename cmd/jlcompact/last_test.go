//go:build !race

package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestLastMemory prints a log whose newest entry is long: when the program begins to
// print, the peak of its memory is less than four times that entry.
func TestLastMemory(t *testing.T) {
	const size = 100 << 20
	name := filepath.Join(t.TempDir(), "s.jsonl")
	require.NoError(t, os.WriteFile(name, fmt.Appendf(nil, `{"type":"system","subtype":"compact_boundary","uuid":"b1","parentUuid":null}
{"type":"user","uuid":"u1","parentUuid":"b1","message":{"content":"%s"}}
`, strings.Repeat("x", size)), 0o600))
	cmd := exec.Command("jlcompact", "--last", "1", "--no-summary", name)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	_, err = out.Read(make([]byte, 1))
	require.NoError(t, err)
	// Not the usage after the end of the process, which includes the memory of the test.
	usage, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", cmd.Process.Pid))
	n, wrong := io.Copy(io.Discard, out)
	require.NoError(t, wrong)
	require.NoError(t, cmd.Wait())
	require.Greater(t, n, int64(size))
	most := regexp.MustCompile(`VmHWM:\s+(\d+) kB`).FindSubmatch(usage)
	if err != nil || most == nil {
		t.Skip("no /proc")
	}
	peak, err := strconv.Atoi(string(most[1]))
	require.NoError(t, err)
	t.Logf("%.2f times the entry", float64(peak<<10)/size)
	require.Less(t, peak<<10, 4*size)
}
