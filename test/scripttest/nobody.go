package scripttest

import (
	"os"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// AsNobody calls do without the rights of root, who can read everything.
func AsNobody(t *testing.T, do func()) {
	t.Helper()
	if os.Geteuid() == 0 {
		const nobody = 65534
		require.NoError(t, syscall.Seteuid(nobody))
		defer func() { require.NoError(t, syscall.Seteuid(0)) }()
	}
	do()
}
