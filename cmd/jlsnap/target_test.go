package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"jl/test/program"
)

// TestAtOnce has runs restore into one directory at the same time: all of them succeed.
func TestAtOnce(t *testing.T) {
	dir := t.TempDir()
	out, backups := filepath.Join(dir, "out"), filepath.Join(dir, "home/file-history/s")
	require.NoError(t, os.MkdirAll(backups, 0o700))
	var text strings.Builder
	const files = 20
	for i := range files {
		name := fmt.Sprintf("%016x@v1", i)
		require.NoError(t, os.WriteFile(filepath.Join(backups, name), []byte(name), 0o600))
		fmt.Fprintf(&text, `,"d%d/%d":{"backupFileName":"%s"}`, i%2, i, name)
	}
	session := filepath.Join(dir, "s.jsonl")
	require.NoError(t, os.WriteFile(session, []byte(`{"type":"user","uuid":"u","sessionId":"s"}
{"type":"file-history-snapshot","messageId":"u","snapshot":{"trackedFileBackups":{`+text.String()[1:]+`}}}
`), 0o600))

	var wg sync.WaitGroup
	for range 6 {
		wg.Go(func() {
			for range 5 {
				printed, errs, status := program.Run(about, run, "", "--restore", out, "--force", "--home", filepath.Join(dir, "home"), session)
				if status != 0 || errs != "" || strings.Count(printed, "\n") != files {
					t.Errorf("status %d, %s", status, errs)
				}
			}
		})
	}
	wg.Wait()
	for i := range files {
		name := fmt.Sprintf("%016x@v1", i)
		b, err := os.ReadFile(filepath.Join(out, fmt.Sprintf("d%d/%d", i%2, i)))
		require.NoError(t, err)
		require.Equal(t, name, string(b))
	}
	left, err := filepath.Glob(filepath.Join(out, "*/.jlsnap-*"))
	require.NoError(t, err)
	require.Empty(t, left)
}
