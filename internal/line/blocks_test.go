package line

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// inBlocks returns the lines of blocks, of which some are in use at the same time, and checks
// that they do not change.
func inBlocks(t *testing.T, b *Blocks) []span {
	t.Helper()
	defer b.Close()
	var all []span
	var bufs, held [3][]byte
	var texts [3]string // what the blocks held when they were read
	from := int64(0)
	for i := 0; ; i++ {
		k := i % len(held)
		length, err := b.Next(from, &bufs[k])
		lines, failed := b.Lines(from, length, bufs[k])
		require.NoError(t, failed)
		held[k], texts[k] = lines, string(lines)
		for j := range held {
			require.True(t, texts[j] == string(held[j]), "a block has changed while another was read")
		}
		text := string(lines)
		if n := int64(len(lines)); n < length {
			line, dropped, failed := b.Long(from+n, length-n)
			require.NoError(t, failed)
			require.Zero(t, dropped)
			text += string(line)
			require.GreaterOrEqual(t, len(line), b.rest, "a line that is not long was not read with the block")
		}
		for _, s := range spans(text) {
			all = append(all, span{from + s.offset, s.text})
		}
		require.Len(t, text, int(length))
		from += length
		if err != nil {
			require.Equal(t, io.EOF, err)
			require.Equal(t, b.Size(), from)
			return all
		}
		require.Greater(t, length, int64(b.size), "a block is as long as it may be")
		require.True(t, strings.HasSuffix(text, "\n"), "a block ends with a line")
	}
}

// TestBlocksAtOnce reads blocks by several goroutines, with long lines in some.
func TestBlocksAtOnce(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	var log strings.Builder
	for range 3000 {
		length := rnd.IntN(50)
		if rnd.IntN(20) == 0 {
			length = rnd.IntN(5000)
		}
		log.WriteString(strings.Repeat(string(rune('a'+rnd.IntN(26))), length) + "\n")
	}
	blocks := NewBlocks(strings.NewReader(log.String()), int64(log.Len()))
	defer blocks.Close()
	blocks.size, blocks.rest = 1<<10, 100
	var mu sync.Mutex // held to find the next block
	var got []string
	next, ended := int64(0), false
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			var buf []byte
			for {
				mu.Lock()
				if ended {
					mu.Unlock()
					return
				}
				from, i := next, len(got)
				length, err := blocks.Next(from, &buf)
				next, ended, got = from+length, err != nil, append(got, "")
				mu.Unlock()
				lines, _ := blocks.Lines(from, length, buf)
				mu.Lock()
				got[i] = string(lines)
				if n := int64(len(lines)); n < length {
					long, _, _ := blocks.Long(from+n, length-n)
					got[i] += string(long)
				}
				mu.Unlock()
			}
		})
	}
	group.Wait()
	require.True(t, log.String() == strings.Join(got, ""))
}

// TestLongBuffer: the buffer for long lines is as long as the longest so far, and used again.
func TestLongBuffer(t *testing.T) {
	log := strings.Repeat(strings.Repeat("x", 1000)+"\n"+strings.Repeat("y\n", 300), 20)
	blocks := NewBlocks(strings.NewReader(log), int64(len(log)))
	defer blocks.Close()
	for range 20 {
		line, dropped, err := blocks.Long(0, 1001)
		require.NoError(t, err)
		require.Zero(t, dropped)
		require.Equal(t, log[:1001], string(line))
		require.Len(t, blocks.long, 1001)
		before := &blocks.long[0]
		line, _, _ = blocks.Long(1001, 2)
		require.Equal(t, "y\n", string(line))
		require.True(t, before == &blocks.long[0])
	}
}

// TestBlocksFail: the lines end where the reader fails. A line that is whole before that
// place counts, however far the reader was asked to read.
func TestBlocksFail(t *testing.T) {
	const log = "a\nbbb\ncccccccccccc\nd\n"
	for at := range len(log) {
		for size := 1; size < 10; size++ {
			for _, rest := range []int{1, 2, 100} {
				blocks := NewBlocks(broken(log[:at]), int64(len(log)))
				blocks.size, blocks.rest = size, rest
				var got string
				var length int64
				var err error
				for from := int64(0); err == nil; from += length {
					var buf []byte
					length, err = blocks.Next(from, &buf)
					lines, failed := blocks.Lines(from, length, buf)
					got += string(lines)
					if n := int64(len(lines)); failed == nil && n < length {
						var long []byte
						long, _, failed = blocks.Long(from+n, length-n)
						got += string(long)
					}
					err = cmp.Or(failed, err)
				}
				require.Equal(t, errBroken, err)
				require.Equal(t, log[:at], got)
				blocks.Close()
			}
		}
	}
}

// A broken is the beginning of a file of which the rest cannot be read.
type broken string

var errBroken = errors.New("broken")

func (b broken) ReadAt(p []byte, off int64) (int, error) {
	n := copy(p, b[min(off, int64(len(b))):])
	if n < len(p) {
		return n, errBroken
	}
	return n, nil
}

// TestBlocksOfAChangedFile has a file that shrinks while it is read.
func TestBlocksOfAChangedFile(t *testing.T) {
	log := "a\n" + strings.Repeat("x", 1<<20) + "\nb\n"
	for i, left := range []int{0, 2, 1 << 17, 1 << 19, 0, 2, 1 << 17} {
		early := i / 4 * len(log) // else it shrinks after Next
		r := &shrinking{log: log}
		blocks := NewBlocks(r, int64(len(log)))
		var buf []byte
		length, err := blocks.Next(0, &buf)
		require.NoError(t, err)
		require.Equal(t, int64(len(log)-2), length)
		r.log = log[:max(left, early)]
		lines, err := blocks.Lines(0, length, buf)
		got := string(lines)
		if err == nil {
			require.Equal(t, "a\n", got)
			r.log = log[:left]
			lines, _, err = blocks.Long(2, length-2)
			got += string(lines)
			blocks.Close()
		}
		require.Equal(t, io.EOF, err)
		require.True(t, log[:max(left, i/4*2)] == got)
	}
}

// A shrinking is a file that may shrink.
type shrinking struct{ log string }

func (s *shrinking) ReadAt(p []byte, off int64) (int, error) {
	return strings.NewReader(s.log).ReadAt(p, off)
}

func BenchmarkBlocks(b *testing.B) {
	log := session(64 << 20)
	b.SetBytes(int64(len(log)))
	b.ReportAllocs()
	for b.Loop() {
		blocks := NewBlocks(bytes.NewReader(log), int64(len(log)))
		var buf []byte
		var length int64
		var err error
		for from := int64(0); err == nil; from += length {
			length, err = blocks.Next(from, &buf)
			lines, _ := blocks.Lines(from, length, buf)
			if n := int64(len(lines)); n < length {
				_, _, _ = blocks.Long(from+n, length-n)
			}
		}
		blocks.Close()
	}
}
