package dialect_test

import (
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/stretchr/testify/require"

	"jl/internal/dialect"
	"jl/internal/entry"
	"jl/internal/line"
)

// sectionOf returns a reader of a log that can be read ahead.
func sectionOf(log string) io.Reader { return section(strings.NewReader(log), int64(len(log))) }

func section(r io.ReaderAt, size int64) io.Reader { return io.NewSectionReader(r, 0, size) }

// A short reads at most so many bytes at once.
type short struct {
	io.Reader
	most int
}

func (s short) Read(p []byte) (int, error) { return s.Reader.Read(p[:min(len(p), s.most)]) }

// A prepared is an entry as a test prepares it.
type prepared struct{ text []byte }

func (p *prepared) Make(e *entry.Entry) { p.text = append(p.text[:0], e.Bytes...) }

// An empty Maker makes nothing, and takes some memory.
type empty struct{ _ [200]byte }

func (*empty) Make(*entry.Entry) {}

func newEmpty() dialect.Maker { return new(empty) }

// events returns what a reader of a log yields and reports, in order, at most max entries. If
// ahead is not set, it reads entry by entry.
func events(from io.Reader, dec entry.Decoder, max int, ahead bool) (got []string, r *dialect.Reader) {
	r = dialect.NewReader(line.NewForward(from), dec, func(d *entry.Damage) {
		got = append(got, fmt.Sprint("damage ", d.Pos, " ", d))
	})
	note := func(text string) {
		got = append(got, fmt.Sprint(r.Entry().Pos, r.Entry().At(0), text, string(r.Entry().Line), r.Damage() != nil, r.Entry().Faults()))
		max--
	}
	if !ahead {
		for max > 0 && r.Next() {
			note(string(r.Entry().Bytes))
		}
		return got, r
	}
	r.Prepare(func() dialect.Maker { return new(prepared) })
	defer r.Close()
	for max > 0 && r.Next() {
		note(string(r.Made().(*prepared).text))
	}
	return got, r
}

