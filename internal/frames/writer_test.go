package frames

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	seekable "github.com/SaveTheRbtz/zstd-seekable-format-go/pkg"
	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/require"

	"jl/test/env"
	"jl/test/sample"
)

// archive returns data as a Writer compresses it.
func archive(t testing.TB, data string) string {
	t.Helper()
	return write(t, data, 0, frameSize, maxFrame)
}

// small returns data as a Writer with frames of another size compresses it, at the
// fastest level.
func small(t testing.TB, data string, size, most int) string {
	t.Helper()
	return write(t, data, 1, size, most)
}

func write(t testing.TB, data string, level, size, most int) string {
	t.Helper()
	var b bytes.Buffer
	z, err := NewWriter(&b, level)
	require.NoError(t, err)
	z.Size, z.Line = size, most
	n, err := io.WriteString(z, data)
	require.NoError(t, err)
	require.Equal(t, len(data), n)
	require.NoError(t, z.Close())
	return b.String()
}

// tabled returns an archive of data with marker and seal, and few frames.
func tabled(t testing.TB, data string) string {
	t.Helper()
	return small(t, data, max(1, len(data)), maxFrame)
}

// entries returns the seek table of an archive without the entries of marker and seal.
// The table must be sound.
func entries(t testing.TB, packed string) []seekable.FrameOffsetEntry {
	t.Helper()
	table := readTable(strings.NewReader(packed), int64(len(packed)))
	require.NotNil(t, table)
	var all []seekable.FrameOffsetEntry
	for i := range table.NumFrames() {
		e, ok := table.EntryByID(i)
		require.True(t, ok)
		if e.DecompressedSize > 0 {
			all = append(all, e)
		}
	}
	if strings.HasPrefix(packed, marker) {
		require.Len(t, all, int(table.NumFrames()-2))
	} else {
		require.Len(t, all, 1)
	}
	return all
}

func TestFrames(t *testing.T) {
	tests := []struct {
		name, data string
		frames     []string
	}{
		{"nothing", "", nil},
		{"one byte", "a", []string{"a"}},
		{"less than a frame", "ab\ncd\n", []string{"ab\ncd\n"}},
		{"one line, less than a frame", "abcdef\n", []string{"abcdef\n"}},
		{"a frame", "abc\nefg\n", []string{"abc\nefg\n"}},
		{"a frame without an end", "abc\nefgh", []string{"abc\n", "efgh"}},
		{"a frame and a line", "abc\nefg\ni\n", []string{"abc\nefg\n", "i\n"}},
		{"a line goes to the next", "abc\nefgh\ni\n", []string{"abc\n", "efgh\ni\n"}},
		{"no end", "abcdefg", []string{"abcdefg"}},
		{"no end, a frame", "abcdefgh", []string{"abcdefgh"}},
		{"a line of a frame", "abcdefg\nh\n", []string{"abcdefg\n", "h\n"}},
		{"a long line is a frame", "a\nbcdefghij\nk\n", []string{"a\n", "bcdefghij\n", "k\n"}},
		{"a long line first", "bcdefghij\nk\nl\n", []string{"bcdefghij\n", "k\nl\n"}},
		{"the longest line", strings.Repeat("x", 19) + "\nab\n", []string{strings.Repeat("x", 19) + "\n", "ab\n"}},
		{"a line too long", strings.Repeat("x", 20) + "\nab\n", []string{strings.Repeat("x", 20), "\nab\n"}},
		{"a line far too long", "a\n" + strings.Repeat("x", 45) + "\nab\nc\n", []string{"a\n", strings.Repeat("x", 20), strings.Repeat("x", 20), "xxxxx\n", "ab\nc\n"}},
		{"a long end", strings.Repeat("x", 20), []string{strings.Repeat("x", 20)}},
		{"empty lines", strings.Repeat("\n", 17), []string{strings.Repeat("\n", 8), strings.Repeat("\n", 8), "\n"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			packed := small(t, tt.data, 8, 20)
			var frames []string
			require.True(t, strings.HasSuffix(packed, "\xb1\xea\x92\x8f"))
			require.Equal(t, len(tt.data) < 8, strings.HasPrefix(packed, Magic))
			if tt.frames == nil { // the table of an empty log is not used
				require.Nil(t, readTable(strings.NewReader(packed), int64(len(packed))))
			} else {
				for _, e := range entries(t, packed) {
					frames = append(frames, tt.data[e.DecompressedOffset:][:e.DecompressedSize])
				}
			}
			require.Equal(t, tt.frames, frames)
			got, err := readAll(strings.NewReader(packed))
			require.NoError(t, err)
			require.Equal(t, tt.data, string(got))
			if tt.frames != nil {
				got, err := readAt(t, packed)
				require.NoError(t, err)
				require.Equal(t, tt.data, got)
			}
		})
	}
}

