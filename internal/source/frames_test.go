package source

import (
	"bytes"
	"io"
	"strings"
	"testing"

	seekable "github.com/SaveTheRbtz/zstd-seekable-format-go/pkg"
	"github.com/stretchr/testify/require"

	"jl/internal/frames"
)

// These are what package frames writes.
const (
	frameMagic = frames.Magic
	marker     = "\x51\x2a\x4d\x18\x08\x00\x00\x00" + markerText
	markerText = "jl table"
	sealHead   = "\x51\x2a\x4d\x18\x04\x00\x00\x00"
	sealLen    = len(sealHead) + 4
	tableMagic = "\x5e\x2a\x4d\x18"
	footerEnd  = "\x80\xb1\xea\x92\x8f"
	shortEnd   = "\x00\xb1\xea\x92\x8f"
	headLen    = 8        // of a skippable frame
	frameLine  = 16 << 20 // the most bytes of a frame
)

// errFirst is the error for wrong first bytes.
var errFirst = frames.Damage([]byte(markerText), nil, true)

// archive returns data as a Writer compresses it.
func archive(t testing.TB, data string) string {
	t.Helper()
	return small(t, data, 4<<20, frameLine)
}

// small returns data as a Writer with frames of another size compresses it.
func small(t testing.TB, data string, size, line int) string {
	t.Helper()
	var b bytes.Buffer
	z, err := frames.NewWriter(&b, 1)
	require.NoError(t, err)
	z.Size, z.Line = size, line
	_, err = io.WriteString(z, data)
	require.NoError(t, err)
	require.NoError(t, z.Close())
	return b.String()
}

// tabled returns an archive of data with marker and seal, and few frames.
func tabled(t testing.TB, data string) string {
	t.Helper()
	return small(t, data, max(1, len(data)), frameLine)
}

// An entry is a row of the seek table of an archive.
type entry struct {
	CompressedOffset, DecompressedOffset uint64
	CompressedSize, DecompressedSize     uint32
}

// entries returns the rows of the seek table of an archive that have data.
func entries(t testing.TB, packed string) []entry {
	t.Helper()
	table, err := seekable.NewSeekTable([]byte(packed[strings.LastIndex(packed, tableMagic):]))
	require.NoError(t, err)
	var all []entry
	for i := range table.NumFrames() {
		if e, _ := table.EntryByID(i); e.DecompressedSize > 0 {
			all = append(all, entry{e.CompressedOffset, e.DecompressedOffset, e.CompressedSize, e.DecompressedSize})
		}
	}
	return all
}
