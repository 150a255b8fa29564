package torture

import (
	"bufio"
	"bytes"
	"compress/gzip"
	bytesof "encoding/binary"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/require"
)

// dataSmall is what a program may take that does not hold the log, by the promise.
const dataSmall = 64 << 20

// dataLong is how long a run may take on gigabytes.
const dataLong = 15 * time.Minute

// A dataBig is a log of any size: so many entries of 1 KB, a chain. Before the last
// live ones stands a boundary. No part of it needs to be held.
type dataBig struct{ n, live int }

var dataNoise = func() string {
	rnd := rand.New(rand.NewPCG(17, 17))
	b := make([]byte, 32<<10)
	for i := range b {
		b[i] = byte(rnd.UintN(256))
	}
	return fmt.Sprintf("%x", b)
}()

// entry returns the i-th entry, counted from 0.
func (g dataBig) entry(i int) string {
	id, parent := fmt.Sprintf(`"%012d"`, i), fmt.Sprintf(`"%012d"`, i-1)
	kind := `"user"`
	switch {
	case i == g.n-g.live:
		kind, parent = `"system","subtype":"compact_boundary","logicalParentUuid":`+parent, "null"
	case i == 0:
		parent = "null"
	}
	from := i * 613 % (len(dataNoise) - 850)
	return `{"parentUuid":` + parent + `,"sessionId":"` + sessionID + `","type":` + kind +
		`,"message":{"role":"user","content":"` + dataNoise[from:from+850] + `"},"uuid":` + id +
		`,"timestamp":"2026-03-02T09:00:00.000Z"}` + "\n"
}

// part returns the entries from one to another, to be compared.
func (g dataBig) part(from, to int) func() string {
	return dataParts(to-from, func(i int) string { return g.entry(from + i) })
}

func (g dataBig) reversed() func() string {
	return dataParts(g.n, func(i int) string { return g.entry(g.n - 1 - i) })
}

// write writes the log into a file.
func (g dataBig) write(t testing.TB, path string) {
	t.Helper()
	f, err := os.Create(path)
	require.NoError(t, err)
	w := bufio.NewWriterSize(f, 1<<20)
	for i := range g.n {
		_, err := w.WriteString(g.entry(i))
		require.NoError(t, err)
	}
	require.NoError(t, w.Flush())
	require.NoError(t, f.Close())
}

// reader returns the log, made as it is read.
func (g dataBig) reader() io.Reader {
	next := g.part(0, g.n)
	return readFunc(func(b []byte) (int, error) {
		n := 0
		for len(b)-n > 2000 {
			s := next()
			if s == "" {
				break
			}
			n += copy(b[n:], s)
		}
		if n == 0 {
			return 0, io.EOF
		}
		return n, nil
	})
}

type readFunc func([]byte) (int, error)

func (f readFunc) Read(b []byte) (int, error) { return f(b) }