// TestFrameSizes has lines as logs have them: each frame begins at the start of a line
// and holds about 4 MiB.
func TestFrameSizes(t *testing.T) {
	log := sample.Lines(20 << 20)
	middle := strings.LastIndexByte(log[:13<<20], '\n') + 1
	data := log[:middle] + strings.Repeat("x", 7<<20) + "\n" + log[middle:] + "torn"
	frames := entries(t, archive(t, data))
	require.Len(t, frames, 7)
	for i, e := range frames {
		if e.DecompressedOffset > 0 {
			require.Equal(t, byte('\n'), data[e.DecompressedOffset-1], "frame %d", i)
		}
		if e.DecompressedSize != 7<<20+1 && i < len(frames)-1 && data[e.DecompressedOffset+uint64(e.DecompressedSize)] != 'x' {
			require.Greater(t, e.DecompressedSize, uint32(frameSize-2000))
			require.LessOrEqual(t, e.DecompressedSize, uint32(frameSize))
		}
	}
}

// TestSameBytes compresses the same input on one CPU and on several, in pieces of
// several sizes.
func TestSameBytes(t *testing.T) {
	data := sample.Lines(5<<20) + strings.Repeat("long", 5<<18) + "\n" + incompressible(1<<20)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	levels := []int{1, 3, 5, 8}
	if testing.Short() {
		levels = levels[:2]
	}
	for _, level := range levels {
		var want string
		for _, cpus := range []int{1, 16} {
			runtime.GOMAXPROCS(cpus)
			for _, piece := range []int{1, 100_000, len(data)} {
				if piece == 1 && level != 1 {
					continue // slow, and the level makes no difference
				}
				var b bytes.Buffer
				z, err := NewWriter(&b, level)
				require.NoError(t, err)
				for rest := []byte(data); len(rest) > 0; rest = rest[min(piece, len(rest)):] {
					if _, err := z.Write(rest[:min(piece, len(rest))]); err != nil {
						t.Fatal(err)
					}
				}
				require.NoError(t, z.Close())
				if want == "" {
					want = b.String()
				}
				require.True(t, want == b.String(), "level %d, %d CPUs, pieces of %d", level, cpus, piece)
			}
		}
	}
}

// TestSameBytesFromReusedEncoder compresses an input with an encoder that has compressed
// another one.
func TestSameBytesFromReusedEncoder(t *testing.T) {
	levels := []int{1, 3, 5, 8}
	if testing.Short() {
		levels = levels[:2]
	}
	for _, level := range levels {
		for i := range encoders {
			encoders[i] = sync.Pool{}
		}
		data := sample.Lines(9 << 20)
		want := write(t, data, level, frameSize, maxFrame)
		_ = write(t, data[1000:]+incompressible(1000), level, frameSize, maxFrame)
		require.True(t, want == write(t, data, level, frameSize, maxFrame), "level %d", level)
	}
}

// TestSameBytesFromRandomPieces cuts small inputs at random.
func TestSameBytesFromRandomPieces(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		data := sample.RandomLines(rnd, 1000)
		want := small(t, data, 8, 20)
		var b bytes.Buffer
		z, err := NewWriter(&b, 1)
		require.NoError(t, err)
		z.Size, z.Line = 8, 20
		for rest := []byte(data); len(rest) > 0; {
			piece := bytes.Clone(rest[:rnd.IntN(min(len(rest), 30)+1)])
			n, err := z.Write(piece)
			require.NoError(t, err)
			require.Equal(t, len(piece), n)
			clear(piece) // a Writer does not keep it
			rest = rest[n:]
		}
		require.NoError(t, z.Close())
		require.Equal(t, want, b.String())
	}
}

