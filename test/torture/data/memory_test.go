package data

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"hash"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/require"

	"jl/test/env"
	"jl/test/torture/harness"
)

// small is the memory that a program may use if it need not hold the log.
const small = 64 << 20

// noise is 64 KB of hexadecimal digits.
var noise = fmt.Sprintf("%x", harness.RandomBytes(rand.New(rand.NewPCG(17, 17)), 32<<10))

// A stream is a text of n parts, which is never held whole.
type stream struct {
	n    int
	part func(i int) string
}

func ptr(s stream) *stream { return &s }

func (s stream) reversed() stream {
	return stream{s.n, func(i int) string { return s.part(s.n - 1 - i) }}
}

func (s stream) WriteTo(w io.Writer) (int64, error) {
	b, total := bufio.NewWriterSize(w, 1<<20), int64(0)
	for i := range s.n {
		n, err := b.WriteString(s.part(i))
		if total += int64(n); err != nil {
			return total, err
		}
	}
	return total, b.Flush()
}

// reader returns the text as it comes through a pipe.
func (s stream) reader() io.Reader {
	r, w := io.Pipe()
	go func() {
		_, err := s.WriteTo(w)
		w.CloseWithError(err)
	}()
	return r
}

func (s stream) save(t testing.TB, path string) {
	f, err := os.Create(path)
	require.NoError(t, err)
	_, err = s.WriteTo(f)
	require.NoError(t, err)
	require.NoError(t, f.Close())
}

// A sum counts the lines that are written to it, and hashes them.
type sum struct {
	lines int
	hash  hash.Hash
}

func (s *sum) Write(b []byte) (int, error) {
	s.lines += strings.Count(string(b), "\n")
	return s.hash.Write(b)
}

func (s *sum) String() string {
	return fmt.Sprintf("%d lines with the hash %x", s.lines, s.hash.Sum(nil))
}

func newSum() *sum { return &sum{0, sha256.New()} }

// sum returns the sum of a stream.
func (s stream) sum() string {
	all := newSum()
	_, _ = s.WriteTo(all)
	return all.String()
}

// measure runs a command line in a directory.
func measure(t testing.TB, dir, line string) (harness.Cost, *sum) {
	words, printed := strings.Fields(line), newSum()
	cmd := harness.Program(t, words[0], words[1:]...)
	cmd.Dir, cmd.Stdout = dir, printed
	return harness.Measure(t, cmd), printed
}

// bigLog returns a chain of n entries of 1 KB. The last live ones follow a boundary.
func bigLog(n, live int) stream {
	return stream{n, func(i int) string {
		parent, kind := fmt.Sprintf(`"%012d"`, i-1), `"user"`
		switch i {
		case n - live:
			parent, kind = "null", `"system","subtype":"compact_boundary","logicalParentUuid":`+parent
		case 0:
			parent = "null"
		}
		text := fmt.Sprintf("%x", harness.RandomBytes(rand.New(rand.NewPCG(17, uint64(i))), 425)) // nothing repeats, see jlcompact(1)
		return `{"parentUuid":` + parent + `,"sessionId":"` + harness.SessionID + `","type":` + kind +
			harness.Text(text) + fmt.Sprintf(`,"uuid":"%012d","timestamp":"2026-03-02T09:00:00.000Z"}`, i) + "\n"
	}}
}

// from returns the parts of a stream from one to another.
func (s stream) from(from, to int) stream {
	return stream{to - from, func(i int) string { return s.part(from + i) }}
}