// TestMemoryOfStreams: what a program holds does not grow with the log, where its work
// allows that; what it prints is all and nothing else. In a control group with so much
// memory, caches of the system included, it is not killed.
func TestMemoryOfStreams(t *testing.T) {
	p := promise(t, "P17", "memory is bounded: 64 MB, whatever the size of the log")
	g := dataBig{n: often(250_000, 10<<20), live: 1000}
	dir := space(t)
	if thorough() {
		var s syscall.Statfs_t
		require.NoError(t, syscall.Statfs(dir, &s))
		if free := uint64(s.Bavail) * uint64(s.Bsize); free < 25<<30 {
			p.lacks("room for 11 GB")
			g.n = 1 << 20
		}
	}
	g.write(t, filepath.Join(dir, "big"))
	info, err := os.Stat(filepath.Join(dir, "big"))
	require.NoError(t, err)
	p.figure("%d MB", info.Size()>>20)
	group, err := dataCgroup(t, dataSmall)
	if err != nil {
		p.lacks("control group for memory")
	}

	cold := g.n - g.live
	var worst int64
	for _, c := range []struct {
		program, args string
		input         io.Reader // "" is the file
		want          func() string
		lines         int // instead, how many lines it prints
	}{
		{program: "jlrev", args: "big", want: g.reversed()},
		{program: "jltree", args: "big", lines: g.n},
		{program: "jltree", input: g.reader(), lines: g.n},
		{program: "jlcompact", args: "big", want: g.part(cold, g.n)},
		{program: "jlcompact", args: "--last 3 --no-summary big", want: g.part(g.n-3, g.n)},
		{program: "jlcompact", args: "--cold big", want: g.part(0, cold)},
		{program: "jlcompact", args: "--list big", lines: 2},
		{program: "jlcompact", args: "-n 2 big", want: g.part(cold, g.n)},
		{program: "jlcompact", args: "--cold -z big", lines: -1},
		{program: "jlrev", args: "packed.zst", want: dataParts(cold, func(i int) string { return g.entry(cold - 1 - i) })},
		{program: "jltree", args: "packed.zst", lines: cold},
	} {
		cmd := wrapped(t, group, c.program, strings.Fields(c.args)...)
		cmd.Dir, cmd.Stdin = dir, c.input
		var lines dataLines
		cmp := &dataComparer{next: c.want}
		switch {
		case c.want != nil:
			cmd.Stdout = cmp
		case c.lines < 0:
			f, err := os.Create(filepath.Join(dir, "packed.zst"))
			require.NoError(t, err)
			defer f.Close()
			cmd.Stdout = f
		default:
			cmd.Stdout = &lines
		}
		got := dataMeasured(t, cmd, dataLong)
		ok := got.status == 0 && got.stderr == "" && got.peak < dataSmall
		if c.want != nil {
			p.tryWell(cmp.wrong(), "%s %s", c.program, c.args)
		} else if c.lines > 0 {
			ok = ok && int(lines) == c.lines
		}
		p.try(ok, "%s %s: peak %d MB, %d lines for %d: %v", c.program, c.args, got.megabytes(), lines, c.lines, got.outcome)
		worst = max(worst, got.peak)
	}

	// From a pipe jlrev and jlcompact put it into a file.
	if thorough() {
		g.n = 1 << 20
	}
	for _, c := range []struct {
		program string
		want    func() string
	}{{"jlrev", g.reversed()}, {"jlcompact", g.part(g.n-g.live, g.n)}} {
		cmd := program(t, c.program)
		cmp := &dataComparer{next: c.want}
		cmd.Stdin, cmd.Stdout = g.reader(), cmp
		got := dataMeasured(t, cmd, dataLong)
		p.try(cmp.wrong() == "" && got.status == 0 && got.peak < dataSmall, "%s from a pipe: peak %d MB, %s %v", c.program, got.megabytes(), cmp.wrong(), got.outcome)
		worst = max(worst, got.peak)
	}
	p.figure("peak %d MB", worst>>20)
}

// TestMemoryOfTrees: programs that must know all entries hold little of each.
func TestMemoryOfTrees(t *testing.T) {
	p := promise(t, "P17", "…where all entries must be known, 200 bytes of each")
	const most = 200
	g := dataBig{n: often(100_000, 4_000_000), live: 10}
	dir := space(t)
	g.write(t, filepath.Join(dir, "big"))
	dataBig{n: 20, live: 10}.write(t, filepath.Join(dir, "little"))
	for _, c := range []struct {
		program, args string
		lines         int
	}{
		{"jltree", "--check", 1},
		{"jlleaf", "", 1},
		{"jlleaf", "-a", 2},
		{"jlpath", "--through", g.n},
		{"jlpath", "--through --meta", g.n},
		{"jlpath", "--as claude-2.1", 10},
		{"jlpath", "--as sdk", 9},
		{"jlsnap", "", 0},
		{"jlrel", "--links --home .", 1},
	} {
		run := func(file string) (dataCost, int) {
			cmd := program(t, c.program, append(strings.Fields(c.args), file)...)
			cmd.Dir = dir
			var lines dataLines
			cmd.Stdout = &lines
			return dataMeasured(t, cmd, dataLong), int(lines)
		}
		base, _ := run("little")
		got, lines := run("big")
		each := (got.peak - base.peak) / int64(g.n)
		p.try(got.status <= 1 && got.stderr == "" && lines == c.lines && each <= most, "%s %s: %d bytes for each entry, %d lines for %d: %v", c.program, c.args, each, lines, c.lines, got.outcome)
		p.figure("%s %d B", strings.TrimSpace(c.program+" "+c.args), each)
	}
}