func TestLevels(t *testing.T) {
	data := sample.Lines(200 << 10)
	var size [MaxLevel + 1]int
	for level := range MaxLevel + 1 {
		var b bytes.Buffer
		z, err := NewWriter(&b, level)
		require.NoError(t, err)
		_, err = io.WriteString(z, data)
		require.NoError(t, err)
		require.NoError(t, z.Close())
		size[level] = b.Len()
		got, err := readAll(&b)
		require.NoError(t, err)
		require.True(t, data == string(got))
	}
	require.Equal(t, size[3], size[0])
	for level := 2; level <= MaxLevel; level++ {
		if level == 3 || level == 5 || level == 8 {
			require.Less(t, size[level], size[level-1])
		} else {
			require.Equal(t, size[level], size[level-1])
		}
	}
	for _, level := range []int{-1, 20, 1 << 40} {
		_, err := NewWriter(io.Discard, level)
		require.EqualError(t, err, fmt.Sprintf("compression level %d is not from 1 to 19", level))
	}
}

// A limited writer takes n bytes and then fails.
type limited struct {
	n   int
	err error
}

func (l *limited) Write(p []byte) (int, error) {
	if len(p) > l.n {
		return l.n, l.err
	}
	l.n -= len(p)
	return len(p), nil
}

// TestWriteErrors has the underlying writer fail at each byte.
func TestWriteErrors(t *testing.T) {
	data := "abc\nefg\nijk\nmnopqrstuvwxyz\n\n"
	for _, size := range []int{8, 100} { // many frames, or one
		testWriteErrors(t, data, size)
	}
}

func testWriteErrors(t *testing.T, data string, size int) {
	full := errors.New("disk full")
	for n := range len(small(t, data, size, size+12)) {
		z, err := NewWriter(&limited{n, full}, 1)
		require.NoError(t, err)
		z.Size, z.Line = size, size+12
		got, err := io.WriteString(z, data)
		if err != nil {
			require.Equal(t, full, err)
			require.Less(t, got, len(data)+1)
			again, err := io.WriteString(z, data)
			require.Equal(t, full, err)
			require.Zero(t, again)
		}
		require.Equal(t, full, z.Close(), "after %d bytes", n)
		require.Equal(t, full, z.Close())
	}
}

// TestShortWrite has a writer that takes too few bytes and returns no error.
func TestShortWrite(t *testing.T) {
	z, err := NewWriter(&limited{7, nil}, 1)
	require.NoError(t, err)
	require.Equal(t, io.ErrShortWrite, z.Close())
}

func TestClosed(t *testing.T) {
	var b bytes.Buffer
	z, err := NewWriter(&b, 0)
	require.NoError(t, err)
	require.Zero(t, b.Len())
	require.NoError(t, z.Close())
	size := b.Len()
	require.Positive(t, size)
	_, err = io.WriteString(z, text)
	require.ErrorIs(t, err, fs.ErrClosed)
	require.ErrorIs(t, z.Close(), fs.ErrClosed)
	require.Equal(t, size, b.Len())
}

// TestWriterMemory writes one line of 64 MiB.
func TestWriterMemory(t *testing.T) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	z, err := NewWriter(io.Discard, 0)
	require.NoError(t, err)
	n, err := io.CopyN(z, zero{}, 64<<20)
	require.NoError(t, err)
	require.EqualValues(t, 64<<20, n)
	require.NoError(t, z.Close())
	runtime.ReadMemStats(&after)
	require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(130<<20))
}

// TestZstdReadsArchives has zstd(1) test, list and decompress archives.
func TestZstdReadsArchives(t *testing.T) {
	env.Needs(t, "zstd")
	for _, packed := range []struct{ data, archive string }{
		{"", archive(t, "")}, {"a", archive(t, "a")}, {text, archive(t, text)}, {text, small(t, text, 8, 20)},
		{sample.Lines(3 << 20), archive(t, sample.Lines(3<<20))}, {strings.Repeat("x", 20<<20), archive(t, strings.Repeat("x", 20<<20))},
	} {
		data := packed.data
		path := create(t, packed.archive) + ".zst"
		require.NoError(t, os.Rename(strings.TrimSuffix(path, ".zst"), path))
		for _, arg := range []string{"-t", "-l"} {
			out, err := exec.Command("zstd", arg, path).CombinedOutput()
			require.NoError(t, err, "zstd %s: %s", arg, out)
		}
		out, err := exec.Command("zstd", "-dc", path).Output()
		require.NoError(t, err)
		require.True(t, data == string(out))
	}
}

