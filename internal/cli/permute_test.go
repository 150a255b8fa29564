package cli

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestPermute: kong takes the square of the time for operands behind --, so it is only there for those that look
// like options.
func TestPermute(t *testing.T) {
	for _, test := range []struct{ args, want []string }{
		{[]string{"a", "--x", "b"}, []string{"--x", "a", "b"}},
		{[]string{"--", "a", "b"}, []string{"a", "b"}},
		{[]string{"a", "--", "-b"}, []string{"--", "a", "-b"}},
		{[]string{"-"}, []string{"--", "-"}},
		{nil, nil},
	} {
		got, err := permute("jlx", nil, test.args)
		require.NoError(t, err)
		require.Equal(t, test.want, got)
	}
}