// TestOneLongLine: a line of any length is printed as it is, and neither neighbour is
// lost. It is held, by those that read entries; jlrev does not hold it.
func TestOneLongLine(t *testing.T) {
	p := promise(t, "P18", "one huge line: exact, its neighbours kept")
	megabytes := often(32, 1024)
	size := int64(megabytes) << 20
	before, after := dataNode(1, "a", "", ""), dataNode(3, "c", "b", "")
	begin, end, _ := strings.Cut(dataNode(2, "b", "a", dataText("@")), "@")
	// all returns the log in parts of a megabyte, between two lines.
	all := func(first, last string) func() string {
		return dataParts(megabytes+4, func(i int) string {
			switch i {
			case 0:
				return first
			case 1:
				return begin
			case megabytes + 2:
				return end
			case megabytes + 3:
				return last
			}
			return strings.Repeat(dataNoise[i%1000:][:32<<10], 32)
		})
	}
	dir := space(t)
	f, err := os.Create(filepath.Join(dir, "whole"))
	require.NoError(t, err)
	for next := all(before, after); ; {
		s := next()
		if s == "" {
			break
		}
		_, err := f.WriteString(s)
		require.NoError(t, err)
	}
	require.NoError(t, f.Close())
	for _, c := range []struct {
		program, args string
		want          func() string
		lines         int
		hold          int64 // how often the line is held, at most
	}{
		{"jlrev", "", all(after, before), 0, 0},
		{"jlpath", "", all(before, after), 0, 4},
		{"jlcompact", "", all(before, after), 0, 4},
		{"jlcompact", "--last 9", all(before, after), 0, 4},
		{"jltree", "", nil, 3, 4},
		{"jltree", "--check", nil, 1, 4},
		{"jlleaf", "-a", nil, 1, 6},
		{"jlrel", "--links --home .", nil, 0, 4},
	} {
		cmd := program(t, c.program, append(strings.Fields(c.args), "whole")...)
		cmd.Dir = dir
		var lines dataLines
		cmp := &dataComparer{next: c.want}
		cmd.Stdout = &lines
		if c.want != nil {
			cmd.Stdout = cmp
		}
		got := dataMeasured(t, cmd, dataLong)
		wrong := ""
		if c.want != nil {
			wrong = cmp.wrong()
		}
		p.try(wrong == "" && got.status <= 1 && got.stderr == "" && (c.want != nil || int(lines) == c.lines) && got.peak < dataSmall+c.hold*size,
			"%s %s: %s, %d lines for %d, peak %d MB: %v", c.program, c.args, wrong, lines, c.lines, got.megabytes(), got.outcome)
		p.figure("%s %d MB", strings.TrimSpace(c.program+" "+c.args), got.megabytes())
	}
	p.figure("a line of %d MB", megabytes)
}

