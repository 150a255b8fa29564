package test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestBackupGoesOn cuts a copy short and wants the next run to finish it.
func TestBackupGoesOn(t *testing.T) {
	needs(t, "bash", "zstd")
	dir := testdata(t)
	folder := filepath.Join(dir, "claude/file-history/a b\n")
	require.NoError(t, os.MkdirAll(folder, 0o700))
	for _, name := range []string{"-x", "a'\"\n\xff", "large"} {
		require.NoError(t, os.WriteFile(filepath.Join(folder, name), make([]byte, 1<<20), 0o600))
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "claude/projects/-home-user-shop/large"), make([]byte, 1<<20), 0o600))
	cmd := shell(t, built(t), `exec 2>&1
		(ulimit -f 512; trap '' XFSZ; "$EXAMPLES"/backup.sh claude $'-a backup\n'); echo $?
		"$EXAMPLES"/backup.sh claude $'-a backup\n' || exit
		find ./-a* -name '*.zst' -exec jlcompact --extract {} +
		find ./-a* -name '.*' ! -name .lock
		for f in file-history plans projects tasks; do diff -r claude/$f ./$'-a backup\n'/$f; done`)
	cmd.Dir = dir
	out, err := cmd.Output()
	require.NoError(t, err, "%s", out)
	status, rest, _ := strings.Cut(string(out), "\n2\n")
	require.Contains(t, status, "cp: ")
	require.Empty(t, rest)
}