// TestSize compares the size of archives with the output of zstd -3. For logs of all lengths
// they are at most 3 % larger, and by the length of the shortest table.
func TestSize(t *testing.T) {
	env.Needs(t, "zstd")
	logs := []string{sample.Lines(1), sample.Lines(20_000), sample.Lines(300_000), sample.Lines(frameSize - 2000), sample.Lines(frameSize), sample.Lines(9 << 20), images(2, 3<<20)}
	names, err := filepath.Glob("../../testdata/*.jsonl")
	require.NoError(t, err)
	require.NotEmpty(t, names)
	for _, name := range names {
		log, err := os.ReadFile(name)
		require.NoError(t, err)
		logs = append(logs, string(log))
	}
	for _, log := range logs {
		out, err := exec.Command("zstd", "-q", "-3", "-c", create(t, log)).Output()
		require.NoError(t, err)
		ours := len(archive(t, log))
		t.Logf("%8d bytes: %+.1f %%", len(log), 100*(float64(ours)/float64(len(out))-1))
		require.LessOrEqual(t, ours, len(out)+len(out)*3/100+25)
	}
}

// images returns a log of n lines with different images of the given size in bytes.
func images(n, size int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `{"uuid":"%d","message":{"content":[{"type":"image","source":{"data":"`, i)
		b.WriteString(base64.StdEncoding.EncodeToString([]byte(incompressible((i + 1) * size))[i*size:]))
		b.WriteString("\"}}]}}\n")
	}
	return b.String()
}

// TestLibraryReadsArchives has the library of the format read the frames, too.
func TestLibraryReadsArchives(t *testing.T) {
	d, err := zstd.NewReader(nil)
	require.NoError(t, err)
	defer d.Close()
	for _, data := range []string{text, sample.Lines(3<<20) + "torn"} {
		r, err := seekable.NewReader(strings.NewReader(tabled(t, data)), d)
		require.NoError(t, err)
		got, err := io.ReadAll(r)
		require.NoError(t, err)
		require.True(t, data == string(got))
		require.NoError(t, r.Close())
	}
}

// TestEmptySum compares emptySum with the checksum of an empty frame.
func TestEmptySum(t *testing.T) {
	var b bytes.Buffer
	z, err := zstd.NewWriter(&b, zstd.WithEncoderCRC(true), zstd.WithZeroFrames(true), zstd.WithSingleSegment(false))
	require.NoError(t, err)
	require.NoError(t, z.Flush())
	require.NoError(t, z.Close())
	require.Equal(t, uint32(emptySum), binary.LittleEndian.Uint32(b.Bytes()[b.Len()-4:]))
}

func FuzzSeekableRoundTrip(f *testing.F) {
	f.Add([]byte(""), uint8(0), uint8(0))
	f.Add([]byte(text), uint8(8), uint8(20))
	f.Add([]byte(strings.Repeat("x", 300)+"\n"+text), uint8(5), uint8(1))
	f.Fuzz(func(t *testing.T, data []byte, size, more uint8) {
		frame := int(size) + 1
		packed := small(t, string(data), frame, frame+int(more))
		if len(data) > 0 {
			at, err := readAt(t, packed)
			require.NoError(t, err)
			require.Equal(t, string(data), at)
		}
		got, err := readAll(strings.NewReader(packed))
		require.NoError(t, err)
		require.Equal(t, string(data), string(got))
		if len(data) < frame {
			return
		}
		for _, e := range entries(t, packed) {
			require.True(t, e.DecompressedOffset == 0 || data[e.DecompressedOffset-1] == '\n' || int(e.DecompressedOffset) > int(size))
		}
	})
}

// BenchmarkWriter reports how much smaller the output is than the input, and how much
// larger than the output of zstd -3 if zstd(1) is installed.
func BenchmarkWriter(b *testing.B) {
	log := sample.Lines(16 << 20)
	three := 0
	if env.Has("zstd") {
		cmd := exec.Command("zstd", "-3", "-c")
		cmd.Stdin = strings.NewReader(log)
		out, err := cmd.Output()
		require.NoError(b, err)
		three = len(out)
	}
	for _, level := range []int{1, 3, 5, 8} {
		b.Run(fmt.Sprintf("level=%d", level), func(b *testing.B) {
			var out bytes.Buffer
			b.SetBytes(int64(len(log)))
			b.ReportAllocs()
			for b.Loop() {
				out.Reset()
				z, err := NewWriter(&out, level)
				require.NoError(b, err)
				_, err = io.WriteString(z, log)
				require.NoError(b, err)
				require.NoError(b, z.Close())
			}
			b.ReportMetric(float64(len(log))/float64(out.Len()), "ratio")
			if three > 0 {
				b.ReportMetric(float64(out.Len())/float64(three), "size/zstd-3")
			}
		})
	}
}