// TestMemoryOfStreams runs programs that need not hold the log on a large one, in a
// control group whose memory includes the page cache.
func TestMemoryOfStreams(t *testing.T) {
	env.Long(t)
	p := harness.NewPromise(t, "P17", "memory is bounded: 64 MB, whatever the size of the log")
	n, dir := harness.Pick(250_000, 10<<20), env.DiskDir(t)
	harness.Bin(t, "")      // what the other tests share is not in dir, which ends with this one
	t.Setenv("TMPDIR", dir) // the group would count files in memory
	var disk syscall.Statfs_t
	if require.NoError(t, syscall.Statfs(dir, &disk)); harness.Long() && uint64(disk.Bavail)*uint64(disk.Bsize) < 25<<30 {
		p.Lacks("room for 11 GB")
		n = 1 << 20
	}
	log, cut := bigLog(n, 1000), n-1000
	log.save(t, filepath.Join(dir, "big"))
	group, err := harness.MemoryGroup(t, small)
	if err != nil {
		p.Lacks("control group for memory")
	}
	packed, err := os.Create(filepath.Join(dir, "packed.zst"))
	require.NoError(t, err)
	defer packed.Close()
	piped := bigLog(harness.Pick(n, 1<<20), 1000) // spooled, in the page cache
	var peak int64
	for _, test := range []struct {
		line  string
		stdin *stream
		want  *stream // what it prints; else
		lines int     // how many lines; else it writes packed.zst
	}{
		{line: "jlrev big", want: ptr(log.reversed())},
		{line: "jltree big", lines: n},
		{line: "jltree", stdin: &log, lines: n},
		{line: "jlcompact big", want: ptr(log.from(cut, n))},
		{line: "jlcompact --last 3 --no-summary big", lines: 3},
		{line: "jlcompact --cold big", want: ptr(log.from(0, cut))},
		{line: "jlcompact --list big", lines: 2},
		{line: "jlcompact -n 2 big", want: ptr(log.from(cut, n))},
		{line: "jlcompact --cold -z big"},
		{line: "jlrev packed.zst", want: ptr(log.from(0, cut).reversed())},
		{line: "jltree packed.zst", lines: cut},
		{line: "jlrev", stdin: &piped, want: ptr(piped.reversed())},
		{line: "jlcompact", stdin: &piped, want: ptr(piped.from(piped.n-1000, piped.n))},
	} {
		words, printed, wrapper := strings.Fields(test.line), newSum(), group
		if test.stdin == &piped {
			wrapper = nil
		}
		cmd := harness.Wrapped(t, wrapper, words[0], words[1:]...)
		cmd.Dir, cmd.Stdout = dir, printed
		if test.stdin != nil {
			cmd.Stdin = test.stdin.reader()
		}
		if test.want == nil && test.lines == 0 {
			cmd.Stdout = packed
		}
		got := harness.Measure(t, cmd)
		if test.want != nil {
			p.Try(printed.String() == test.want.sum(), "%s prints %v", test.line, printed)
		} else {
			p.Try(printed.lines == test.lines, "%s prints %v, want %d lines", test.line, printed, test.lines)
		}
		p.Try(got.Status == 0 && got.Stderr == "" && got.Peak < small, "%s: peak %d MB: %v", test.line, got.Peak>>20, got.Outcome)
		peak = max(peak, got.Peak)
	}
	p.Remark("%d entries of 1 KB; peak %d MB", n, peak>>20)
}

// TestOneLongLine prints a log with a line of megabytes between two short ones.
// Programs that read entries hold the line, but jlrev does not.
func TestOneLongLine(t *testing.T) {
	env.Long(t)
	p := harness.NewPromise(t, "P18", "one huge line: exact, its neighbors kept")
	megabytes, dir := harness.Pick(32, 1024), harness.Dir(t)
	a, c := harness.Node(1, "a", "", ""), harness.Node(3, "c", "b", "")
	begin, end, _ := strings.Cut(harness.Node(2, "b", "a", harness.Text("@")), "@")
	log := func(first, last string) stream {
		return stream{megabytes + 2, func(i int) string {
			switch i {
			case 0:
				return first + begin
			case megabytes + 1:
				return end + last
			}
			return strings.Repeat(noise[i%1000:][:32<<10], 32)
		}}
	}
	log(a, c).save(t, filepath.Join(dir, "log"))
	forward, backward := log(a, c).sum(), log(c, a).sum()
	for _, test := range []struct {
		line   string
		want   string // else
		lines  int
		copies int64 // of the line that may be in memory
	}{
		{"jlrev", backward, 3, 0},
		{"jlpath", forward, 3, 4},
		{"jlcompact", forward, 3, 4},
		{"jlcompact --last 9", forward, 3, 4},
		{"jltree", "", 3, 4},
		{"jltree --check", "", 1, 4},
		{"jltree --graph", "", 2, 2},
		{"jlleaf -a", "", 1, 6},
		{"jlrel --links --home .", "", 0, 4},
	} {
		got, printed := measure(t, dir, test.line+" log")
		ok := got.Status <= 1 && got.Stderr == "" && printed.lines == test.lines && (test.want == "" || printed.String() == test.want)
		p.Try(ok && got.Peak < small+test.copies*int64(megabytes)<<20, "%s prints %v, peak %d MB: %v", test.line, printed, got.Peak>>20, got.Outcome)
		p.Remark("%s %d MB", test.line, got.Peak>>20)
	}
	p.Remark("a line of %d MB", megabytes)
}

