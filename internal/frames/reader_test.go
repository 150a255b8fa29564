package frames

import (
	"bytes"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"jl/internal/line"
	"jl/test/sample"
)

// A counter counts the bytes and the calls of ReadAt.
type counter struct {
	r     io.ReaderAt
	mu    sync.Mutex
	calls int
	bytes int
}

func (c *counter) ReadAt(p []byte, off int64) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.calls++
	c.bytes += len(p)
	return c.r.ReadAt(p, off)
}

// counted returns a reader of an archive, and the counter of its reads: one for each
// frame that is decoded.
func counted(t testing.TB, packed string) (*Reader, *counter) {
	t.Helper()
	c := &counter{r: strings.NewReader(packed)}
	f := Open(c, int64(len(packed)), NewStream(nil))
	require.NotNil(t, f)
	require.Less(t, c.bytes, len(packed)/20+100)
	c = &counter{r: c.r}
	f.file = c
	t.Cleanup(f.Close)
	return f, c
}

func TestFramesDecoded(t *testing.T) {
	data := sample.Lines(40 << 20)
	packed := write(t, data, 1, frameSize, maxFrame)
	f, c := counted(t, packed)
	size := int64(f.table.Size())
	require.EqualValues(t, len(data), size)

	n, err := f.ReadAt(make([]byte, 10), size-1)
	require.Equal(t, io.EOF, err)
	require.Equal(t, 1, n)
	back := line.NewBackward(f, size)
	require.True(t, back.Next())
	last, err := back.Bytes()
	require.NoError(t, err)
	require.True(t, strings.HasSuffix(data, string(last)))
	require.LessOrEqual(t, c.calls, 2, "frames that hold the last block")
	for back.Next() {
	}
	require.NoError(t, back.Err())
	require.EqualValues(t, f.table.NumFrames()-2, c.calls, "backward")

	for _, block := range []int{64 << 10, 256 << 10, frameSize} {
		f, c = counted(t, packed)
		p := make([]byte, block)
		for end := len(data); end > 0; end -= min(end, block) {
			n, err := f.ReadAt(p[:min(end, block)], int64(max(0, end-block)))
			require.NoError(t, err)
			require.Equal(t, min(end, block), n)
		}
		most := f.table.NumFrames() - 2
		if block == frameSize {
			most *= 2 // a block lies in two frames or in three
		}
		require.LessOrEqual(t, int64(c.calls), most, "blocks of %d", block)
	}
}

// TestFramesDecodedLongLines has lines of several frames.
func TestFramesDecodedLongLines(t *testing.T) {
	data := sample.Lines(1<<20) + strings.Repeat("x", 40<<20) + "\n" + strings.Repeat("y", 5<<20) + "\n" + sample.Lines(1<<20)
	f, c := counted(t, write(t, data, 1, frameSize, maxFrame))
	back := line.NewBackward(f, int64(len(data)))
	var got int64
	for back.Next() {
		n, err := back.WriteTo(io.Discard)
		require.NoError(t, err)
		got += n
	}
	require.NoError(t, back.Err())
	require.EqualValues(t, len(data), got)
	require.LessOrEqual(t, c.calls, 2*int(f.table.NumFrames()))
}

// TestReaderMemory reads an archive of a long line at many offsets.
func TestReaderMemory(t *testing.T) {
	data := strings.Repeat("x", 50<<20)
	f, _ := counted(t, write(t, data, 1, frameSize, maxFrame))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	p := make([]byte, 256<<10)
	for off := int64(0); off < int64(len(data)); off += 4 << 20 {
		_, err := f.ReadAt(p, off)
		require.NoError(t, err)
	}
	runtime.ReadMemStats(&after)
	require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(2*maxFrame+2*frameSize))
}

// incompressible returns n random bytes.
func incompressible(n int) string {
	b := make([]byte, n)
	rand.NewChaCha8([32]byte{}).Read(b)
	return string(b)
}

// create returns the path of a new file that holds data.
func create(t testing.TB, data string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "log")
	require.NoError(t, os.WriteFile(path, []byte(data), 0o600))
	return path
}

// readAt reads all of an archive that is not empty through its seek table.
func readAt(t testing.TB, packed string) (string, error) {
	t.Helper()
	f := Open(strings.NewReader(packed), int64(len(packed)), NewStream(nil))
	require.NotNil(t, f)
	defer f.Close()
	data, err := io.ReadAll(io.NewSectionReader(f, 0, f.Size()))
	return string(data), err
}

// readAll reads all of r in order, with half of what is asked for in each read.
func readAll(r io.Reader) ([]byte, error) {
	s := NewStream(iotest.HalfReader(r))
	defer s.Close()
	return io.ReadAll(s)
}

// TestUnreadableTable has a seek table that cannot be read.
func TestUnreadableTable(t *testing.T) {
	packed := tabled(t, text)
	for n := range 4 {
		calls := 0
		table := readTable(placed(func(p []byte, off int64) (int, error) {
			if calls++; calls > n {
				return 0, syscall.EIO
			}
			return strings.NewReader(packed).ReadAt(p, off)
		}), int64(len(packed)))
		require.Nil(t, table)
	}
}

// A placed is a ReadAt function.
type placed func(p []byte, off int64) (int, error)

func (r placed) ReadAt(p []byte, off int64) (int, error) { return r(p, off) }

// TestHugeTable has a table that is longer than the longest that is used.
func TestHugeTable(t *testing.T) {
	const count = maxTable / 8
	table := string(tableFrame(bytes.Repeat(shortEntry(9, 1), count), count, shortEnd))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	require.Nil(t, readTable(strings.NewReader(table), int64(len(table))))
	runtime.ReadMemStats(&after)
	require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(1<<16))
}

// text is a small log.
const text = "{\"uuid\":\"a\"}\n{\"uuid\":\"b\"}\n"

// zero is an endless reader of zeros.
type zero struct{}

func (zero) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

// TestReadInParallel reads an archive forward and backward on several goroutines at once, as frames are decoded
// ahead, and closes it while some still are.
func TestReadInParallel(t *testing.T) {
	data := sample.Lines(1 << 20)
	packed := small(t, data, 10_000, 20_000)
	for range 5 {
		f := Open(strings.NewReader(packed), int64(len(packed)), NewStream(nil))
		require.NotNil(t, f)
		var group sync.WaitGroup
		for worker := range 4 {
			group.Go(func() {
				const block = 3000
				p := make([]byte, block)
				for i := range len(data) / block / 2 {
					at := i * block
					if worker%2 == 1 {
						at = len(data) - at - block
					}
					if n, err := f.ReadAt(p, int64(at)); err != nil || string(p[:n]) != data[at:at+block] {
						t.Errorf("at %d: %d bytes, %v", at, n, err)
						return
					}
				}
			})
		}
		group.Wait()
		f.Close()
	}
}
