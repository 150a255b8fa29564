package entry_test

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

	"jl/internal/entry"
	"jl/internal/line"
)

// sectionOf returns a reader of a log that can be read ahead.
func sectionOf(log string) io.Reader { return section(strings.NewReader(log), int64(len(log))) }

func section(r io.ReaderAt, size int64) io.Reader { return io.NewSectionReader(r, 0, size) }

// A prepared is an entry as a test prepares it.
type prepared struct{ text []byte }

// events returns what a reader of a log yields and reports, in order, at most max entries. If
// ahead is not set, it reads entry by entry.
func events(from io.Reader, dec entry.Decoder, max int, ahead bool) (got []string, r *entry.Reader) {
	r = entry.NewReader(line.NewForward(from), dec, func(d *entry.Damage) {
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
	prepare := func(e *entry.Entry, p *prepared) {
		p.text = append(p.text[:0], e.Bytes...)
	}
	if max == 0 {
		return got, r
	}
	for p := range entry.Ahead(r, prepare) {
		if note(string(p.text)); max == 0 {
			break
		}
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

// TestAheadIsInOrder: reading ahead yields and reports the same as reading entry by entry,
// however many processors there are, and wherever the caller stops.
func TestAheadIsInOrder(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	rnd := rand.New(rand.NewPCG(3, 4))
	for i := range 4 {
		defer entry.ReadSmallAhead([]int{300, 10_000, 100_000, 300_000}[i])()
		log := randomLog(rnd, 3<<20) + claudeB[:i%2*9]
		dec := entry.Decoder{Strict: i%4 == 3, Faults: i%2 == 0}
		want, one := events(strings.NewReader(log), dec, 1<<30, false)
		require.Greater(t, len(want), 100)
		for procs := 1; procs <= 4; procs++ {
			runtime.GOMAXPROCS(procs)
			got, r := events(sectionOf(log), dec, 1<<30, true)
			require.True(t, fmt.Sprint(want) == fmt.Sprint(got))
			require.NoError(t, r.Err())
			lines, bytes := r.Read()
			oneLines, oneBytes := one.Read()
			require.Equal(t, oneLines, lines)
			require.Equal(t, oneBytes, bytes)

			most := rnd.IntN(len(want))
			want, _ := events(strings.NewReader(log), dec, most, false)
			got, _ = events(sectionOf(log), dec, most, true)
			require.True(t, fmt.Sprint(want) == fmt.Sprint(got))
		}
	}
}

// TestAheadErrors: a read that fails ends the log. The entries before it are yielded.
func TestAheadErrors(t *testing.T) {
	defer entry.ReadSmallAhead(50_000)()
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
	require.ErrorIs(t, r.Err(), entry.ErrNotLog)
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
	defer entry.ReadSmallAhead(100_000)()
	for _, log := range []string{
		claudeA + strings.Repeat("\n{}", 300_000) + claudeB,
		claudeA + "\n" + strings.Repeat("{}", 300_000) + "\n[]\n" + claudeB + "\n{}{}",
		claudeA + "\n" + strings.Repeat(strings.Repeat("{}", 999)+"\n[]\n", 500),
	} {
		want, _ := events(strings.NewReader(log), entry.Decoder{}, 1<<30, false)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		n := 0
		r := entry.NewReader(line.NewForward(sectionOf(log)), entry.Decoder{}, nil)
		for range entry.Ahead(r, func(*entry.Entry, *int) {}) {
			n++
		}
		runtime.ReadMemStats(&after)
		require.Greater(t, n, 300_000)
		require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(100<<20))
		got, _ := events(sectionOf(log), entry.Decoder{}, 1<<30, true)
		require.True(t, slices.Equal(want, got))
		most := 150_000
		got, _ = events(sectionOf(log), entry.Decoder{}, most, true)
		require.True(t, slices.Equal(want[:len(got)], got))
	}
}

// TestAheadForgets: of the memory for many small entries, only what is in use is kept.
func TestAheadForgets(t *testing.T) {
	defer entry.ReadSmallAhead(256 << 10)()
	log := claudeA + "\n" + strings.Repeat(`{"uuid":"a","type":"user","message":{}}`+"\n", 100_000)
	r := entry.NewReader(line.NewForward(sectionOf(log)), entry.Decoder{}, nil)
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	n, least := 0, int64(math.MaxInt64) // a block may be growing
	for range entry.Ahead(r, func(*entry.Entry, *[200]byte) {}) {
		if n++; n > 50_000 && n%10_000 == 0 {
			runtime.GC()
			runtime.ReadMemStats(&after)
			least = min(least, int64(after.HeapAlloc-before.HeapAlloc))
		}
	}
	require.Equal(t, 100_001, n)
	require.Less(t, least, int64(40<<20))
}

// A walked is a Walker that steps over the message.
type walked struct{ steps int }

func (w *walked) Walk(c entry.Cursor) entry.Cursor {
	w.steps++
	c.Value()
	return c
}

// TestAheadWalks: what is read ahead is read by a Walker, in long lines too.
func TestAheadWalks(t *testing.T) {
	defer entry.ReadSmallAhead(100_000)()
	const e = `{"type":"user","uuid":"u","message":{"content":"%s"}}` + "\n"
	log := fmt.Sprintf(e, "") + strings.Repeat(fmt.Sprintf(e, "x"), 100) + fmt.Sprintf(e, strings.Repeat("y", 2<<20)) + fmt.Sprintf(e, "z")
	r := entry.NewReader(line.NewForward(sectionOf(log)), entry.Decoder{}, nil)
	got := 0
	for w := range entry.Ahead(r, func(e *entry.Entry, w *walked) {
		require.Equal(t, e.Walked(), w.steps > 0)
	}) {
		got += w.steps
		w.steps = 0
	}
	require.Equal(t, 103, got)
}

// TestAheadIsLive: if a read may wait, an entry is yielded before more of the log is there.
func TestAheadIsLive(t *testing.T) {
	defer entry.ReadSmallAhead(100_000)()
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

func FuzzAheadIsInOrder(f *testing.F) {
	f.Add([]byte(claudeA+"\n"+claudeB+"\n[]\n"+claudeA[:20]+claudeB+"\n"), uint8(2), uint8(30))
	filler := "\n" + `{"type":"user","uuid":"b","parentUuid":"a","pad":"` + strings.Repeat("x", 400) + "\"}\n"
	defer entry.ReadSmallAhead(20_000)()
	f.Fuzz(func(t *testing.T, piece []byte, n, times uint8) {
		var b strings.Builder // up to 2 MB, so up to five blocks
		for i := range int(times%24) + 1 {
			b.Write(piece)
			b.WriteString(strings.Repeat(filler, i*int(n%16)))
		}
		want, _ := events(strings.NewReader(b.String()), entry.Decoder{}, 1<<30, false)
		got, _ := events(sectionOf(b.String()), entry.Decoder{}, 1<<30, true)
		require.True(t, fmt.Sprint(want) == fmt.Sprint(got))
	})
}