// TestDeepNesting: an entry nested a million deep is an entry: it is on the path, byte
// for byte. It costs the places of its brackets, and no stack.
func TestDeepNesting(t *testing.T) {
	p := promise(t, "P19", "nesting a million deep: kept, exact, no stack")
	const depth = 1_000_000
	const more = 64 * depth // bytes, than a flat entry
	a, last := dataNode(1, "a", "", ""), dataNode(3, "c", "b", "")
	run := func(call dataCall, dir string) dataCost {
		cmd := program(t, call.program, append(call.args[:len(call.args):len(call.args)], "f00000")...)
		cmd.Dir = dir
		return dataMeasured(t, cmd, patience)
	}
	flat := space(t)
	dataWrite(t, flat, []string{a + dataNode(2, "b", "a", dataText(strings.Repeat("x", 6*depth))) + last})
	usual := map[string]int64{}
	for i, c := range []struct{ what, message string }{
		{"objects and arrays", `,"message":` + strings.Repeat(`[{"content":`, depth/2) + `"\ud800"` + strings.Repeat("}]", depth/2)},
		{"arrays", `,"message":` + strings.Repeat("[", depth) + strings.Repeat("]", depth)},
		{"objects", `,"message":` + strings.Repeat(`{"a":`, depth) + `1` + strings.Repeat("}", depth)},
		{"results", `,"message":{"content":` + strings.Repeat(`[{"type":"tool_result","content":`, depth/8) + `[]` + strings.Repeat("}]", depth/8) + `}`},
		{"files", `,"snapshot":{"trackedFileBackups":` + strings.Repeat(`{"x":`, depth) + `{}` + strings.Repeat("}", depth) + `}`},
		{"never closed", `,"message":` + strings.Repeat("[", depth)},
		{"never opened", `,"message":1` + strings.Repeat("]", depth)},
	} {
		want := a + dataNode(2, "b", "a", c.message) + last
		text, status := want, 0
		if strings.HasPrefix(c.what, "never") {
			want = a + dataNode(3, "c", "a", "")
			text, status = strings.Replace(text, last, dataNode(3, "c", "a", ""), 1), 2
		}
		dir := space(t)
		dataWrite(t, dir, []string{text})
		for j, call := range dataCalls {
			if i > 0 && j%4 != i%4 && call.args != nil && !thorough() {
				continue
			}
			if i == 0 {
				usual[call.String()] = run(call, flat).peak
			}
			got := run(call, dir)
			wrong := dataWrong(call.program, got.outcome)
			if call.program == "jlpath" && call.exact && (got.stdout != want || got.status != status) {
				wrong += "not the path"
			}
			p.try(wrong == "" && got.peak < usual[call.String()]+more, "%s: %v: %s, peak %d MB, and %d MB for a flat one: %v", c.what, call, wrong, got.megabytes(), usual[call.String()]>>20, got.outcome)
		}
	}
}

// dataZstd returns a zstd frame made by hand: a header that declares what it likes, and
// blocks.
func dataZstd(header []byte, blocks ...[]byte) string {
	return "\x28\xb5\x2f\xfd" + string(header) + string(bytes.Join(blocks, nil))
}

// dataRun returns a block that says a byte n times.
func dataRunBlock(c byte, n int, last bool) []byte {
	h := uint32(n)<<3 | 1<<1
	if last {
		h |= 1
	}
	return []byte{byte(h), byte(h >> 8), byte(h >> 16), c}
}

// dataRuns returns blocks that say a byte so many times 128 KB.
func dataRuns(c byte, blocks int) []byte {
	var b bytes.Buffer
	for i := range blocks {
		b.Write(dataRunBlock(c, 128<<10, i == blocks-1))
	}
	return b.Bytes()
}

