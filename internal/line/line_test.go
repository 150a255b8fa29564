package line

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"
)

// A span is a line and its offset.
type span struct {
	offset int64
	text   string
}

// spans returns the lines of input by the standard library.
func spans(input string) []span {
	var all []span
	var offset int64
	for text := range strings.Lines(input) {
		all = append(all, span{offset, text})
		offset += int64(len(text))
	}
	return all
}

// forwards returns the lines that f yields, and checks their offsets.
func forwards(t *testing.T, f *Forward) []span {
	t.Helper()
	var all []span
	var size int64
	for f.Next() {
		require.NotEmpty(t, f.Bytes())
		require.Equal(t, size, f.Offset())
		for _, s := range spans(string(f.Bytes())) {
			all = append(all, span{size + s.offset, s.text})
		}
		size += int64(len(f.Bytes()))
	}
	require.False(t, f.Next())
	require.Empty(t, f.Bytes())
	require.Equal(t, size, f.Offset())
	return all
}

// filled returns the lines that f fills into buffers, three of which are in use at the same time, and
// checks that they do not change.
func filled(t *testing.T, f *Forward) []span {
	t.Helper()
	var all []span
	var bufs, held [3][]byte
	var texts [3]string
	size := int64(0)
	for i := 0; ; i = (i + 1) % len(bufs) {
		held[i] = nil
		lines, offset, ok := f.Fill(&bufs[i])
		require.Equal(t, size, offset)
		if !ok {
			require.Empty(t, lines)
			return all
		}
		for k := range held {
			require.True(t, held[k] == nil || texts[k] == string(held[k]), "lines have changed while others were read")
		}
		held[i], texts[i] = lines, string(lines)
		for _, s := range spans(texts[i]) {
			all = append(all, span{size + s.offset, s.text})
		}
		size += int64(len(lines))
	}
}

// fileOf returns a Forward over a file.
func fileOf(text string, size int) *Forward {
	f := NewForward(io.NewSectionReader(strings.NewReader(text), 0, int64(len(text))))
	f.block = size
	return f
}

// backwards returns the lines that b yields, in the order of the file, and checks that
// Bytes and WriteTo agree.
func backwards(t *testing.T, b *Backward) []span {
	t.Helper()
	var all []span
	for b.Next() {
		var text bytes.Buffer
		n, err := b.WriteTo(&text)
		require.NoError(t, err)
		require.Equal(t, b.length, n)
		whole, err := b.Bytes()
		require.NoError(t, err)
		require.Equal(t, text.String(), string(whole))
		all = append(all, span{b.Offset(), text.String()})
	}
	require.False(t, b.Next())
	require.Zero(t, b.length)
	slices.Reverse(all)
	return all
}

var inputs = []struct{ name, text string }{
	{"empty", ""},
	{"newline", "\n"},
	{"newlines", "\n\n\n"},
	{"one line", "a\n"},
	{"no newline", "a"},
	{"no last newline", "a\nbb"},
	{"blank lines", "a\n\nb\n\n"},
	{"crlf", "a\r\nb\r\n"},
	{"lone cr", "a\rb\n\r"},
	{"nul", "\x00\x00{}\n\x00"},
	{"not utf-8", "\xff\xfe\n\x80"},
	{"bom", "\ufeff{}\n"},
	{"growing", "a\nbb\nccc\ndddd\neeeee\nffffff\nggggggg\n"},
	{"long between short", "a\n" + strings.Repeat("x", 100) + "\nb\n"},
	{"long first", strings.Repeat("x", 100) + "\nb\nc"},
	{"long last", "a\nb\n" + strings.Repeat("x", 100)},
	{"longs", strings.Repeat(strings.Repeat("x", 30)+"\n", 4)},
}

