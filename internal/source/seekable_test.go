package source

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/iotest"

	seekable "github.com/SaveTheRbtz/zstd-seekable-format-go/pkg"
	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/require"

	"jl/internal/line"
	"jl/test/sample"
)

// TestArchiveIsNotSpooled checks that an archive is read where it is.
func TestArchiveIsNotSpooled(t *testing.T) {
	data := sample.Lines(3 << 20)
	path := create(t, archive(t, data))
	t.Setenv("TMPDIR", "/nowhere")
	s := open(t, path, nil)
	got, err := readAt(t, s)
	require.NoError(t, err)
	require.True(t, data == got)
	require.Nil(t, s.spooled)
	rest, err := io.ReadAll(s)
	require.NoError(t, err, "Read after At")
	require.True(t, data == string(rest))

	f, err := os.Open(path)
	require.NoError(t, err)
	defer f.Close()
	s = open(t, "-", f)
	require.True(t, s.InPlace())
	got, err = readAt(t, s)
	require.NoError(t, err)
	require.True(t, data == got)
}

// TestArchiveBehindOtherBytes has a file as stdin whose unread part is an archive.
func TestArchiveBehindOtherBytes(t *testing.T) {
	f, err := os.Open(create(t, "skipped"+tabled(t, text)))
	require.NoError(t, err)
	defer f.Close()
	_, err = f.Seek(int64(len("skipped")), io.SeekStart)
	require.NoError(t, err)
	s := open(t, "-", f)
	require.True(t, s.InPlace())
	got, err := readAt(t, s)
	require.NoError(t, err)
	require.Equal(t, text, got)
}

func TestRandomOffsets(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 6))
	data := sample.RandomLines(rnd, 20_000) + strings.Repeat("y", 1000) + "\n"
	r, size, err := open(t, create(t, small(t, data, 100, 300)), nil).At()
	require.NoError(t, err)
	require.EqualValues(t, len(data), size)
	var all sync.WaitGroup
	for seed := range uint64(4) {
		all.Go(func() {
			rnd := rand.New(rand.NewPCG(seed, 7))
			for range 2000 {
				off := rnd.IntN(len(data) + 10)
				p := make([]byte, rnd.IntN(400))
				n, err := r.ReadAt(p, int64(off))
				want := data[min(off, len(data)):min(off+len(p), len(data))]
				if string(p[:n]) != want || (err == io.EOF) != (n < len(p)) && len(p) > 0 || err != nil && err != io.EOF {
					t.Errorf("%d bytes at %d: %d bytes, %v", len(p), off, n, err)
				}
			}
		})
	}
	all.Wait()
	_, err = r.ReadAt(make([]byte, 1), -1)
	require.Error(t, err)
}

// TestCutArchive cuts archives at every byte. Only the table of the one frame of a short
// log can be cut off without a loss. A file of three bytes or fewer has to be named as
// an archive is.
func TestCutArchive(t *testing.T) {
	long := "abc\nefg\nijk\nmnopqrstuvwxyz\n" + incompressible(50)
	for _, tt := range []struct{ data, packed string }{
		{"", archive(t, "")}, {long, archive(t, long)}, {long, small(t, long, 8, 20)},
	} {
		data, packed := tt.data, tt.packed
		for n := 1; n < len(packed); n++ {
			if strings.HasPrefix(packed, frameMagic) && strings.HasPrefix(packed[n:], tableMagic) {
				ways(t, packed[:n], func(t *testing.T, got string, err error) {
					require.NoError(t, err)
					require.Equal(t, data, got)
				})
				continue
			}
			path := create(t, packed[:n])
			require.NoError(t, os.Rename(path, path+".zst"))
			got, err := readAt(t, open(t, path+".zst", nil))
			require.Error(t, err, "cut at %d", n)
			require.True(t, strings.HasPrefix(data, got))
			if n < magicLen {
				continue
			}
			for _, s := range []*Source{
				open(t, path+".zst", nil),
				open(t, "-", strings.NewReader(packed[:n])),
				open(t, "-", iotest.OneByteReader(strings.NewReader(packed[:n]))),
			} {
				got, err := io.ReadAll(s)
				require.Error(t, err, "cut at %d", n)
				require.True(t, strings.HasPrefix(data, string(got)))
			}
		}
	}
}