// TestBombs: what is small and becomes large, or says so, is streamed or refused.
// Nothing is ever allocated because a header declares it.
func TestBombs(t *testing.T) {
	p := promise(t, "P20", "compressed bombs and lying headers: streamed or refused, memory bounded")
	megabytes := often(256, 1024)
	window := []byte{0x00, 13 << 3} // of 8 MB, nothing declared
	entry := []byte(dataNode(1, "a", "", ""))
	raw := func(last bool) []byte {
		h := uint32(len(entry)) << 3
		if last {
			h |= 1
		}
		return append([]byte{byte(h), byte(h >> 8), byte(h >> 16)}, entry...)
	}
	size := func(n uint64) []byte { return bytesof.LittleEndian.AppendUint64([]byte{0xe0}, n) } // one segment of n bytes

	// A gigabyte of lines that compress well, by both.
	line := dataNode(1, "a", "", dataText(strings.Repeat("x", 900)))
	var z, g bytes.Buffer
	zw, err := zstd.NewWriter(&z, zstd.WithWindowSize(1<<20))
	require.NoError(t, err)
	gw, err := gzip.NewWriterLevel(&g, 9)
	require.NoError(t, err)
	chunk := []byte(strings.Repeat(line, 1<<20/len(line)))
	for range megabytes {
		_, err := zw.Write(chunk)
		require.NoError(t, err)
		_, err = gw.Write(chunk)
		require.NoError(t, err)
	}
	require.NoError(t, zw.Close())
	require.NoError(t, gw.Close())
	lines := megabytes * (1 << 20 / len(line))

	var nothing bytes.Buffer
	require.NoError(t, gzip.NewWriter(&nothing).Close())
	members := often(200_000, 2_000_000)
	skip := bytesof.LittleEndian.AppendUint32([]byte("\x50\x2a\x4d\x18"), 0)
	table := func(frames int, decompressed uint32) string {
		b := bytesof.LittleEndian.AppendUint32([]byte("\x5e\x2a\x4d\x18"), uint32(8*frames+9))
		first := uint32(len(dataZstd(window, raw(true))))
		for range frames {
			b = bytesof.LittleEndian.AppendUint32(b, first)
			b = bytesof.LittleEndian.AppendUint32(b, decompressed)
			first = 0
		}
		b = bytesof.LittleEndian.AppendUint32(b, uint32(frames))
		return string(append(b, 0, 0xb1, 0xea, 0x92, 0x8f))
	}

	var worst int64
	for _, c := range []struct {
		what, text string
		lines      int  // that jltree prints; -1 if it need not
		refused    bool // else it is read
	}{
		{"zstd of lines", z.String(), lines, false},
		{"gzip of lines", g.String(), lines, false},
		{"zstd of spaces between two entries", dataZstd(window, raw(false), bytes.TrimSuffix(dataRuns('\n', 64), dataRunBlock('\n', 128<<10, true)), raw(true)), 2, false},
		{"window of 2^41", dataZstd([]byte{0x00, 31 << 3}, raw(true)), 0, true},
		{"window of 2^41, then nothing", dataZstd([]byte{0x00, 31 << 3}), 0, true},
		{"window of 2^30", dataZstd([]byte{0x00, 20 << 3}, raw(true)), 0, true},
		{"window of 128 MB, nearly empty", dataZstd([]byte{0x00, 17 << 3}, raw(true)), 1, false},
		{"size of 2^62", dataZstd(size(1<<62), raw(true)), -1, true},
		{"size of 2^62 in a window", dataZstd(append([]byte{0xc0, 0x50}, size(1 << 62)[1:]...), raw(true)), -1, true},
		{"size of 120 MB, nearly empty", dataZstd(size(120<<20), raw(true)), -1, true},
		{"empty gzip members", strings.Repeat(nothing.String(), members), 0, false},
		{"skippable frames", strings.Repeat(string(skip), members) + dataZstd(window, raw(true)), 1, false},
		{"empty zstd frames", strings.Repeat(dataZstd(window, []byte{1, 0, 0}), members) + dataZstd(window, raw(true)), 1, false},
		{"a skippable frame of 4 GB that is not there", "\x50\x2a\x4d\x18\xff\xff\xff\xff", 0, true},
		{"a gzip header with a name without end", "\x1f\x8b\x08\x08\x00\x00\x00\x00\x00\x03" + strings.Repeat("n", 32<<20), 0, true},
		{"a gzip header with a comment of NULs", "\x1f\x8b\x08\x04\x00\x00\x00\x00\x00\x03\xff\xff" + strings.Repeat("\x00", 70_000), 0, true},
		{"a seek table that promises 4 GB", dataZstd(window, raw(true)) + table(1, 0xffffffff), 1, false},
		{"a seek table that promises 16 MB", dataZstd(window, raw(true)) + table(1, 16<<20), -1, false},
		{"a seek table of a million frames", dataZstd(window, raw(true)) + table(1<<20, 16<<20), 1, false},
		{"a seek table that counts 2^32 frames", dataZstd(window, raw(true)) + "\x5e\x2a\x4d\x18\x09\x00\x00\x00\xff\xff\xff\xff\x00\xb1\xea\x92\x8f", 1, false},
	} {
		dir := space(t)
		files := dataWrite(t, dir, []string{c.text})
		for _, name := range []string{"jltree", "jlrev", "jlcompact", "jlleaf"} {
			if len(c.text) > 100_000 && name == "jlleaf" && c.lines > members {
				continue // as jltree
			}
			entries := int64(0)
			if name == "jlleaf" { // which keeps something of each
				entries = int64(max(c.lines, 0))
			}
			cmd := program(t, name, files...)
			cmd.Dir = dir
			var lines dataLines
			cmd.Stdout = &lines
			got := dataMeasured(t, cmd, dataLong)
			wrong := dataWrong(name, got.outcome)
			most := dataSmall + 200*entries
			if strings.HasPrefix(c.what, "window of 128") { // which it may have, and more is never taken
				most += 128 << 20
			}
			ok := wrong == "" && got.peak < most
			if c.refused {
				ok = ok && got.status == 2
			} else if c.lines >= 0 && name == "jltree" {
				ok = ok && got.status == 0 && int(lines) == c.lines
			}
			p.try(ok, "%s, %s: %d lines for %d, peak %d MB, %s %v", name, c.what, lines, c.lines, got.megabytes(), wrong, got.outcome)
			worst = max(worst, got.peak)
		}
	}

	// A line of any length is a line: who reads entries holds it, jlrev does not.
	bomb := dataZstd(window, dataRuns(' ', 8*often(64, 1024)))
	cmd := program(t, "jlrev")
	var written dataLines
	cmd.Stdin, cmd.Stdout = strings.NewReader(bomb), &written
	got := dataMeasured(t, cmd, dataLong)
	p.try(got.status == 0 && written == 1 && got.peak < dataSmall, "jlrev of a line of spaces: peak %d MB, %d lines: %v", got.megabytes(), written, got.outcome)
	p.figure("peak %d MB", worst>>20)
	p.figure("%d KB become %d MB; %d empty members", len(bomb)>>10, often(64, 1024), members)
}