func TestLines(t *testing.T) {
	for _, tt := range inputs {
		t.Run(tt.name, func(t *testing.T) {
			want := spans(tt.text)
			for size := 1; size <= len(tt.text)+2; size++ {
				f := &Forward{r: strings.NewReader(tt.text), block: size}
				require.Equal(t, want, forwards(t, f), "forward, block %d", size)
				require.NoError(t, f.Err())
				require.Equal(t, want, filled(t, &Forward{r: strings.NewReader(tt.text), block: size}), "filled, block %d", size)
				require.Equal(t, want, filled(t, fileOf(tt.text, size)), "of a file, block %d", size)
				for _, first := range []int{1, size} {
					b := &Backward{r: strings.NewReader(tt.text), next: first, block: size, end: int64(len(tt.text)), base: int64(len(tt.text))}
					require.Equal(t, want, backwards(t, b), "backward, blocks %d, %d", first, size)
					require.NoError(t, b.Err())
				}
			}
		})
	}
}

// TestBlockEdges moves the end of a line over the edges of blocks of full size.
func TestBlockEdges(t *testing.T) {
	for _, edge := range []int{firstBlock, block, firstBlock + block, 2 * block, 2*block + firstBlock} {
		for d := -2; d <= 2; d++ {
			for _, ending := range []string{"", "\n", "\nb", "\nb\n"} {
				input := "a\n" + strings.Repeat("x", edge+d) + ending
				want := spans(input)
				require.True(t, slices.Equal(want, forwards(t, NewForward(strings.NewReader(input)))))
				require.True(t, slices.Equal(want, filled(t, fileOf(input, firstBlock))))
				b := NewBackward(strings.NewReader(input), int64(len(input)))
				require.True(t, slices.Equal(want, backwards(t, b)))
			}
		}
	}
}

func TestHugeLine(t *testing.T) {
	huge := bytes.Repeat([]byte("0123456789"), 2<<20)
	input := slices.Concat([]byte("a\n"), huge, []byte("\nb\n"))

	f := NewForward(bytes.NewReader(input))
	require.True(t, f.Next())
	require.Equal(t, "a\n", string(f.Bytes()))
	require.True(t, f.Next())
	require.Equal(t, int64(2), f.Offset())
	require.True(t, bytes.Equal(input[2:], f.Bytes()))
	require.False(t, f.Next())
	require.LessOrEqual(t, len(f.buf), 2*len(input))

	f = NewForward(io.NewSectionReader(bytes.NewReader(input), 0, int64(len(input))))
	require.True(t, f.Next())
	require.True(t, bytes.Equal(input[:len(input)-2], f.Bytes()))
	require.Len(t, f.buf, len(input)-2, "the buffer is as long as the lines")
	require.True(t, f.Next())
	require.Equal(t, "b\n", string(f.Bytes()))

	b := NewBackward(bytes.NewReader(input), int64(len(input)))
	require.True(t, b.Next())
	require.True(t, b.Next())
	require.Equal(t, int64(2), b.Offset())
	require.Equal(t, int64(len(huge)+1), b.length)
	var w bytes.Buffer
	_, err := b.WriteTo(&w)
	require.NoError(t, err)
	require.True(t, bytes.Equal(input[2:len(input)-2], w.Bytes()))
	require.Equal(t, block, cap(b.long), "held by WriteTo")
	whole, err := b.Bytes()
	require.NoError(t, err)
	require.True(t, bytes.Equal(w.Bytes(), whole))
	require.True(t, b.Next())
	whole, err = b.Bytes()
	require.NoError(t, err)
	require.Equal(t, "a\n", string(whole))
}

// TestForwardBufferStaysSmall reads short lines after a long one. They must use the
// start of the grown buffer only, which stays in the cache.
func TestForwardBufferStaysSmall(t *testing.T) {
	const long = 3 << 20
	f := NewForward(strings.NewReader(strings.Repeat("x", long) + "\n" + strings.Repeat("yyy\n", 1<<20)))
	for f.Next() {
		if f.Offset() > long+block {
			require.LessOrEqual(t, len(f.Bytes()), block+4)
			require.Same(t, &f.buf[0], &f.Bytes()[0])
		}
	}
	require.Equal(t, int64(long+1+4<<20), f.Offset())
}