func TestCutArchiveErrors(t *testing.T) {
	packed := small(t, "abc\nefg\nijk\n", 8, 20)
	first := entries(t, packed)[1].CompressedOffset
	seal := strings.LastIndex(packed, sealHead)
	missing := "damaged zstd data: cut off: the seek table is missing"
	for _, tt := range []struct {
		at        int
		text, err string
	}{
		{magicLen, "", "damaged zstd data: unexpected EOF"},
		{len(marker) - 1, "", "damaged zstd data: unexpected EOF"},
		{len(marker), "", missing},
		{len(marker) + 1, "", "damaged zstd data: unexpected EOF"},
		{int(first), "abc\nefg\n", missing},
		{seal, "abc\nefg\nijk\n", missing},
		{seal + sealLen, "abc\nefg\nijk\n", missing},
		{len(packed) - 1, "abc\nefg\nijk\n", "damaged zstd data: unexpected EOF"},
	} {
		ways(t, packed[:tt.at], func(t *testing.T, got string, err error) {
			require.EqualError(t, err, tt.err)
			require.Equal(t, tt.text, got)
		})
	}
}

// TestFlipArchive changes each byte of small archives, in each bit and in all. Read and
// At fail, or return the right bytes.
func TestFlipArchive(t *testing.T) {
	for _, tt := range []struct {
		data    string
		frame   int
		changes []byte
	}{
		{"", 8, []byte{1, 2, 4, 8, 16, 32, 64, 128, 0xff}},
		{"a", 8, []byte{1, 2, 4, 8, 16, 32, 64, 128, 0xff}},
		{strings.Repeat(text, 3), 1000, []byte{1, 2, 4, 8, 16, 32, 64, 128, 0xff}},
		{"abc\nefg\nijk\nmnopqrstuvwxyz\n" + strings.Repeat("zz\n", 5), 8, []byte{1, 2, 4, 8, 16, 32, 64, 128, 0xff}},
		{sample.Lines(2000), 1000, []byte{1, 16, 128}},
	} {
		packed := small(t, tt.data, tt.frame, 3*tt.frame)
		f, err := os.OpenFile(create(t, packed), os.O_RDWR, 0)
		require.NoError(t, err)
		defer f.Close()
		for at := range packed {
			// A text may begin with any of these.
			for _, change := range append(tt.changes, packed[at]^'{', packed[at]^'\n', packed[at]^'Q', packed[at]^'P', packed[at]^0x1f) {
				if change == 0 {
					continue
				}
				flipped := []byte(packed)
				flipped[at] ^= change
				_, err := f.WriteAt(flipped[at:at+1], int64(at))
				require.NoError(t, err)
				// Not open, which closes at the end of the test.
				for i, name := range []string{f.Name(), f.Name(), "-"} {
					s, err := Open(name, iotest.OneByteReader(bytes.NewReader(flipped)), nil)
					require.NoError(t, err)
					var got string
					if i == 0 {
						got, err = tryAt(s)
					} else {
						var b []byte
						b, err = io.ReadAll(s)
						got = string(b)
					}
					require.NoError(t, s.Close())
					if err == nil && got != tt.data {
						t.Fatalf("way %d: byte %d is %#x", i, at, flipped[at])
					}
				}
			}
			_, err := f.WriteAt([]byte{packed[at]}, int64(at))
			require.NoError(t, err)
		}
	}
}

// TestDamagedMarker changes the bytes by which an archive is known.
func TestDamagedMarker(t *testing.T) {
	packed := small(t, text, 8, 20)
	for at := range marker {
		b := []byte(packed)
		b[at] = '{'
		ways(t, string(b), func(t *testing.T, got string, err error) {
			switch {
			case at < magicLen:
				require.Equal(t, errFirst, err)
				require.Equal(t, string(b), got, "it may be plain until it ends")
			case at < headLen:
				require.Error(t, err)
				require.Empty(t, got)
			default:
				require.NoError(t, err)
				require.Equal(t, text, got, "a decoder skips the marker's text")
			}
		})
	}
}

// TestMarkerThatSkipsAFrame has a marker with a wrong length that leads to the second
// frame.
func TestMarkerThatSkipsAFrame(t *testing.T) {
	packed := []byte(small(t, text, 8, 20))
	packed[4] += byte(entries(t, string(packed))[0].CompressedSize)
	_, rest, _ := strings.Cut(text, "\n")
	ways(t, string(packed), func(t *testing.T, got string, err error) {
		require.Equal(t, errFirst, err)
		require.Equal(t, rest, got)
	})
}

