package session

import (
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"
)

// A torn entry tells its session, too, wherever reads end.
func TestToldInTornEntry(t *testing.T) {
	log := `{"type":"user","message":{"content":"` + strings.Repeat("words\n", 100_000) + `"},"uuid":"a","sessionId":"s1"}` + "\n"
	told, err := toldIn(iotest.HalfReader(strings.NewReader(log)))
	require.NoError(t, err)
	require.Equal(t, "s1", told.id)
}
