package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jl/internal/cli"
)

// counted counts writes.
type counted struct {
	bytes.Buffer
	writes int
}

func (c *counted) Write(p []byte) (int, error) {
	c.writes++
	return c.Buffer.Write(p)
}

// TestRestoreNamesEachFileAtOnce: a signal that ends the program may leave files, but each is named.
func TestRestoreNamesEachFileAtOnce(t *testing.T) {
	const id = "11111111-1111-4111-8111-111111111111"
	home, to := t.TempDir(), filepath.Join(t.TempDir(), "out")
	backups := filepath.Join(home, "file-history", id)
	require.NoError(t, os.MkdirAll(backups, 0o700))
	var tracked []string
	for i := range 3 {
		name := fmt.Sprintf("%016x@v1", i)
		require.NoError(t, os.WriteFile(filepath.Join(backups, name), nil, 0o600))
		tracked = append(tracked, fmt.Sprintf(`"f%d":{"backupFileName":%q,"version":1}`, i, name))
	}
	text := `{"type":"user","uuid":"u","parentUuid":null,"sessionId":"` + id + `"}` + "\n" +
		`{"type":"file-history-snapshot","messageId":"u","snapshot":{"messageId":"u","trackedFileBackups":{` + strings.Join(tracked, ",") + "}}}\n"
	var out, stderr counted
	status := cli.Run("jlsnap", about, []string{"--home", home, "--restore", to}, cli.Stdio{In: strings.NewReader(text), Out: &out, Err: &stderr}, run)
	require.Zero(t, status, stderr.String())
	require.Equal(t, 3, strings.Count(out.String(), "\n"))
	require.Equal(t, 3, out.writes)
}