// TestMemoryRunsOut gives too little memory to the programs. They succeed with all of
// the output, report trouble, or end by a signal.
func TestMemoryRunsOut(t *testing.T) {
	env.Long(t)
	p := harness.NewPromise(t, "P32", "no memory error is hidden: all of the output, or trouble")
	dir := harness.Dir(t)
	graphs[0].log(harness.Pick(40_000, 400_000)).save(t, filepath.Join(dir, "chain"))
	harness.Write(t, dir, map[string]string{"long": harness.Node(1, "a", "", harness.Text(strings.Repeat("x", 40<<20))) + harness.Node(2, "b", "a", "")})
	failed := map[string]int{}
	for _, line := range []string{
		"jlpath chain", "jltree --check chain", "jlleaf -a chain", "jlcompact -z chain", "jlcompact --last 9 chain",
		"jlpath long", "jltree long", "jlrev long", "jlcompact long",
	} {
		words := strings.Fields(line)
		want := harness.Run(t, dir, words[0], words[1:]...)
		require.Zero(t, want.Status, want)
		for megabytes := 4; megabytes <= 64; megabytes += harness.Pick(12, 4) {
			limits := map[string][]string{"ulimit": harness.Shell(fmt.Sprintf("ulimit -d %d || exit 125", megabytes<<10))}
			if group, err := harness.MemoryGroup(t, int64(megabytes)<<20); err == nil {
				limits["control group"] = group
			} else {
				p.Lacks("control group for memory")
			}
			for by, limit := range limits {
				cmd := harness.Wrapped(t, limit, words[0], words[1:]...)
				cmd.Dir = dir
				got := harness.Execute(t, cmd)
				trouble := got.Signal != 0 || got.Status == 2 && got.Stderr != ""
				p.Try(!got.Hung && (trouble || got.Status == want.Status && got.Stdout == want.Stdout), "%s with %d MB by %s: %v", line, megabytes, by, got)
				if trouble {
					failed[by]++
				}
			}
		}
	}
	p.Remark("%d runs failed by control group, %d by ulimit", failed["control group"], failed["ulimit"])
}