// TestForwardReadsMore: a Forward asks for little at first, so that a small log costs little, and
// for more as long as it gets all that it asks for.
func TestForwardReadsMore(t *testing.T) {
	var asked []int
	read := func(r io.Reader) *Forward {
		asked = nil
		f := NewForward(readFunc(func(p []byte) (int, error) {
			asked = append(asked, len(p))
			return r.Read(p)
		}))
		for f.Next() {
		}
		require.NoError(t, f.Err())
		return f
	}
	log := session(4 << 20)
	f := read(bytes.NewReader(log))
	require.Equal(t, []int{firstBlock, 2 * firstBlock, block, block}, asked[:4])
	require.LessOrEqual(t, slices.Max(asked), block)
	require.LessOrEqual(t, len(f.buf), 2*block)
	require.Len(t, read(bytes.NewReader(log[:20_000])).buf, 2*firstBlock)
	read(iotest.HalfReader(bytes.NewReader(log))) // as a pipe, which never gives all
	require.Equal(t, firstBlock, slices.Max(asked))
}

type readFunc func([]byte) (int, error)

func (f readFunc) Read(p []byte) (int, error) { return f(p) }

func TestForwardBytesCannotReachTheNextLine(t *testing.T) {
	f := &Forward{r: strings.NewReader("a\nb\n"), block: 3}
	require.True(t, f.Next())
	_ = append(f.Bytes(), "xx"...)
	require.True(t, f.Next())
	require.Equal(t, "b\n", string(f.Bytes()))
}

func TestForwardReaders(t *testing.T) {
	readers := []struct {
		name string
		wrap func(io.Reader) io.Reader
	}{
		{"one byte", iotest.OneByteReader},
		{"half", iotest.HalfReader},
		{"data with error", iotest.DataErrReader},
		{"empty reads", func(r io.Reader) io.Reader { return &stutter{r: r} }},
	}
	for _, r := range readers {
		for _, tt := range inputs {
			t.Run(r.name+"/"+tt.name, func(t *testing.T) {
				for size := 1; size < 9; size++ {
					f := &Forward{r: r.wrap(strings.NewReader(tt.text)), block: size}
					require.Equal(t, spans(tt.text), forwards(t, f))
					require.NoError(t, f.Err())
				}
			})
		}
	}
}

// A stutter returns no bytes at every other Read.
type stutter struct {
	r    io.Reader
	mute bool
}

func (s *stutter) Read(p []byte) (int, error) {
	s.mute = !s.mute
	if s.mute {
		return 0, nil
	}
	return s.r.Read(p)
}

func TestForwardErrors(t *testing.T) {
	broken := errors.New("broken")
	tests := []struct {
		name string
		r    io.Reader
		want string
		err  error
	}{
		{"at once", iotest.ErrReader(broken), "", broken},
		{"after a line", io.MultiReader(strings.NewReader("a\n"), iotest.ErrReader(broken)), "a\n", broken},
		{"within a line", io.MultiReader(strings.NewReader("a\nb"), iotest.ErrReader(broken)), "a\nb", broken},
		{"with data", iotest.DataErrReader(io.MultiReader(strings.NewReader("a\nb\nc"), iotest.ErrReader(broken))), "a\nb\nc", broken},
		{"second read", iotest.TimeoutReader(iotest.OneByteReader(strings.NewReader("abc"))), "a", iotest.ErrTimeout},
		{"no progress", silent{}, "", io.ErrNoProgress},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := NewForward(tt.r)
			require.Equal(t, spans(tt.want), forwards(t, f))
			require.ErrorIs(t, f.Err(), tt.err)
		})
	}
}

// A silent reader returns neither bytes nor errors.
type silent struct{}

func (silent) Read([]byte) (int, error) { return 0, nil }

// A readAtFunc is a reader of a file.
type readAtFunc func(p []byte, offset int64) (int, error)

func (f readAtFunc) ReadAt(p []byte, offset int64) (int, error) { return f(p, offset) }

// TestForwardErrorOnce: what follows an error of a file is not read, even if it could be.
func TestForwardErrorOnce(t *testing.T) {
	broken, text, calls := errors.New("broken"), strings.Repeat("x", 3*firstBlock)+"\n", 0
	file := readAtFunc(func(p []byte, offset int64) (int, error) {
		if calls++; calls == 1 { // the end of the line is sought first
			return 0, broken
		}
		return strings.NewReader(text).ReadAt(p, offset)
	})
	f := NewForward(io.NewSectionReader(file, 0, int64(len(text))))
	require.True(t, f.Next())
	require.Equal(t, text[:firstBlock], string(f.Bytes()))
	require.False(t, f.Next())
	require.ErrorIs(t, f.Err(), broken)
}

