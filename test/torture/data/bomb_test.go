package data

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/require"

	"jl/test/torture/harness"
)

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
	run := func(c call, dir string) (harness.Cost, string) {
		var out strings.Builder
		cost := measure(t, dir, c.program, c.args+" f00000", nil, &out)
		return cost, out.String()
	}
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
		b := newBatch(t, []string{text})
		for j, c := range calls {
			if i > 0 && j%4 != i%4 && c.args != "" && !harness.Long() {
				continue
			}
			if i == 0 {
				cost, _ := run(c, flat.dir)
				usual[c] = cost.Peak
			}
			got, printed := run(c, b.dir)
			problem := harness.ProblemOfEnd(c.program, got.Outcome)
			if c.program == "jlpath" && c.exact && (printed != want || got.Status != status) {
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
			var printed lines
			got := measure(t, b.dir, name, b.files[0], nil, &printed)
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
			} else if test.lines >= 0 && name == "jltree" && (got.Status != 0 || int(printed) != test.lines) {
				problem += fmt.Sprintf("%d lines, want %d", printed, test.lines)
			}
			p.Try(problem == "" && got.Peak < most, "%s, %s: %s, peak %d MB: %v", name, test.name, problem, got.Peak>>20, got.Outcome)
			peak = max(peak, got.Peak)
		}
	}

	megabytes := harness.Pick(64, 1024)
	bomb := frame(window, strings.Repeat(block(1, 128<<10, false, " "), 8*megabytes-1), block(1, 128<<10, true, " "))
	var printed lines
	got := measure(t, harness.Dir(t), "jlrev", "", strings.NewReader(bomb), &printed)
	p.Try(got.Status == 0 && printed == 1 && got.Peak < small, "jlrev of a line of spaces: peak %d MB, %d lines: %v", got.Peak>>20, printed, got.Outcome)
	p.Remark("peak %d MB; %d KB become %d MB; %d empty members", peak>>20, len(bomb)>>10, megabytes, members)
}
