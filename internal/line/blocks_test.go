package line

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// inBlocks returns the lines of blocks of a size, of which some are in use at the same time,
// and checks that they do not change.
func inBlocks(t *testing.T, b *Blocks, size int) []span {
	t.Helper()
	var all []span
	var buffers [3][2][]byte
	var held [3][][]byte
	var texts [3][]string // what the blocks held when they were read
	for i := 0; ; i++ {
		k := i % len(held)
		held[k], texts[k] = nil, nil
		err := b.Between(int64(i*size), int64((i+1)*size), &buffers[k], func(lines []byte, offset, dropped int64) {
			require.NotEmpty(t, lines)
			require.Zero(t, dropped)
			held[k], texts[k] = append(held[k], lines), append(texts[k], string(lines))
			for _, s := range spans(string(lines)) {
				all = append(all, span{offset + s.offset, s.text})
			}
		})
		for j := range held {
			for n := range held[j] {
				require.True(t, texts[j][n] == string(held[j][n]), "a block has changed while another was read")
			}
		}
		if err != nil {
			require.Equal(t, io.EOF, err)
			return all
		}
	}
}

// TestBetween: the lines between two offsets are those that begin there.
func TestBetween(t *testing.T) {
	for _, tt := range inputs {
		all := spans(tt.text)
		for _, rest := range []int{0, 1, 5, 200} {
			b := NewBlocks(strings.NewReader(tt.text), int64(len(tt.text)))
			b.rest = rest
			require.Equal(t, int64(len(tt.text)), b.Size())
			var buffers [2][]byte
			for from := range int64(len(tt.text)) + 2 {
				for to := from + 1; to < int64(len(tt.text))+3; to++ {
					var want, got []span
					for _, s := range all {
						if from <= s.offset && s.offset < to {
							want = append(want, s)
						}
					}
					calls := 0
					err := b.Between(from, to, &buffers, func(lines []byte, offset, _ int64) {
						calls++
						for _, s := range spans(string(lines)) {
							got = append(got, span{offset + s.offset, s.text})
						}
					})
					require.Equal(t, want, got, "%q from %d to %d", tt.text, from, to)
					require.LessOrEqual(t, calls, 2)
					if err != nil {
						require.Equal(t, io.EOF, err)
						require.True(t, len(all) == 0 || all[len(all)-1].offset < to, "the log goes on")
					} else {
						require.LessOrEqual(t, to, int64(len(tt.text)), "the log has ended")
					}
				}
			}
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
	const size = 1 << 10
	blocks := NewBlocks(strings.NewReader(log.String()), int64(log.Len()))
	blocks.rest = 100
	got := make([]string, log.Len()/size+1)
	var group sync.WaitGroup
	for first := range 4 {
		group.Go(func() {
			var buffers [2][]byte
			for i := first; i < len(got); i += 4 {
				_ = blocks.Between(int64(i*size), int64((i+1)*size), &buffers, func(lines []byte, _, _ int64) {
					got[i] += string(lines)
				})
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
	blocks.rest = 10
	var pairs [3][2][]byte
	buffers := map[*byte]bool{}
	lines := 0
	var err error
	for i := 0; err == nil; i++ {
		pair := &pairs[i%len(pairs)]
		err = blocks.Between(int64(i)*100, int64(i+1)*100, pair, func(b []byte, _, _ int64) {
			lines += bytes.Count(b, []byte{'\n'})
		})
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
		for size := int64(1); size < 10; size++ {
			for _, rest := range []int{0, 2, 100} {
				blocks := NewBlocks(broken(log[:at]), int64(len(log)))
				blocks.rest = rest
				var got string
				var err error
				for from := int64(0); err == nil; from += size {
					err = blocks.Between(from, from+size, &[2][]byte{}, func(lines []byte, offset, _ int64) {
						require.Equal(t, int64(len(got)), offset)
						got += string(lines)
					})
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

// TestBlocksOfAChangedFile has a file that shrinks while a long line is read.
func TestBlocksOfAChangedFile(t *testing.T) {
	log := "a\n" + strings.Repeat("x", 1<<20) + "\nb\n"
	for _, left := range []int{2, 1 << 19} {
		r := &shrinking{log: log, left: left}
		blocks := NewBlocks(r, int64(len(log)))
		var got string
		err := blocks.Between(0, 10, &[2][]byte{}, func(lines []byte, _, _ int64) {
			require.NotEmpty(t, lines)
			got += string(lines)
		})
		require.Equal(t, io.EOF, err)
		require.True(t, log[:left] == got)
	}
}

// A shrinking is a file that shrinks once all of it was read.
type shrinking struct {
	log  string
	left int
}

func (s *shrinking) ReadAt(p []byte, off int64) (int, error) {
	n, err := strings.NewReader(s.log).ReadAt(p, off)
	if off+int64(n) == int64(len(s.log)) {
		s.log = s.log[:s.left]
	}
	return n, err
}

func BenchmarkBlocks(b *testing.B) {
	log := session(64 << 20)
	const size = 512 << 10
	b.SetBytes(int64(len(log)))
	b.ReportAllocs()
	for b.Loop() {
		blocks := NewBlocks(bytes.NewReader(log), int64(len(log)))
		var buffers [2][]byte
		var err error
		for from := int64(0); err == nil; from += size {
			err = blocks.Between(from, from+size, &buffers, func([]byte, int64, int64) {})
		}
	}
}