// randomLog returns a log of lines of all kinds and of many lengths.
func randomLog(rnd *rand.Rand, size int) string {
	var b strings.Builder
	b.WriteString(claudeA + "\n")
	for n := 0; b.Len() < size; n++ {
		length := rnd.IntN(2000)
		if rnd.IntN(50) == 0 {
			length = rnd.IntN(600 << 10)
		}
		e := fmt.Sprintf(`{"type":"user","uuid":"u%d","parentUuid":"u%d","message":{"content":"%s"}}`, n, n-1, strings.Repeat("x", length))
		switch rnd.IntN(20) {
		case 0:
			b.WriteString(e[:rnd.IntN(len(e))] + e)
		case 1:
			b.WriteString(e[:rnd.IntN(len(e))])
		case 2:
			b.WriteString(e + e + e)
		case 3:
			b.WriteString(strings.Repeat("\x00", rnd.IntN(100)) + e)
		case 4:
			b.WriteString([]string{"[]", "", " ", "\t" + e + "\r"}[rnd.IntN(4)])
		case 5:
			b.WriteString(strings.Replace(e, "x", "\n\r\nx\n{", rnd.IntN(9)))
		default:
			b.WriteString(e)
		}
		if rnd.IntN(500) > 0 {
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// checkReads checks that a Reader of a log yields and reports the same, at the same places and in the same
// order, however many bytes a read returns, whether it reads ahead or not, how long the chunks may be, and
// wherever the caller stops.
func checkReads(t *testing.T, log string, dec entry.Decoder, size int) {
	t.Helper()
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	defer dialect.ReadSmallAhead(int64(3 * size))()
	want, one := events(strings.NewReader(log), dec, 1<<30, false)
	lines, bytes := one.Read()
	from := func(ahead bool) io.Reader {
		if ahead {
			return sectionOf(log)
		}
		return short{strings.NewReader(log), size}
	}
	for procs := range 4 {
		runtime.GOMAXPROCS(max(procs, 1))
		got, r := events(from(procs > 0), dec, 1<<30, procs > 0)
		require.True(t, slices.Equal(want, got))
		require.Equal(t, one.Err(), r.Err())
		for range 5 {
			require.False(t, r.Next())
		}
		gotLines, gotBytes := r.Read()
		require.Equal(t, []int64{lines, bytes}, []int64{gotLines, gotBytes})

		most := len(want) * procs / 7
		some, _ := events(strings.NewReader(log), dec, most, false)
		got, _ = events(from(procs > 0), dec, most, procs > 0)
		require.True(t, slices.Equal(some, got))
	}
}

func TestReadsAreTheSame(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	for i, size := range []int{300, 10_000, 100_000, 1 << 20} {
		log := randomLog(rnd, 3<<20) + claudeB[:i%2*9]
		checkReads(t, log, entry.Decoder{Strict: i%4 == 3, Faults: i%2 == 0}, size)
	}
}

// TestAheadErrors: a read that fails ends the log. The entries before it are yielded.
func TestAheadErrors(t *testing.T) {
	defer dialect.ReadSmallAhead(1 << 20)()
	broken := errors.New("broken")
	log := strings.Repeat(claudeA+"\n", 20000)
	rest := io.MultiReader(strings.NewReader(log), iotest.ErrReader(broken))
	got, r := events(rest, entry.Decoder{}, 1<<30, true)
	require.Len(t, got, 20000)
	require.Equal(t, broken, r.Err())

	f := failing{strings.NewReader(log), broken}
	got, r = events(section(f, 1<<40), entry.Decoder{}, 1<<30, true)
	require.Len(t, got, 20000)
	require.Equal(t, broken, r.Err())
	lines, bytes := r.Read()
	require.Equal(t, int64(20000), lines)
	require.Equal(t, int64(len(log)), bytes)

	got, r = events(sectionOf("no log\n\x00\n"), entry.Decoder{}, 1, true)
	require.Empty(t, got)
	require.ErrorIs(t, r.Err(), dialect.ErrNotLog)
}

// A failing is a file that cannot be read after the bytes that its reader has.
type failing struct {
	*strings.Reader
	err error
}

func (f failing) ReadAt(p []byte, off int64) (int, error) {
	n, err := f.Reader.ReadAt(p, off)
	if err == io.EOF {
		err = f.err
	}
	return n, err
}

// TestAheadOfManyEntries has lines and lists of more entries than are held at the same time.
func TestAheadOfManyEntries(t *testing.T) {
	defer dialect.ReadSmallAhead(100_000)()
	for _, log := range []string{
		claudeA + strings.Repeat("\n{}", 100_000) + claudeB,
		claudeA + "\n" + strings.Repeat("{}", 100_000) + "\n[]\n" + claudeB + "\n{}{}",
		claudeA + "\n" + strings.Repeat(strings.Repeat("{}", 999)+"\n[]\n", 150),
	} {
		want, _ := events(strings.NewReader(log), entry.Decoder{}, 1<<30, false)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		n := 0
		r := dialect.NewReader(line.NewForward(sectionOf(log)), entry.Decoder{}, nil)
		r.Prepare(newEmpty)
		for r.Next() {
			n++
		}
		r.Close()
		runtime.ReadMemStats(&after)
		require.GreaterOrEqual(t, n, 100_000)
		require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(40<<20)) // all entries take 70 MiB
		got, _ := events(sectionOf(log), entry.Decoder{}, 1<<30, true)
		require.True(t, slices.Equal(want, got))
		most := 50_000
		got, _ = events(sectionOf(log), entry.Decoder{}, most, true)
		require.True(t, slices.Equal(want[:len(got)], got))
	}
}

// TestAheadForgets: of the memory for many small entries, only what is in use is kept.
func TestAheadForgets(t *testing.T) {
	defer dialect.ReadSmallAhead(256 << 10)()
	log := claudeA + "\n" + strings.Repeat(`{"uuid":"a","type":"user","message":{}}`+"\n", 100_000)
	r := dialect.NewReader(line.NewForward(sectionOf(log)), entry.Decoder{}, nil)
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	n, least := 0, int64(math.MaxInt64) // a block may be growing
	r.Prepare(newEmpty)
	defer r.Close()
	for r.Next() {
		if n++; n > 50_000 && n%10_000 == 0 {
			runtime.GC()
			runtime.ReadMemStats(&after)
			least = min(least, int64(after.HeapAlloc-before.HeapAlloc))
		}
	}
	require.Equal(t, 100_001, n)
	require.Less(t, least, int64(40<<20))
}

// A walked steps over the message.
type walked struct {
	steps int
	first bool // it was made before it walked
}

func (w *walked) Walk(c entry.Cursor) entry.Cursor {
	w.steps++
	c.Value()
	return c
}

func (w *walked) Make(e *entry.Entry) { w.first = w.first || e.Walked() != (w.steps > 0) }

// TestAheadWalks: a Walker reads the messages of what is read ahead, in long lines too.
func TestAheadWalks(t *testing.T) {
	defer dialect.ReadSmallAhead(100_000)()
	const e = `{"type":"user","uuid":"u","message":{"content":"%s"}}` + "\n"
	log := fmt.Sprintf(e, "") + strings.Repeat(fmt.Sprintf(e, "x"), 100) + fmt.Sprintf(e, strings.Repeat("y", 2<<20)) + fmt.Sprintf(e, "z")
	r := dialect.NewReader(line.NewForward(sectionOf(log)), entry.Decoder{}, nil)
	got := 0
	r.Prepare(func() dialect.Maker { return new(walked) })
	defer r.Close()
	for r.Next() {
		w := r.Made().(*walked)
		require.False(t, w.first)
		got += w.steps
		w.steps = 0
	}
	require.Equal(t, 103, got)
}

// TestLongLinesFollow: of two lines that may take nearly all memory, one is held at a time.
func TestLongLinesFollow(t *testing.T) {
	const size = 64 << 20
	long := `{"type":"user","uuid":"u","message":"` + strings.Repeat("x", size) + "\"}\n"
	log := claudeA + "\n" + strings.Repeat(claudeB+"\n", 10_000) + long + long + claudeB + "\n"
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for procs := 1; procs <= 2; procs++ {
		runtime.GOMAXPROCS(procs)
		r := dialect.NewReader(line.NewForward(sectionOf(log)), entry.Decoder{}, nil)
		var before, after runtime.MemStats
		longs := 0
		r.Prepare(newEmpty)
		for r.Next() {
			if r.Entry().Pos.Length < size {
				continue
			}
			if longs++; longs == 1 {
				runtime.ReadMemStats(&before)
			} else {
				runtime.ReadMemStats(&after)
			}
		}
		r.Close()
		require.Equal(t, 2, longs)
		require.Less(t, int64(after.HeapSys-before.HeapSys), int64(size/2))
	}
}

// TestAheadIsLive: if a read may wait, an entry is yielded before more of the log is there.
func TestAheadIsLive(t *testing.T) {
	defer dialect.ReadSmallAhead(100_000)()
	from, to := io.Pipe()
	go func() {
		for range 3 {
			_, _ = io.WriteString(to, claudeA+"\n")
			time.Sleep(time.Millisecond)
		}
		// The pipe is not closed, so reading ahead would wait for ever.
	}()
	got, _ := events(from, entry.Decoder{}, 3, true)
	require.Len(t, got, 3)
}

func FuzzReadsAreTheSame(f *testing.F) {
	f.Add([]byte(claudeA+"\n"+claudeB+"\n[]\n"+claudeA[:20]+claudeB+"\n"), uint8(2), uint8(30), uint16(20_000))
	f.Add([]byte("{\"a\":\"b\nc\"}\n\n \n{}{}x\n"), uint8(0), uint8(3), uint16(1))
	filler := "\n" + `{"type":"user","uuid":"b","parentUuid":"a","pad":"` + strings.Repeat("x", 400) + "\"}\n"
	f.Fuzz(func(t *testing.T, piece []byte, n, times uint8, size uint16) {
		var b strings.Builder // up to 2 MB
		for i := range int(times%24) + 1 {
			b.Write(piece)
			b.WriteString(strings.Repeat(filler, i*int(n%16)))
		}
		least := b.Len() / 1000 // reads
		checkReads(t, b.String(), entry.Decoder{Faults: n%2 == 0}, max(int(size), least, 1))
	})
}

// TestOnly: a reader of some words yields the lines that hold one of them, in order and each once, with their places, whatever the
// words are and however the log is cut into chunks.
func TestOnly(t *testing.T) {
	var log strings.Builder
	rnd := rand.New(rand.NewPCG(1, 2))
	pick := []string{"moon", "sun", "moon sun", "star", "sunmoon", "x"}
	for i := range 20_000 {
		fmt.Fprintf(&log, `{"type":"user","uuid":"u%d","message":{"content":"%s %s"}}`+"\n", i, strings.Repeat("y", rnd.IntN(200)), pick[min(rnd.IntN(40), 5)])
		if rnd.IntN(50) == 0 {
			log.WriteByte('\n')
		}
	}
	read := func(words ...[]byte) (found []string) {
		in := dialect.NewReader(line.NewForward(strings.NewReader(log.String())), entry.Decoder{}, nil)
		if in.TakeAs(dialect.Claude); words != nil {
			in.Only(words...)
		}
		for in.Next() {
			e := in.Entry()
			found = append(found, fmt.Sprintf("%d %d %s", e.Pos.Line, e.Pos.Offset, e.Bytes))
		}
		require.NoError(t, in.Err())
		return found
	}
	all := read()
	for _, words := range [][]string{{"moon"}, {"moon", "sun"}, {"sun", "moon", "none"}, {"star"}, {"none"}} {
		var want []string
		var asked [][]byte
		for _, word := range words {
			asked = append(asked, []byte(word))
		}
		for _, row := range all {
			if slices.ContainsFunc(words, func(word string) bool { return strings.Contains(row, word) }) {
				want = append(want, row)
			}
		}
		require.Equal(t, want, read(asked...), words)
	}
}
