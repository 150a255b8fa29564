//go:build !race

// With the race detector, pools drop what they hold, so more memory is allocated.

package source

import (
	"bytes"
	"compress/gzip"
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestBombs has small inputs that decompress to much or declare much, and bounds the
// memory that reading them allocates.
func TestBombs(t *testing.T) {
	const block = "\x02\x00\x10x" // 128 KiB of x
	frame := func(n int) string {
		return frameMagic + "\x00\x38" + strings.Repeat(block, n>>17-1) + "\x03\x00\x10x"
	}
	var zeros bytes.Buffer
	w, err := gzip.NewWriterLevel(&zeros, gzip.BestCompression)
	require.NoError(t, err)
	_, err = io.CopyN(w, zero{}, 64<<20)
	require.NoError(t, err)
	require.NoError(t, w.Close())
	const tiny = "\x11\x00\x00{}" // the last block of a frame, which holds {}
	over := "zstd window over 128 MiB, or damaged data: "
	tests := []struct {
		name, packed string
		size         int64
		err          string
		alloc        uint64 // in MiB
	}{
		{"8 KB are 256 MiB", frame(1 << 28), 1 << 28, "", 4},
		{"frames that are 256 MiB together", strings.Repeat(frame(1<<20), 1<<8), 1 << 28, "", 4},
		{"gzip, 64 KB are 64 MiB", zeros.String(), 64 << 20, "", 4},
		{"gzip, a million to one", gz(t, zeros.String()), int64(zeros.Len()), "", 4},
		{"gzip, 100,000 empty members", strings.Repeat(gz(t, ""), 100_000), 0, "", 20},
		{"100,000 tiny frames", strings.Repeat(frameMagic+"\x20\x02"+tiny, 100_000), 200_000, "", 4},
		{"100,000 empty frames", strings.Repeat(frameMagic+"\x20\x00\x01\x00\x00", 100_000), 0, "", 4},
		{"100,000 skippable frames", strings.Repeat(skippable(0x50, ""), 100_000), 0, "", 4},
		{"a skippable frame of 4 GiB", "\x50\x2a\x4d\x18\xff\xff\xff\xff" + text, 0, "damaged zstd data: unexpected EOF", 4},
		{"a later skippable frame of 4 GiB", zst(t, text) + "\x5f\x2a\x4d\x18\xff\xff\xff\xff" + text, int64(len(text)), "damaged zstd data: unexpected EOF", 4},
		{"windows of 128 MiB", strings.Repeat(frameMagic+"\x00\x88"+tiny, 100), 200, "", 130}, // one for all
		{"a window of 2^41", frameMagic + "\x00\xf8" + tiny, 0, over + "window size exceeded", 4},
		{"a segment of 2^62", frameMagic + "\xe0\x00\x00\x00\x00\x00\x00\x00\x40" + tiny, 0, over + "decompressed size exceeds configured limit", 4},
		{"a segment of 112 MiB", frameMagic + "\xe0\x00\x00\x00\x07\x00\x00\x00\x00" + tiny, 0, "damaged zstd data: frame size does not match size on stream", 130},
		{"content of 2^62", frameMagic + "\xc0\x00\x00\x00\x00\x00\x00\x00\x00\x40" + tiny, 0, "damaged zstd data: frame size does not match size on stream", 4},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			s := open(t, "-", strings.NewReader(tt.packed))
			n, err := io.Copy(io.Discard, s)
			runtime.ReadMemStats(&after)
			if tt.err == "" {
				require.NoError(t, err)
			} else {
				require.EqualError(t, err, tt.err)
			}
			require.Equal(t, tt.size, n)
			require.Less(t, after.TotalAlloc-before.TotalAlloc, tt.alloc<<20)
		})
	}
	t.Run("at any offset", func(t *testing.T) {
		t.Setenv("TMPDIR", t.TempDir())
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, size, err := open(t, "-", strings.NewReader(frame(128<<20))).At()
		runtime.ReadMemStats(&after)
		require.NoError(t, err)
		require.EqualValues(t, 128<<20, size)
		require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(64<<20))
	})
}
