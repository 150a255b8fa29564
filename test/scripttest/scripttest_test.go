package scripttest

import (
	"os"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestDefaultSignals runs itself with signals that are ignored: they end the programs that it
// starts only after DefaultSignals.
func TestDefaultSignals(t *testing.T) {
	const variable = "JL_TEST_IGNORED"
	if os.Getenv(variable) == "" {
		for _, sig := range []string{"HUP", "INT"} {
			cmd := exec.Command("sh", "-c", `trap "" "$1"; exec "$0" -test.run=TestDefaultSignals`, os.Args[0], sig)
			cmd.Env = append(os.Environ(), variable+"="+sig)
			out, err := cmd.CombinedOutput()
			require.NoError(t, err, "%s", out)
		}
		return
	}
	dies := func() bool {
		return exec.Command("sh", "-c", `kill -s "$0" $$`, os.Getenv(variable)).Run() != nil
	}
	require.False(t, dies())
	DefaultSignals()
	require.True(t, dies())
}