// TestForwardIsLive checks that a line is yielded before the next read.
func TestForwardIsLive(t *testing.T) {
	r, w := io.Pipe()
	f := NewForward(r)
	for i := range 3 {
		want := fmt.Sprintf("line %d\n", i)
		go io.WriteString(w, want)
		require.True(t, f.Next())
		require.Equal(t, want, string(f.Bytes()))
	}
	go w.Close()
	require.False(t, f.Next())
	require.NoError(t, f.Err())
}

func TestBackwardReadsOnlyTheEnd(t *testing.T) {
	r := &counter{r: strings.NewReader(strings.Repeat("a line\n", 1<<20))}
	b := NewBackward(r, 7<<20)
	require.True(t, b.Next())
	require.Equal(t, int64(firstBlock), r.bytes)
}

// TestBackwardReadsLittleTwice bounds how much is read again: lines that are longer than two
// blocks, but not those that the start of a block cuts.
func TestBackwardReadsLittleTwice(t *testing.T) {
	log := session(16 << 20)
	r := &counter{r: bytes.NewReader(log)}
	b := NewBackward(r, int64(len(log)))
	for b.Next() {
		_, err := b.WriteTo(io.Discard)
		require.NoError(t, err)
	}
	require.NoError(t, b.Err())
	require.Less(t, r.bytes, int64(len(log))*5/4)
}

// A counter counts the bytes read through it.
type counter struct {
	r     io.ReaderAt
	bytes int64
}

func (c *counter) ReadAt(p []byte, off int64) (int, error) {
	c.bytes += int64(len(p))
	return c.r.ReadAt(p, off)
}

// A damaged file fails below the offset limit; if err is nil, reads there are short.
type damaged struct {
	text  string
	limit int64
	err   error
}

func (d damaged) ReadAt(p []byte, off int64) (int, error) {
	if off < d.limit {
		return 0, d.err
	}
	return copy(p, d.text[off:]), nil
}

func TestBackwardReadErrors(t *testing.T) {
	broken := errors.New("broken")
	b := &Backward{r: damaged{"aaaa\nb\nc\n", 1, broken}, next: 4, block: 4, end: 9, base: 9}
	require.True(t, b.Next())
	require.True(t, b.Next())
	require.Equal(t, int64(5), b.Offset())
	require.False(t, b.Next())
	require.Zero(t, b.length)
	require.ErrorIs(t, b.Err(), broken)
	require.False(t, b.Next())
}

func TestBackwardShrunkFile(t *testing.T) {
	tests := []struct {
		name string
		r    io.ReaderAt
	}{
		{"end of file", strings.NewReader("a\nb\n")},
		{"short read", damaged{"a\nb\n", 0, nil}},
		{"nothing left", damaged{"", 100, io.EOF}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := NewBackward(tt.r, 9)
			require.False(t, b.Next())
			require.ErrorIs(t, b.Err(), io.ErrUnexpectedEOF)
		})
	}
}

// TestBackwardLongLineErrors has a file that becomes unreadable between Next and the
// reading of a line that is longer than a block.
func TestBackwardLongLineErrors(t *testing.T) {
	for _, whole := range []bool{true, false} {
		d := &damaged{text: "a\nbbbbbbbbbb\n", err: io.EOF}
		b := &Backward{r: d, next: 4, block: 4, end: 13, base: 13}
		require.True(t, b.Next())
		d.limit = 10
		var err error
		if whole {
			_, err = b.Bytes()
		} else {
			_, err = b.WriteTo(io.Discard)
		}
		require.ErrorIs(t, err, io.ErrUnexpectedEOF)
		require.Equal(t, err, b.Err())
		require.False(t, b.Next(), "Next after a failed read")
	}
}

func TestBackwardWriteErrors(t *testing.T) {
	full := errors.New("full")
	for _, text := range []string{"short\n", "a long line\n"} {
		b := &Backward{r: strings.NewReader(text), next: 8, block: 8, end: int64(len(text)), base: int64(len(text))}
		require.True(t, b.Next())
		n, err := b.WriteTo(failing{full})
		require.ErrorIs(t, err, full)
		require.Equal(t, int64(1), n)
		require.NoError(t, b.Err())
	}
}

