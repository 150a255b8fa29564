package line

import (
	"errors"
	"io"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// blocksOf returns the lines of a text in blocks.
func blocksOf(text string, size int) *Blocks {
	return NewForward(io.NewSectionReader(strings.NewReader(text), 0, int64(len(text)))).Blocks(0, size, 0)
}

// longLine returns the line that a block has besides lines, "" if there is none.
func longLine(b *Blocks, block *Block, lines []byte) string {
	from := block.From + int64(len(lines))
	long := make([]byte, block.To-from)
	n, _ := b.r.ReadAt(long, from)
	return string(long[:n])
}

// inBlocks returns the lines of blocks, of which some are in use at the same time, and checks
// that they do not change.
func inBlocks(t *testing.T, b *Blocks) []span {
	t.Helper()
	var all []span
	var blocks [3]Block
	var held [3][]byte
	var texts [3]string // what the blocks held when they were read
	from, end := int64(0), b.end
	for i := 0; ; i++ {
		k := i % len(held)
		if !b.Next(&blocks[k]) {
			require.Equal(t, end, from)
			return all
		}
		require.Equal(t, from, blocks[k].From)
		lines, err := b.Lines(&blocks[k])
		require.NoError(t, err)
		held[k], texts[k] = lines, string(lines)
		for j := range held {
			require.True(t, texts[j] == string(held[j]), "a block has changed while another was read")
		}
		long := longLine(b, &blocks[k], lines)
		require.True(t, long == "" || len(long) >= b.rest, "a line that is not long was not read with the block")
		text := texts[k] + long
		for _, s := range spans(text) {
			all = append(all, span{from + s.offset, s.text})
		}
		from += int64(len(text))
		require.Equal(t, from, blocks[k].To)
		if from < end {
			require.Greater(t, len(text), b.size, "a block is as long as it may be")
			require.True(t, strings.HasSuffix(text, "\n"), "a block ends with a line")
		}
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
	blocks := blocksOf(log.String(), 1<<10)
	blocks.rest = 100
	var mu sync.Mutex // held to find the next block
	var got []string
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			var block Block
			for {
				mu.Lock()
				more, i := blocks.Next(&block), len(got)
				got = append(got, "")
				mu.Unlock()
				if !more {
					return
				}
				lines, _ := blocks.Lines(&block)
				mu.Lock()
				got[i] = string(lines) + longLine(blocks, &block, lines)
				mu.Unlock()
			}
		})
	}
	group.Wait()
	require.True(t, log.String() == strings.Join(got, ""))
}

// TestBlocksFail: the lines end where the reader fails. A line that is whole before that
// place counts, however far the reader was asked to read.
func TestBlocksFail(t *testing.T) {
	const log = "a\nbbb\ncccccccccccc\nd\n"
	for at := range len(log) {
		for size := 1; size < 10; size++ {
			for _, rest := range []int{1, 2, 100} {
				blocks := NewForward(io.NewSectionReader(broken(log[:at]), 0, int64(len(log)))).Blocks(0, size, 0)
				blocks.rest = rest
				var got string
				var err error
				for block := new(Block); err == nil && blocks.Next(block); {
					var lines []byte
					lines, err = blocks.Lines(block)
					got += string(lines) + longLine(blocks, block, lines)
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

// TestBlocksOfAChangedFile has a file that shrinks between Next and Lines.
func TestBlocksOfAChangedFile(t *testing.T) {
	log := "a\n" + strings.Repeat("x", 1<<20) + "\nb\n"
	for _, left := range []int{0, 2, 1 << 10} {
		r := &shrinking{log: log}
		blocks := NewForward(io.NewSectionReader(r, 0, int64(len(log)))).Blocks(0, 64<<10, 0)
		var block Block
		require.True(t, blocks.Next(&block))
		require.Equal(t, int64(len(log)-2), block.To)
		r.log = log[:left]
		lines, err := blocks.Lines(&block)
		require.Equal(t, io.EOF, err)
		require.True(t, log[:left] == string(lines))
		require.Equal(t, int64(left), block.To)
	}
}

// A shrinking is a file that may shrink.
type shrinking struct{ log string }

func (s *shrinking) ReadAt(p []byte, off int64) (int, error) {
	return strings.NewReader(s.log).ReadAt(p, off)
}

// TestNoBlocks: what cannot be read at any offset has none.
func TestNoBlocks(t *testing.T) {
	require.Nil(t, NewForward(strings.NewReader("a\n")).Blocks(0, 1, 0))
}
