package source

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/require"

	"jl/internal/frames"
)

// TestInPlace opens one log, packed in all ways. Read must work after the question.
func TestInPlace(t *testing.T) {
	log := strings.Repeat("{}\n", 1000)
	var archive bytes.Buffer
	w, err := frames.NewWriter(&archive, 3)
	require.NoError(t, err)
	_, err = w.Write([]byte(log))
	require.NoError(t, err)
	require.NoError(t, w.Close())
	encoder, err := zstd.NewWriter(nil)
	require.NoError(t, err)
	frame := string(encoder.EncodeAll([]byte(log), nil))
	tests := []struct {
		name, bytes         string
		compressed, inPlace bool
	}{
		{"plain", log, false, true},
		{"archive", archive.String(), true, true},
		{"zstd without a table", frame, true, false},
		{"empty", "", false, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			name := filepath.Join(t.TempDir(), "log")
			require.NoError(t, os.WriteFile(name, []byte(test.bytes), 0o666))
			s, err := Open(name, nil, nil)
			require.NoError(t, err)
			defer s.Close()
			require.Equal(t, test.compressed, s.Compressed())
			require.Equal(t, test.inPlace, s.InPlace())
			if test.inPlace {
				return
			}
			b, err := io.ReadAll(s)
			require.NoError(t, err)
			require.Equal(t, test.bytes == "", len(b) == 0)
		})
	}
	s, err := Open("-", strings.NewReader(log), nil)
	require.NoError(t, err)
	require.False(t, s.InPlace())
}