// TestMemoryRunsOut: a program that gets too little memory ends by a signal or says so.
// It never succeeds with less than all.
func TestMemoryRunsOut(t *testing.T) {
	p := promise(t, "P32", "no memory error is hidden: all of the output, or trouble")
	if _, err := exec.LookPath("sh"); err != nil {
		p.skip("sh")
	}
	dir := space(t)
	n := often(40_000, 400_000)
	dataGraphs[0].write(t, filepath.Join(dir, "chain"), n)
	long := dataNode(1, "a", "", dataText(strings.Repeat("x", 40<<20))) + dataNode(2, "b", "a", "")
	require.NoError(t, os.WriteFile(filepath.Join(dir, "long"), []byte(long), 0o644))
	failed := map[string]int{}
	for _, c := range []struct{ program, args string }{
		{"jlpath", "chain"}, {"jltree", "--check chain"}, {"jlleaf", "-a chain"}, {"jlcompact", "-z chain"}, {"jlcompact", "--last 9 chain"},
		{"jlpath", "long"}, {"jltree", "long"}, {"jlrev", "long"}, {"jlcompact", "long"},
	} {
		plain := dataIn(t, dir, c.program, strings.Fields(c.args)...)
		require.Zero(t, plain.status, plain)
		for megabytes := 4; megabytes <= 64; megabytes += often(12, 4) {
			limits := map[string][]string{"ulimit": shell(fmt.Sprintf("ulimit -d %d || exit 125", megabytes<<10))}
			if group, err := dataCgroup(t, int64(megabytes)<<20); err == nil {
				limits["control group"] = group
			} else {
				p.lacks("control group for memory")
			}
			for by, limit := range limits {
				cmd := wrapped(t, limit, c.program, strings.Fields(c.args)...)
				cmd.Dir = dir
				got := execute(t, cmd)
				told := got.signal != 0 || got.status == 2 && got.stderr != ""
				p.try(!got.hung && (told || got.status == plain.status && got.stdout == plain.stdout), "%s %s with %d MB by %s: %v", c.program, c.args, megabytes, by, got)
				if told {
					failed[by]++
				}
			}
		}
	}
	for by, times := range failed {
		p.figure("%d runs failed by %s", times, by)
	}
}
