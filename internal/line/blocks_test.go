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
	var all []span
	var buffers [3][2][]byte
	var held [3][][]byte
	var texts [3][]string // what the blocks held when they were read
	from := int64(0)
	for i := 0; ; i++ {
		k := i % len(held)
		held[k], texts[k] = nil, nil
		length, err := b.Next(from, &buffers[k])
		at := from
		failed := b.Lines(from, length, &buffers[k], func(lines []byte, offset, dropped int64) {
			require.NotEmpty(t, lines)
			require.Zero(t, dropped)
			require.Equal(t, at, offset)
			at += int64(len(lines))
			held[k], texts[k] = append(held[k], lines), append(texts[k], string(lines))
			for _, s := range spans(string(lines)) {
				all = append(all, span{offset + s.offset, s.text})
			}
		})
		require.NoError(t, failed)
		require.LessOrEqual(t, len(held[k]), 2)
		for j := range held {
			for n := range held[j] {
				require.True(t, texts[j][n] == string(held[j][n]), "a block has changed while another was read")
			}
		}
		require.Equal(t, from+length, at)
		from += length
		if err != nil {
			require.Equal(t, io.EOF, err)
			require.Equal(t, b.Size(), from)
			return all
		}
		require.Greater(t, length, int64(b.size), "a block is as long as it may be")
		require.True(t, len(all) > 0 && strings.HasSuffix(all[len(all)-1].text, "\n"), "a block ends with a line")
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
	blocks.size, blocks.rest = 1<<10, 100
	var mu sync.Mutex // held to find the next block
	var got []string
	next, ended := int64(0), false
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			var buffers [2][]byte
			for {
				mu.Lock()
				if ended {
					mu.Unlock()
					return
				}
				from, i := next, len(got)
				length, err := blocks.Next(from, &buffers)
				next, ended, got = from+length, err != nil, append(got, "")
				mu.Unlock()
				var text string
				_ = blocks.Lines(from, length, &buffers, func(lines []byte, _, _ int64) { text += string(lines) })
				mu.Lock()
				got[i] = text
				mu.Unlock()
			}
		})
	}
	group.Wait()
	require.True(t, log.String() == strings.Join(got, ""))
}

// TestBlocksShareLongBuffers: a buffer for long lines is as long as the line, and used again.
func TestBlocksShareLongBuffers(t *testing.T) {
	log := strings.Repeat(strings.Repeat("x", 1000)+"\n"+strings.Repeat("y\n", 300), 20)
	blocks := NewBlocks(strings.NewReader(log), int64(len(log)))
	blocks.size, blocks.rest = 100, 10
	var pairs [3][2][]byte
	buffers := map[*byte]bool{}
	lines := 0
	var length int64
	var err error
	for i, from := 0, int64(0); err == nil; i, from = i+1, from+length {
		pair := &pairs[i%len(pairs)]
		length, err = blocks.Next(from, pair)
		require.NoError(t, blocks.Lines(from, length, pair, func(b []byte, _, _ int64) {
			lines += bytes.Count(b, []byte{'\n'})
		}))
		if len(pair[1]) > 0 {
			buffers[&pair[1][0]] = true
			require.Len(t, pair[1], 1001)
		}
	}
	require.Equal(t, 20*301, lines)
	require.Len(t, buffers, 1)
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
					var buffers [2][]byte
					length, err = blocks.Next(from, &buffers)
					failed := blocks.Lines(from, length, &buffers, func(lines []byte, offset, _ int64) {
						require.Equal(t, int64(len(got)), offset)
						got += string(lines)
					})
					err = cmp.Or(failed, err)
				}
				require.Equal(t, errBroken, err)
				require.Equal(t, log[:at], got)
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
	for _, left := range []int{0, 2, 1 << 17, 1 << 19} {
		r := &shrinking{log: log}
		blocks := NewBlocks(r, int64(len(log)))
		var buffers [2][]byte
		length, err := blocks.Next(0, &buffers)
		require.NoError(t, err)
		require.Equal(t, int64(len(log)-2), length)
		r.log = log[:left]
		var got string
		err = blocks.Lines(0, length, &buffers, func(lines []byte, _, _ int64) {
			require.NotEmpty(t, lines)
			got += string(lines)
		})
		require.Equal(t, io.EOF, err)
		require.True(t, log[:left] == got)
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
		var buffers [2][]byte
		var length int64
		var err error
		for from := int64(0); err == nil; from += length {
			length, err = blocks.Next(from, &buffers)
			_ = blocks.Lines(from, length, &buffers, func([]byte, int64, int64) {})
		}
	}
}
