package torture

import (
	"math/rand/v2"
	"os/exec"
	"strings"
	"testing"
)

// The blocks of the programs: jlrev begins with 64 KiB, goes on with 256 KiB; the
// frames of archives have 1 MiB.
var dataBlocks = []int{4096, 64 << 10, 256 << 10, 1 << 20}

// TestReversesRandomFiles: whatever a file holds, jlrev prints its lines last to
// first, byte for byte.
func TestReversesRandomFiles(t *testing.T) {
	p := promise(t, "P11", "jlrev prints the lines reversed, byte for byte")
	const batch = 500
	for b := range often(10, 200) {
		rnd := rand.New(rand.NewPCG(11, uint64(b)))
		texts, reversed := make([]string, batch), make([]string, batch)
		for i := range texts {
			texts[i] = dataRandomText(rnd)
			reversed[i] = dataReversal(texts[i])
		}
		dir := space(t)
		files := dataWrite(t, dir, texts)
		got := dataIn(t, dir, "jlrev", files...)
		if got.stdout != strings.Join(reversed, "") {
			dataFindReversal(p, texts, dir, files)
		} else {
			dataHeld(p, batch, got.status == 0 && got.stderr == "", "batch %d: %v", b, got)
		}
		// Twice is as never, but for the newline that the last line may get.
		for i, text := range texts {
			if dataBeginsPacked(reversed[i]) {
				texts[i], reversed[i] = "", ""
			} else if text != "" && !strings.HasSuffix(text, "\n") {
				texts[i] += "\n"
			}
		}
		again := dataWrite(t, dir, reversed)
		got = dataIn(t, dir, "jlrev", again...)
		dataHeld(p, batch, got.stdout == strings.Join(texts, ""), "batch %d: twice is not as never", b)
	}
}

// dataHeld counts n trials made in one.
func dataHeld(p *promised, n int, ok bool, format string, args ...any) {
	p.t.Helper()
	if !ok {
		p.try(false, format, args...)
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.tried += n
	p.held += n
}

// dataFindReversal tries the files of a batch one by one: one of them is not
// reversed as it should be.
func dataFindReversal(p *promised, texts []string, dir string, files []string) {
	p.t.Helper()
	for i, text := range texts {
		if got := dataIn(p.t, dir, "jlrev", files[i]); got.stdout != dataReversal(text) {
			p.try(false, "%q is reversed to %v", shorten(text), got)
			return
		}
	}
	p.try(false, "a batch is not the reversal of its files")
}

// dataRandomText returns any bytes, in which newlines and what other tools take for
// ends of lines are frequent. It is never taken for compressed.
func dataRandomText(rnd *rand.Rand) string {
	const telling = "\n\n\n\r\x00\x0b\x0c\x1a\x85\xe2\x80\xa8"
	b := make([]byte, rnd.IntN(200))
	if rnd.IntN(200) == 0 {
		b = make([]byte, rnd.IntN(200_000))
	}
	odds := 1 + rnd.IntN(20)
	for i := range b {
		if rnd.IntN(odds) == 0 {
			b[i] = telling[rnd.IntN(len(telling))]
		} else {
			b[i] = byte(rnd.UintN(256))
		}
	}
	if dataBeginsPacked(string(b)) {
		b[0] = '\n'
	}
	return string(b)
}

// dataBeginsPacked reports whether text begins with a byte that compressed data may
// begin with.
func dataBeginsPacked(text string) bool {
	return text != "" && (text[0]&0xf0 == 0x50 || text[0] == 0x1f || text[0] == 0x28)
}

// TestReversesAtBlockEdges: lines that begin and end near the edges of the blocks
// that jlrev reads, seen from either end of the file, from a file and from a pipe.
func TestReversesAtBlockEdges(t *testing.T) {
	p := promise(t, "P11", "…at the edges of the blocks that it reads; from a pipe as from a file; as tac does")
	_, err := exec.LookPath("tac")
	if err != nil {
		p.lacks("tac")
	}
	for _, block := range dataBlocks {
		var texts []string
		for d := -130; d <= 130; d++ {
			if block > 100_000 && d%25 != 0 && (d < -3 || d > 3) && !thorough() {
				continue
			}
			long := strings.Repeat("x", block+d-1)
			texts = append(texts,
				"first\n"+long+"\n",           // seen from the end
				long+"\nlast line\n\n",        // from the beginning
				"\n"+long+"\nnot ended"+"\r",  // and one too many
				strings.Repeat("\n", block+d)) // a newline on each side of the edge
			if block > 100_000 {
				texts = texts[:len(texts)-1]
			}
		}
		dir := space(t)
		files := dataWrite(t, dir, texts)
		cmd := program(t, "jlrev", files...)
		cmd.Dir = dir
		c := &dataComparer{next: dataParts(len(texts), func(i int) string { return dataReversal(texts[i]) })}
		cmd.Stdout = c
		got := execute(t, cmd)
		dataHeld(p, len(texts), c.wrong() == "" && got.status == 0 && got.stderr == "", "block %d: %s %v", block, c.wrong(), got)

		for i := 0; i < len(texts); i += max(1, len(texts)/often(8, 100)) {
			c := &dataComparer{next: dataParts(1, func(int) string { return dataReversal(texts[i]) })}
			cmd := program(t, "jlrev")
			cmd.Stdin, cmd.Stdout = strings.NewReader(texts[i]), c
			got := execute(t, cmd)
			p.try(c.wrong() == "" && got.status == 0, "pipe, block %d, file %d: %s %v", block, i, c.wrong(), got)
			if err == nil && strings.HasSuffix(texts[i], "\n") {
				tac := exec.Command("tac", files[i])
				tac.Dir = dir
				out, err := tac.Output()
				p.try(err == nil && string(out) == dataReversal(texts[i]), "tac has another reversal of block %d, file %d: %v", block, i, err)
			}
		}
	}
	p.figure("blocks of %v bytes, ±130", dataBlocks)
}
