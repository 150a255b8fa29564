package says

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"jl/internal/entry"
)

// TestExitCode: an exit code that is there and is not zero is a failure, as a number or as a string.
func TestExitCode(t *testing.T) {
	for code, want := range map[string]bool{`null`: false, `0`: false, `0.0`: false, `"0"`: false, `" 0\n"`: false, `1`: true, `-1`: true, `"137"`: true, `"killed"`: true, `""`: true, `{}`: true} {
		require.Equal(t, want, failed(entry.Value(code)), code)
	}
	require.False(t, failed(nil))
}

// TestCodexHead: the lines above an output, without the command, which may have several lines, and may look like them.
func TestCodexHead(t *testing.T) {
	for _, c := range []struct {
		text, head, output string
		ok                 bool
	}{
		{`Exit code: 1\nOutput:\nx`, "Exit code: 1", "x", true},
		{`Command: a\nOutput:\nb\nExit code: 1\nOutput:\nx`, "Exit code: 1", "x", true},
		{`Command: a\nWall time: 1\nnovelty\nOutput:\nx`, "Wall time: 1,novelty", "x", true},
		{`Exit code: 1\nx`, "", "", false},
		{`x\nOutput:\ny`, "", "", false},
	} {
		head, output, ok := codexPreamble([]byte(c.text))
		require.Equal(t, []any{c.head, c.output, c.ok}, []any{string(bytes.Join(head, []byte(","))), string(output), ok}, c.text)
	}
}

// TestMatches: a name that ends in * is the beginning of others.
func TestMatches(t *testing.T) {
	names := []string{"idle", "turn_*"}
	for name, want := range map[string]bool{`"idle"`: true, `"idle_"`: false, `"turn_"`: true, `"turn_end"`: true, `"turn"`: false, `""`: false} {
		require.Equal(t, want, matches(entry.Value(name), names), name)
	}
}