// TestDeepNesting nests values a million deep. The entry is printed byte for byte, and
// the depth costs little memory beyond that of a flat entry.
func TestDeepNesting(t *testing.T) {
	p := harness.NewPromise(t, "P19", "nesting a million deep: kept, exact, no stack")
	const (
		depth = 1_000_000
		more  = 64 * depth // bytes of memory
	)
	a, c := harness.Node(1, "a", "", ""), harness.Node(3, "c", "b", "")
	flat := newBatch(t, []string{a + harness.Node(2, "b", "a", harness.Text(strings.Repeat("x", 6*depth))) + c})
	usual := map[call]int64{}
	for i, test := range []struct{ name, value string }{
		{"objects and arrays", strings.Repeat(`[{"content":`, depth/2) + `"\ud800"` + strings.Repeat("}]", depth/2)},
		{"arrays", strings.Repeat("[", depth) + strings.Repeat("]", depth)},
		{"objects", strings.Repeat(`{"a":`, depth) + `1` + strings.Repeat("}", depth)},
		{"results", `{"content":` + strings.Repeat(`[{"type":"tool_result","content":`, depth/8) + `[]` + strings.Repeat("}]", depth/8) + `}`},
		{"files", `1,"snapshot":{"trackedFileBackups":` + strings.Repeat(`{"x":`, depth) + `{}` + strings.Repeat("}", depth) + `}`},
		{"never closed", strings.Repeat("[", depth)},
		{"never opened", "1" + strings.Repeat("]", depth)},
	} {
		text := a + harness.Node(2, "b", "a", `,"message":`+test.value) + c
		want, status := text, 0
		if strings.HasPrefix(test.name, "never") {
			last := harness.Node(3, "c", "a", "")
			text, want, status = strings.Replace(text, c, last, 1), a+last, 2
		}
		want = stream{1, func(int) string { return want }}.sum()
		b := newBatch(t, []string{text})
		for j, c := range calls {
			nth := j / harness.Each(4)
			if j%harness.Each(4) != 0 || i > 0 && nth%4 != i%4 && c.args != "" && !harness.Long() {
				continue
			}
			if i == 0 {
				cost, _ := measure(t, flat.dir, c.String()+" f00000")
				usual[c] = cost.Peak
			}
			got, printed := measure(t, b.dir, c.String()+" f00000")
			problem := harness.ProblemOfEnd(c.program, got.Outcome)
			if c.program == "jlpath" && c.exact && (printed.String() != want || got.Status != status) {
				problem += "not the path"
			}
			p.Try(problem == "" && got.Peak < usual[c]+more, "%s: %v: %s, peak %d MB, flat %d MB: %v", test.name, c, problem, got.Peak>>20, usual[c]>>20, got.Outcome)
		}
	}
}

// frame returns a zstd frame of a header and blocks.
func frame(header []byte, blocks ...string) string {
	return "\x28\xb5\x2f\xfd" + string(header) + strings.Join(blocks, "")
}

// block returns a block of a zstd frame: its type is 0 for raw and 1 for a repeated byte.
func block(kind, size int, last bool, data string) string {
	h := uint32(size)<<3 | uint32(kind)<<1
	if last {
		h |= 1
	}
	return string([]byte{byte(h), byte(h >> 8), byte(h >> 16)}) + data
}

// compressLines compresses so many megabytes of one line, and counts the lines.
func compressLines(t testing.TB, w io.WriteCloser, megabytes int) int {
	line := harness.Node(1, "a", "", harness.Text(strings.Repeat("x", 900)))
	n := 1 << 20 / len(line)
	for range megabytes {
		_, err := io.WriteString(w, strings.Repeat(line, n))
		require.NoError(t, err)
	}
	require.NoError(t, w.Close())
	return n * megabytes
}