// TestNamedAsCompressed has files whose names promise more than their bytes hold.
func TestNamedAsCompressed(t *testing.T) {
	dir := t.TempDir()
	for _, tt := range []struct{ name, data, want string }{
		{"s.jsonl", "", ""},
		{"s.jsonl", text, ""},
		{"s.zst.jsonl", "", ""},
		{"s.jsonl.zst", "", "damaged zstd data: the file is empty"},
		{"s.jsonl.gz", "", "damaged gzip data: the file is empty"},
		{"s.jsonl.zst", "(", "damaged zstd data: unexpected EOF"},
		{"s.jsonl.gz", "\x1f", "damaged gzip data: unexpected EOF"},
		{"s.jsonl.zst", text, "damaged zstd data: invalid input: magic number mismatch"},
		{"s.jsonl.gz", text, "damaged gzip data: gzip: invalid header"},
		{"s.jsonl.zst", "{" + tabled(t, text)[1:], "damaged zstd data: invalid input: magic number mismatch"},
		{"s.jsonl.zst", "{" + archive(t, text)[1:], "damaged zstd data: invalid input: magic number mismatch"},
	} {
		path := filepath.Join(dir, tt.name)
		require.NoError(t, os.WriteFile(path, []byte(tt.data), 0o600))
		_, err := io.ReadAll(open(t, path, nil))
		got, wrong := tryAt(open(t, path, nil))
		if tt.want == "" {
			require.NoError(t, err)
			require.NoError(t, wrong)
			require.Equal(t, tt.data, got)
			continue
		}
		require.EqualError(t, err, tt.want)
		require.EqualError(t, wrong, tt.want)
		require.Empty(t, got)
	}
	// Magic bytes come before a name, and standard input has none.
	path := filepath.Join(dir, "s.jsonl.gz")
	require.NoError(t, os.WriteFile(path, []byte(archive(t, text)), 0o600))
	got, err := readAt(t, open(t, path, nil))
	require.NoError(t, err)
	require.Equal(t, text, got)
	_, err = io.ReadAll(open(t, "-", strings.NewReader("")))
	require.NoError(t, err)
}

// tryAt returns the bytes that At gives access to, and the error of At or the reader.
func tryAt(s *Source) (string, error) {
	r, size, wrong := s.At()
	data, err := io.ReadAll(io.NewSectionReader(r, 0, size))
	return string(data), errors.Join(wrong, err)
}

// TestDamagedFrame reads a damaged frame and its neighbors.
func TestDamagedFrame(t *testing.T) {
	data := "abc\nefg\nABC\nEFG\nijk\nmno\n"
	packed := []byte(small(t, data, 8, 20))
	bad := entries(t, string(packed))[1]
	packed[bad.CompressedOffset+uint64(bad.CompressedSize)-1] ^= 1
	s := open(t, create(t, string(packed)), nil)
	require.True(t, s.InPlace())
	r, size, err := s.At()
	require.NoError(t, err)
	for range 2 {
		p := make([]byte, 8)
		n, err := r.ReadAt(p, size-8)
		require.NoError(t, err)
		require.Equal(t, data[16:], string(p[:n]))
		n, err = r.ReadAt(p, 4)
		require.EqualError(t, err, fmt.Sprintf("damaged zstd data: frame at byte %d: CRC check failed", bad.CompressedOffset))
		require.Equal(t, data[4:8], string(p[:n]))
	}
}

// TestShrunkArchive truncates an archive after At has read its table.
func TestShrunkArchive(t *testing.T) {
	packed := small(t, "abc\nefg\nijk\n", 8, 20)
	for _, e := range entries(t, packed) {
		for _, left := range []uint64{0, e.CompressedOffset, e.CompressedOffset + 1, e.CompressedOffset + uint64(e.CompressedSize) - 1} {
			path := create(t, packed)
			s := open(t, path, nil)
			require.True(t, s.InPlace())
			require.NoError(t, os.Truncate(path, int64(left)))
			got, err := tryAt(s)
			require.ErrorContains(t, err, "damaged zstd data: frame at byte ")
			require.NotErrorIs(t, err, io.EOF)
			require.True(t, strings.HasPrefix("abc\nefg\nijk\n", got))
		}
	}
}

