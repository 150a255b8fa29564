package data

import (
	"math/rand/v2"
	"os/exec"
	"strings"
	"testing"

	"jl/test/env"
	"jl/test/torture/harness"
)

// TestReversesRandomFiles reverses files with any bytes, once and twice.
func TestReversesRandomFiles(t *testing.T) {
	p := harness.Parallel(t, "P11", "jlrev prints the lines reversed, byte for byte")
	const size = 500
	for n := range harness.Times(10, 200) {
		rnd := harness.Rand(t, n)
		var texts, reversals, again []string
		for range size {
			text := randomText(rnd)
			reversal := harness.Reversal(text)
			texts, reversals = append(texts, text), append(reversals, reversal)
			if beginsCompressed(reversal) {
				reversal = ""
			}
			again = append(again, reversal)
		}
		b := newBatch(t, texts)
		got := harness.Run(t, b.dir, "jlrev", b.files...)
		ok := got.Stdout == strings.Join(reversals, "")
		p.TryAll(size, ok && got.Status == 0 && got.Stderr == "", "batch %d: %v", n, got)
		for i := 0; !ok && i < size; i++ {
			got := harness.Run(t, b.dir, "jlrev", b.files[i])
			p.Try(got.Stdout == reversals[i], "%q is reversed to %v", harness.Shorten(texts[i]), got)
		}
		b = newBatch(t, again)
		var want strings.Builder
		for i := range texts {
			if again[i] != "" {
				want.WriteString(ended(texts[i]))
			}
		}
		got = harness.Run(t, b.dir, "jlrev", b.files...)
		p.TryAll(size, got.Stdout == want.String(), "batch %d: reversed twice, it is not the same", n)
	}
}

// randomText returns any bytes, many of which are newlines or what other tools take
// for the end of a line. It does not look compressed.
func randomText(rnd *rand.Rand) string {
	const ends = "\n\n\n\r\x00\x0b\x0c\x1a\x85\xe2\x80\xa8"
	n := rnd.IntN(200)
	if rnd.IntN(200) == 0 {
		n = rnd.IntN(200_000)
	}
	b := harness.RandomBytes(rnd, n)
	odds := 1 + rnd.IntN(20)
	for i := range b {
		if rnd.IntN(odds) == 0 {
			b[i] = ends[rnd.IntN(len(ends))]
		}
	}
	if beginsCompressed(string(b)) {
		b[0] = '\n'
	}
	return string(b)
}

// beginsCompressed reports whether compressed data may begin like text.
func beginsCompressed(text string) bool {
	return text != "" && (text[0]&0xf0 == 0x50 || text[0] == 0x1f || text[0] == 0x28)
}

// TestReversesAtBlockEdges reverses files with lines that begin and end at the edges
// of the blocks that jlrev reads, seen from either end of the file.
func TestReversesAtBlockEdges(t *testing.T) {
	env.Long(t)
	p := harness.Parallel(t, "P11", "…at the edges of the blocks that it reads; from a pipe as from a file; as tac does")
	_, noTac := exec.LookPath("tac")
	if noTac != nil {
		p.Lacks("tac")
	}
	for _, block := range blocks {
		var texts []string
		for d := -130; d <= 130; d++ {
			if block > 100_000 && d%25 != 0 && (d < -3 || d > 3) && !harness.Long() {
				continue
			}
			long := strings.Repeat("x", block+d-1)
			texts = append(texts, "first\n"+long+"\n", long+"\nlast line\n\n", "\n"+long+"\nnot ended"+"\r")
			if block <= 100_000 {
				texts = append(texts, strings.Repeat("\n", block+d))
			}
		}
		b := newBatch(t, texts)
		got := harness.Run(t, b.dir, "jlrev", b.files...)
		var want strings.Builder
		for _, text := range texts {
			want.WriteString(harness.Reversal(text))
		}
		p.TryAll(len(texts), got.Stdout == want.String() && got.Status == 0 && got.Stderr == "", "block %d: %v", block, got)
		for i := 0; i < len(texts); i += max(1, len(texts)/harness.Pick(8, 100)) {
			want := harness.Reversal(texts[i])
			got := harness.RunPipe(t, texts[i], "jlrev")
			p.Try(got.Stdout == want && got.Status == 0, "pipe, block %d, file %d: %v", block, i, got)
			if noTac == nil && strings.HasSuffix(texts[i], "\n") {
				tac := exec.Command("tac", b.files[i])
				tac.Dir = b.dir
				out, err := tac.Output()
				p.Try(err == nil && string(out) == want, "tac prints something else for block %d, file %d: %v", block, i, err)
			}
		}
	}
	p.Remark("blocks of %v bytes, ±130", blocks)
}