// TestBombs decompresses what is small and becomes large, or says that it does. It is
// streamed or refused, and a header that lies costs no memory.
func TestBombs(t *testing.T) {
	env.Long(t)
	p := harness.NewPromise(t, "P20", "compressed bombs and lying headers: streamed or refused, memory bounded")
	window := []byte{0x00, 13 << 3} // 8 MB, no size
	entry := harness.Node(1, "a", "", "")
	raw := block(0, len(entry), true, entry)
	one := frame(window, raw)
	size := func(n uint64) []byte { return binary.LittleEndian.AppendUint64([]byte{0xe0}, n) }
	u32 := binary.LittleEndian.AppendUint32

	var z, g, nothing bytes.Buffer
	zw, err := zstd.NewWriter(&z, zstd.WithWindowSize(1<<20))
	require.NoError(t, err)
	compressLines(t, zw, harness.Pick(256, 1024))
	gw, err := gzip.NewWriterLevel(&g, 9)
	require.NoError(t, err)
	many := compressLines(t, gw, harness.Pick(256, 1024))
	require.NoError(t, gzip.NewWriter(&nothing).Close())
	members := harness.Pick(200_000, 2_000_000)
	table := func(frames int, decompressed uint32) string {
		b := u32([]byte("\x5e\x2a\x4d\x18"), uint32(8*frames+9))
		for i := range frames {
			compressed := 0
			if i == 0 {
				compressed = len(one)
			}
			b = u32(u32(b, uint32(compressed)), decompressed)
		}
		return string(append(u32(b, uint32(frames)), 0, 0xb1, 0xea, 0x92, 0x8f))
	}

	const refused, any = -2, -1
	var peak int64
	for _, test := range []struct {
		name, text string
		lines      int // that jltree prints, or refused, or any
	}{
		{"zstd of lines", z.String(), many},
		{"gzip of lines", g.String(), many},
		{"zstd of newlines between two entries", frame(window, block(0, len(entry), false, entry), strings.Repeat(block(1, 128<<10, false, "\n"), 63), raw), 2},
		{"window of 2^41", frame([]byte{0x00, 31 << 3}, raw), refused},
		{"window of 2^41, then nothing", frame([]byte{0x00, 31 << 3}), refused},
		{"window of 2^30", frame([]byte{0x00, 20 << 3}, raw), refused},
		{"window of 128 MB, nearly empty", frame([]byte{0x00, 17 << 3}, raw), 1},
		{"size of 2^62", frame(size(1<<62), raw), refused},
		{"size of 2^62 in a window", frame(append([]byte{0xc0, 0x50}, size(1 << 62)[1:]...), raw), refused},
		{"size of 120 MB, nearly empty", frame(size(120<<20), raw), refused},
		{"empty gzip members", strings.Repeat(nothing.String(), members), 0},
		{"skippable frames", strings.Repeat("\x50\x2a\x4d\x18\x00\x00\x00\x00", members) + one, 1},
		{"empty zstd frames", strings.Repeat(frame(window, block(0, 0, true, "")), members) + one, 1},
		{"a skippable frame of 4 GB, missing", "\x50\x2a\x4d\x18\xff\xff\xff\xff", refused},
		{"a gzip header with an endless name", "\x1f\x8b\x08\x08\x00\x00\x00\x00\x00\x03" + strings.Repeat("n", 32<<20), refused},
		{"a gzip header with a comment of NULs", "\x1f\x8b\x08\x04\x00\x00\x00\x00\x00\x03\xff\xff" + strings.Repeat("\x00", 70_000), refused},
		{"a seek table that promises 4 GB", one + table(1, 0xffffffff), 1},
		{"a seek table that promises 16 MB", one + table(1, 16<<20), any},
		{"a seek table of a million frames", one + table(1<<20, 16<<20), 1},
		{"a seek table that counts 2^32 frames", one + "\x5e\x2a\x4d\x18\x09\x00\x00\x00\xff\xff\xff\xff\x00\xb1\xea\x92\x8f", 1},
	} {
		b := newBatch(t, []string{test.text})
		for _, name := range []string{"jltree", "jlrev", "jlcompact", "jlleaf"} {
			got, printed := measure(t, b.dir, name+" "+b.files[0])
			most := int64(small)
			if name == "jlleaf" { // it holds something of each entry
				most += 200 * int64(max(0, test.lines))
			}
			if strings.HasPrefix(test.name, "window of 128") {
				most += 128 << 20
			}
			problem := harness.ProblemOfEnd(name, got.Outcome)
			if test.lines == refused && got.Status != 2 {
				problem += "it is not refused"
			} else if test.lines >= 0 && name == "jltree" && (got.Status != 0 || printed.lines != test.lines) {
				problem += fmt.Sprintf("%v, want %d", printed, test.lines)
			}
			p.Try(problem == "" && got.Peak < most, "%s, %s: %s, peak %d MB: %v", name, test.name, problem, got.Peak>>20, got.Outcome)
			peak = max(peak, got.Peak)
		}
	}

	megabytes := harness.Pick(64, 1024)
	bomb := frame(window, strings.Repeat(block(1, 128<<10, false, " "), 8*megabytes-1), block(1, 128<<10, true, " "))
	b := newBatch(t, []string{bomb})
	got, printed := measure(t, b.dir, "jlrev "+b.files[0])
	p.Try(got.Status == 0 && printed.lines == 1 && got.Peak < small, "jlrev of a line of spaces: peak %d MB, %v: %v", got.Peak>>20, printed, got.Outcome)
	p.Remark("peak %d MB; %d KB become %d MB; %d empty members", peak>>20, len(bomb)>>10, megabytes, members)
}