// TestShrunkFile truncates a plain file that is read in place.
func TestShrunkFile(t *testing.T) {
	path := create(t, text)
	r, size, err := open(t, path, nil).At()
	require.NoError(t, err)
	require.NoError(t, os.Truncate(path, size-2))
	got := make([]byte, size)
	n, err := r.ReadAt(got, 0)
	require.Equal(t, errShrank, err)
	require.Equal(t, text[:size-2], string(got[:n]))
	_, err = r.ReadAt(got[:1], size-2)
	require.Equal(t, errShrank, err)
	_, err = r.ReadAt(got[:1], size)
	require.Equal(t, io.EOF, err)
}

// TestReadErrorsAfterAt closes files under the reader that At returned.
func TestReadErrorsAfterAt(t *testing.T) {
	for _, packed := range []string{text, tabled(t, text)} {
		s, err := Open(create(t, packed), nil, nil)
		require.NoError(t, err)
		r, _, err := s.At()
		require.NoError(t, err)
		require.NoError(t, s.file.Close())
		_, err = r.ReadAt(make([]byte, 1), 0)
		require.ErrorIs(t, err, os.ErrClosed)
		require.ErrorIs(t, s.Close(), fs.ErrClosed)
	}

	t.Setenv("TMPDIR", t.TempDir())
	s := open(t, "-", strings.NewReader(incompressible(9<<20)))
	r, _, err := s.At()
	require.NoError(t, err)
	s.spooled.Close()
	_, err = r.ReadAt(make([]byte, 1), 0)
	require.ErrorIs(t, err, os.ErrClosed)
	require.ErrorContains(t, err, "temporary file in "+os.TempDir()+": ")
}

// sized returns data as a zstd frame that declares its length.
func sized(t testing.TB, data string) string {
	t.Helper()
	w, err := zstd.NewWriter(nil, zstd.WithSingleSegment(true))
	require.NoError(t, err)
	return string(w.EncodeAll([]byte(data), nil))
}

// A row is an entry of a seek table: the lengths of a frame, compressed and not.
type row struct{ packed, size uint32 }

// seekTable returns the frame of a seek table.
func seekTable(count uint32, flags byte, entries ...row) string {
	var b []byte
	for _, e := range entries {
		b = binary.LittleEndian.AppendUint32(b, e.packed)
		b = binary.LittleEndian.AppendUint32(b, e.size)
		if flags&0x80 != 0 {
			b = append(b, 0, 0, 0, 0)
		}
	}
	b = binary.LittleEndian.AppendUint32(b, count)
	return skippable(0x5e, string(append(b, flags))+footerEnd[1:])
}