// A failing writer takes one byte.
type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 1, f.err }

func TestBackwardBeforeNext(t *testing.T) {
	b := NewBackward(strings.NewReader("a\n"), 2)
	p, err := b.Bytes()
	require.NoError(t, err)
	require.Empty(t, p)
	require.Zero(t, b.length)
}

// checkBothWays fails if the directions differ, or their lines are not the input.
func checkBothWays(t *testing.T, input []byte, size int) {
	t.Helper()
	f := &Forward{r: bytes.NewReader(input), block: size}
	forward := forwards(t, f)
	require.NoError(t, f.Err())
	require.Equal(t, forward, filled(t, fileOf(string(input), size)))
	b := &Backward{r: bytes.NewReader(input), next: size, block: size, end: int64(len(input)), base: int64(len(input))}
	require.Equal(t, forward, backwards(t, b))
	require.NoError(t, b.Err())

	var joined []byte
	for _, s := range forward {
		require.Equal(t, int64(len(joined)), s.offset)
		require.NotEmpty(t, s.text)
		require.NotContains(t, s.text[:len(s.text)-1], "\n")
		joined = append(joined, s.text...)
	}
	require.True(t, bytes.Equal(input, joined))
}

func TestForwardIsBackwardReversed(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		input := make([]byte, rnd.IntN(60))
		for i := range input {
			input[i] = "ab\n"[rnd.IntN(3)]
		}
		checkBothWays(t, input, 1+rnd.IntN(20))
	}
}

func FuzzForwardIsBackwardReversed(f *testing.F) {
	for _, tt := range inputs {
		f.Add([]byte(tt.text), uint8(3))
	}
	f.Fuzz(func(t *testing.T, input []byte, size uint8) {
		checkBothWays(t, input, 1+int(size))
	})
}

// session returns about n bytes in lines of the lengths that session logs have: a median
// of 1.5 KB, and a third of the bytes in lines over 100 KB.
func session(n int) []byte {
	rnd := rand.New(rand.NewPCG(1, 2))
	lengths := []int{200, 400, 700, 1000, 1500, 1500, 2500, 4000, 8000, 15000}
	var log []byte
	for i := 1; len(log) < n; i++ {
		length := lengths[rnd.IntN(len(lengths))]
		if i%100 == 0 {
			length = 100_000 + rnd.IntN(200_000)
		}
		for range length {
			log = append(log, ' '+byte(i%90))
		}
		log = append(log, '\n')
	}
	return log
}

func BenchmarkForward(b *testing.B) {
	for _, size := range []int{20_000, 64 << 20} {
		b.Run(strconv.Itoa(size), func(b *testing.B) {
			log := session(size)
			b.SetBytes(int64(len(log)))
			b.ReportAllocs()
			for b.Loop() {
				f := NewForward(bytes.NewReader(log))
				for f.Next() {
				}
			}
		})
	}
}

func BenchmarkBackward(b *testing.B) {
	log := session(64 << 20)
	b.SetBytes(int64(len(log)))
	b.ReportAllocs()
	for b.Loop() {
		l := NewBackward(bytes.NewReader(log), int64(len(log)))
		for l.Next() {
			if _, err := l.WriteTo(io.Discard); err != nil {
				b.Fatal(err)
			}
		}
	}
}

// BenchmarkBackwardLast finds the last line only.
func BenchmarkBackwardLast(b *testing.B) {
	log := session(64 << 20)
	b.ReportAllocs()
	for b.Loop() {
		l := NewBackward(bytes.NewReader(log), int64(len(log)))
		l.Next()
	}
}

// TestResize: a buffer is used again as long as it is large enough.
func TestResize(t *testing.T) {
	buf := make([]byte, 10, 20)
	first := &buf[0]
	for _, size := range []int{20, 0, 5} {
		Resize(&buf, size)
		require.Len(t, buf, size)
		require.Same(t, first, &buf[:1][0])
	}
	for _, size := range []int{21, 2 << 20} {
		Resize(&buf, size)
		require.Len(t, buf, size)
	}
}
