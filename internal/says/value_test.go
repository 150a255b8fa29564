package says

import (
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

// TestMatches: a name that ends in * is the beginning of others.
func TestMatches(t *testing.T) {
	names := []string{"idle", "turn_*"}
	for name, want := range map[string]bool{`"idle"`: true, `"idle_"`: false, `"turn_"`: true, `"turn_end"`: true, `"turn"`: false, `""`: false} {
		require.Equal(t, want, matches(entry.Value(name), names), name)
	}
}