// TestForeignTables has seek tables that no Writer wrote. If a table is not sound, the
// file is read through.
func TestForeignTables(t *testing.T) {
	frame, double := sized(t, text), sized(t, text+text)
	n, m := uint32(len(frame)), uint32(len(double))
	size := uint32(len(text))
	tests := []struct {
		name, frames, table string
		want                string
		sound               bool
	}{
		{"without checksums", frame + double, seekTable(2, 0, row{n, size}, row{m, 2 * size}), text + text + text, true},
		{"with checksums", frame + double, seekTable(2, 0x80, row{n, size}, row{m, 2 * size}), text + text + text, true},
		{"unused bits", frame, seekTable(1, 3, row{n, size}), text, true},
		{"nothing", "", seekTable(0, 0), "", true},
		{"two frames in one entry", frame + double, seekTable(1, 0, row{n + m, 3 * size}), text + text + text, false},
		{"longer", frame, seekTable(1, 0, row{n, size + 1}), text, false},
		{"shorter", frame, seekTable(1, 0, row{n, size - 1}), text, false},
		{"much shorter", frame, seekTable(1, 0, row{n, 1}), text, false},
		{"a length that is not declared", zst(t, text), seekTable(1, 0, row{uint32(len(zst(t, text))), size}), text, false},
		{"shifted", frame + frame, seekTable(2, 0, row{n - 1, size}, row{n + 1, size}), text + text, false},
		{"reserved bits", frame, seekTable(1, 4, row{n, size}), text, false},
		{"sum too small", frame + frame, seekTable(1, 0, row{n, size}), text + text, false},
		{"sum too large", frame, seekTable(1, 0, row{n + 1, size}), text, false},
		{"sum overflows", frame, seekTable(3, 0, row{1<<32 - 1, size}, row{1<<32 - 1, size}, row{n + 2, size}), text, false},
		{"a frame called empty", frame + frame, seekTable(2, 0, row{n, 0}, row{n, size}), text + text, false},
		{"size over the bound", frame, seekTable(1, 0, row{n, frameLine + 1}), text, false},
		{"count too large", frame, seekTable(2, 0, row{n, size}), text, false},
		{"count too small", frame, seekTable(0, 0, row{n, size}), text, false},
		{"count huge", frame, seekTable(1<<32-1, 0x80, row{n, size}), text, false},
		{"count more than the file", frame, seekTable(1<<10, 0, row{n, size}), text, false},
		{"footer only", frame, skippable(0x5e, seekTable(0, 0)[headLen:]), text, false},
		{"another magic", frame, skippable(0x5d, seekTable(1, 0, row{n, size})[headLen:]), text, false},
		{"a table in a table", frame, skippable(0x5e, seekTable(1, 0, row{n, size})), text, false},
		{"two tables", frame, seekTable(1, 0, row{n, size}) + seekTable(1, 0, row{n, size}), text, false},
		{"a marker that has no entry", marker + frame, seekTable(1, 0x80, row{n + uint32(len(marker)), size}), text, false},
		{"an archive without a seal", marker + frame, seekTable(2, 0x80, row{uint32(len(marker)), 0}, row{n, size}), text, false},
		{"a skippable frame", skippable(0x50, "x") + frame, seekTable(2, 0, row{9, 0}, row{n, size}), text, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := open(t, create(t, tt.frames+tt.table), nil)
			require.Equal(t, tt.sound, s.InPlace())
			got, err := readAt(t, s)
			require.NoError(t, err)
			require.Equal(t, tt.want, got)
			got, err = tryAt(open(t, "-", strings.NewReader(tt.frames+tt.table)))
			require.NoError(t, err)
			require.Equal(t, tt.want, got)
		})
	}
}

// TestWrongTables has tables that agree with what the frames declare, which is wrong. That
// is found when a frame is read.
func TestWrongTables(t *testing.T) {
	frame := sized(t, text)
	n, size := uint32(len(frame)), uint32(len(text))
	blocks := strings.Repeat("\x02\x00\x10x", 1<<13-1) + "\x03\x00\x10x" // 1 GiB
	bomb := "\x28\xb5\x2f\xfd\x80\x38\x0a\x00\x00\x00" + blocks          // declares 10 bytes
	largest := "\x28\xb5\x2f\xfd\x80\x38\x00\x00\x00\x01" + blocks       // declares 16 MiB
	b := uint32(len(bomb))
	for _, tt := range []struct{ name, data, err string }{
		{"two frames in one entry", frame + frame + seekTable(1, 0, row{2 * n, size}), "decompressed size exceeds configured limit"},
		{"a bomb", bomb + seekTable(1, 0, row{b, 10}), "decompressed size exceeds configured limit"},
		{"a bomb, largest", largest + seekTable(1, 0, row{b, frameLine}), "decompressed size exceeds configured limit"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := open(t, create(t, tt.data), nil)
			require.True(t, s.InPlace())
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, err := tryAt(s)
			runtime.ReadMemStats(&after)
			require.ErrorContains(t, err, "damaged zstd data: frame at byte 0: ")
			require.ErrorContains(t, err, tt.err)
			require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(4*frameLine))
		})
	}
}

// TestForgedArchives has archives with a right seal and a wrong table.
func TestForgedArchives(t *testing.T) {
	frame := zst(t, text)
	n, size := uint32(len(frame)), uint32(len(text))
	forge := func(frames string, entries ...row) string {
		table := seekTable(uint32(len(entries)), 0x80, entries...)
		seal := binary.LittleEndian.AppendUint32([]byte(sealHead), crc32.ChecksumIEEE([]byte(table)))
		return marker + frames + string(seal) + table
	}
	head, end := row{uint32(len(marker)), 0}, row{uint32(sealLen), 0}
	for _, tt := range []struct {
		name, data string
		sound      bool
	}{
		{"sound", forge(frame, head, row{n, size}, end), true},
		{"hidden frame", forge(frame+frame, head, row{n, 0}, row{n, size}, end), false},
		{"hidden with the marker", forge(frame+frame, row{uint32(len(marker)) + n, 0}, row{n, size}, end), false},
		{"hidden with the seal", forge(frame+frame, head, row{n, size}, row{n + uint32(sealLen), 0}), false},
		{"marker with data", forge(frame, row{uint32(len(marker)) + n, size}, end), true},
		{"empty marker with size", forge(frame, row{uint32(len(marker)), 1}, row{n, size}, end), false},
	} {
		s := open(t, create(t, tt.data), nil)
		require.Equal(t, tt.sound, s.InPlace(), tt.name)
		got, err := tryAt(s)
		want, wrong := io.ReadAll(open(t, "-", strings.NewReader(tt.data)))
		require.NoError(t, wrong)
		require.True(t, err != nil || got == string(want), tt.name)
	}
}

// TestLibraryArchive reads an archive that the library of the format wrote.
func TestLibraryArchive(t *testing.T) {
	enc, err := zstd.NewWriter(nil, zstd.WithSingleSegment(true))
	require.NoError(t, err)
	var b bytes.Buffer
	w, err := seekable.NewWriter(&b, enc)
	require.NoError(t, err)
	for range 3 {
		_, err = io.WriteString(w, text)
		require.NoError(t, err)
	}
	require.NoError(t, w.Close())
	s := open(t, create(t, b.String()), nil)
	require.True(t, s.InPlace())
	got, err := readAt(t, s)
	require.NoError(t, err)
	require.Equal(t, text+text+text, got)
}

// TestArchivesInARow has archives that follow one another: they are one stream without
// a table for all of it.
func TestArchivesInARow(t *testing.T) {
	one, many := archive(t, text), tabled(t, text)
	for _, tt := range []struct{ packed, want string }{
		{one + one, text + text},
		{many + many, text + text},
		{one + many, text + text},
		{many + one, text + text},
		{many + one + one, text + text + text},
		{many + archive(t, ""), text},
	} {
		ways(t, tt.packed, func(t *testing.T, got string, err error) {
			require.NoError(t, err)
			require.Equal(t, tt.want, got)
		})
	}
	ways(t, many[:strings.Index(many, sealHead)], func(t *testing.T, got string, err error) {
		require.EqualError(t, err, "damaged zstd data: cut off: the seek table is missing")
		require.Equal(t, text, got)
	})
	ways(t, many+skippable(0x50, "x"), func(t *testing.T, got string, err error) {
		require.EqualError(t, err, "damaged zstd data: cut off: the seek table is missing")
		require.Equal(t, text, got)
	})
	for _, packed := range []string{one, many} {
		ways(t, packed+text, func(t *testing.T, got string, err error) {
			require.EqualError(t, err, "damaged zstd data: invalid input: magic number mismatch")
			require.Equal(t, text, got)
		})
	}
	inside := small(t, many, 8, 20)
	for n := magicLen; n < len(inside); n++ {
		_, err := tryAt(open(t, create(t, inside[:n]), nil))
		require.Error(t, err)
	}
}

// BenchmarkLastLine opens a file and reads its last line.
func BenchmarkLastLine(b *testing.B) {
	log := sample.Lines(256 << 20)
	for _, bm := range []struct{ name, data string }{{"plain", log}, {"seekable", archive(b, log)}} {
		path := create(b, bm.data)
		b.Run(bm.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				s, err := Open(path, nil, nil)
				require.NoError(b, err)
				r, size, err := s.At()
				require.NoError(b, err)
				back := line.NewBackward(r, size)
				require.True(b, back.Next())
				_, err = back.Bytes()
				require.NoError(b, err)
				s.Close()
			}
		})
	}
}

func FuzzReadTable(f *testing.F) {
	packed := small(f, "abc\nefg\nijk\n", 8, 20)
	f.Add([]byte(packed))
	f.Add([]byte(packed[20:]))
	f.Add([]byte(sized(f, text) + seekTable(1, 0, row{uint32(len(sized(f, text))), uint32(len(text))})))
	f.Add([]byte(seekTable(0, 0x80)))
	f.Fuzz(func(t *testing.T, data []byte) {
		s := open(t, create(t, string(data)), nil)
		if s.kind != "zstd" || !s.InPlace() {
			return
		}
		// A table leads to the bytes of the stream, as far as both can be read.
		got, err := tryAt(s)
		want, wrong := io.ReadAll(open(t, "-", bytes.NewReader(data)))
		require.True(t, err != nil || wrong != nil || got == string(want))
	})
}
