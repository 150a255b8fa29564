package data

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jl/test/env"
	"jl/test/torture/harness"
)

// blocks are sizes in which the programs read: jlrev begins with 64 KiB and goes on
// with 256 KiB; the frames of archives have 4 MiB.
var blocks = []int{4096, 64 << 10, 256 << 10, 4 << 20}

// megabytes is the length of a long line.
var megabytes = harness.Pick(4, 20)

// A wreck is a linear log with damaged lines, and what is to become of it.
type wreck struct {
	strings.Builder
	rnd   *rand.Rand
	n     int     // entries
	lines int     // lines
	kept  []entry // those that are whole
	bad   []int   // damaged lines
	lost  []int   // damaged lines that lose something
	torn  int     // entries that are lost
	open  bool    // the last line has no newline: it is being written
}

// An entry is one that is whole.
type entry struct {
	text, id string
	line     int
	alone    bool // it has a sound line of its own
}

// next returns an entry below the one before it, without a newline. Its text is full
// of what looks like entries.
func (w *wreck) next() (id, text string) {
	w.n++
	parent := ""
	if w.n > 1 {
		parent = fmt.Sprintf("n%06d", w.n-1)
	}
	id = fmt.Sprintf("n%06d", w.n)
	words := []string{"Go on.", `{\"type\":\"user\",\"uuid\":\"x\",\"parentUuid\":null}`, "}{", `\\`, `\"`, "[[[", `{\"a\":`}
	var b strings.Builder
	for range 1 + w.rnd.IntN(12) {
		b.WriteString(words[w.rnd.IntN(len(words))])
	}
	more := `,"message":{"id":"msg","role":"user","content":[{"type":"text","text":"` + b.String() + `"},{"type":"tool_result","tool_use_id":"t","content":{"a":[1,{"b":null}]}}]}`
	return id, strings.TrimSuffix(harness.Node(w.n, id, parent, more), "\n")
}

// line writes a line of parts: each is a whole entry (+), an entry cut off at any byte
// (-) or after megabytes (_), NULs (0) or garbage (?).
func (w *wreck) line(parts string) {
	w.lines++
	if parts != "+" {
		w.bad = append(w.bad, w.lines)
	}
	if strings.ContainsAny(parts, "-_?") || parts == "0" {
		w.lost = append(w.lost, w.lines)
	}
	for _, part := range parts {
		switch part {
		case '+':
			id, text := w.next()
			w.keep(id, text, parts == "+")
		case '-':
			_, text := w.next()
			w.WriteString(text[:1+w.rnd.IntN(len(text)-1)])
			w.torn++
		case '_':
			_, text := w.next()
			w.WriteString(text[:len(text)/3] + `","x":"` + strings.Repeat(`{\"uuid\":`, megabytes<<20/10))
		case '0':
			w.WriteString(strings.Repeat("\x00", 1+w.rnd.IntN(5000)))
		case '?':
			w.WriteString("garbage")
		}
	}
	w.WriteByte('\n')
}

func (w *wreck) keep(id, text string, alone bool) {
	w.kept = append(w.kept, entry{text, id, w.lines, alone})
	w.WriteString(text)
}

// wrecked returns a wreck with so many sound and damaged lines.
func wrecked(rnd *rand.Rand, sound, damaged int) *wreck {
	w := &wreck{rnd: rnd}
	kinds := []string{"-+", "-+", "-+", "-+", "++", "+++", "0+", "0", "-", "?", "--+", "-+-+", "-0+", "+0+", "?+", "+?", "0-+", "+-", "++-", "-?-+0+"}
	order := rnd.Perm(sound + damaged)
	for _, i := range order {
		if i < damaged {
			w.line(kinds[rnd.IntN(len(kinds))])
		} else {
			w.line("+")
		}
	}
	if order[len(order)-1] < damaged && rnd.IntN(2) == 0 {
		text := strings.TrimSuffix(w.String(), "\n")
		w.Reset()
		w.WriteString(text)
		w.open = true
	}
	return w
}

// problemOfEdges judges the edges that jltree prints, and the lines that it names.
func (w *wreck) problemOfEdges(edges, stderr, file string) string {
	lines := slices.Collect(strings.Lines(edges))
	if len(lines) != len(w.kept) {
		return fmt.Sprintf("%d edges, want %d", len(lines), len(w.kept))
	}
	for i, e := range w.kept {
		if !strings.HasPrefix(lines[i], `{"uuid":"`+e.id+`"`) || !strings.Contains(lines[i], fmt.Sprintf(`"line":%d,`, e.line)) {
			return fmt.Sprintf("entry %s of line %d has the edge %s", e.id, e.line, lines[i])
		}
	}
	if got := named(stderr, file); !slices.Equal(got, w.bad) {
		return fmt.Sprintf("lines %v are named, %v are damaged", got, w.bad)
	}
	return ""
}

// problemOfFindings judges the rows of jltree --check.
func (w *wreck) problemOfFindings(rows []object) string {
	undecided := func(n int) bool { return w.open && n == w.lines } // being written
	lost := slices.DeleteFunc(slices.Clone(w.lost), undecided)
	if got := foundOn(rows, "malformed"); !slices.Equal(slices.DeleteFunc(got, undecided), lost) {
		return fmt.Sprintf("lines %v are malformed, want %v", got, lost)
	}
	recovered := map[string]bool{}
	for _, row := range rows {
		recovered[row.text("id")] = recovered[row.text("id")] || row.text("finding") == "recovered"
	}
	for _, e := range w.kept {
		if e.alone == recovered[e.id] {
			return fmt.Sprintf("entry %s of line %d: recovered is %v", e.id, e.line, recovered[e.id])
		}
	}
	return ""
}

// chain returns what jlpath --bridge --chain prints: every whole entry, in order.
func (w *wreck) chain() string {
	var b strings.Builder
	for _, e := range w.kept {
		b.WriteString(e.text + "\n")
	}
	return b.String()
}

// TestOneBadLineCostsOneLine damages lines in all ways that real logs show, and in
// more. Each whole entry is kept, and exactly the damaged lines are named.
func TestOneBadLineCostsOneLine(t *testing.T) {
	p := harness.Parallel(t, "P13", "one bad line costs one line: what is whole is kept, what is bad is named")
	entries, torn := 0, 0
	for n := range harness.Times(3, 60) {
		var wrecks []*wreck
		var texts []string
		rnd := harness.Rand(t, n)
		for i := range 100 {
			w := wrecked(rnd, 5+i%20, 1+i%7)
			wrecks, texts = append(wrecks, w), append(texts, w.String())
			entries, torn = entries+w.n, torn+w.torn
		}
		b := newBatch(t, texts)
		got, edges := b.run(t, tree)
		_, findings := b.run(t, check)
		_, chains := b.run(t, chain)
		for i, w := range wrecks {
			p.Check(w.problemOfEdges(edges[i], got.Stderr, b.files[i]), "jltree, log %d of batch %d", i, n)
			p.Check(w.problemOfFindings(rows(t, findings[i])), "jltree --check, log %d of batch %d", i, n)
			p.Try(chains[i] == w.chain(), "jlpath, log %d of batch %d: %q", i, n, chains[i])
		}
	}
	p.Remark("%d entries, %d torn", entries, torn)
}

// paddedWreck returns a log with two lines of these parts, the first of which begins
// at an offset.
func paddedWreck(rnd *rand.Rand, offset int, parts string) *wreck {
	w := &wreck{rnd: rnd}
	w.line("+")
	id, text := w.next()
	w.lines++
	pad := strings.Repeat("x", max(0, offset-w.Len()-len(text)-1))
	w.keep(id, strings.Replace(text, `"text":"`, `"text":"`+pad, 1), true)
	w.WriteByte('\n')
	for _, parts := range []string{parts, "+", parts, "+"} {
		w.line(parts)
	}
	return w
}

// TestBadLinesAtBlockEdges puts damage at the edges of the blocks in which logs are
// read, and into a line of megabytes, in every form of a log.
func TestBadLinesAtBlockEdges(t *testing.T) {
	env.Long(t)
	p := harness.Parallel(t, "P13", "…at the edges of blocks, in long lines, compressed and from a pipe")
	rnd := harness.Rand(t, 0)
	var wrecks []*wreck
	for _, block := range blocks {
		for _, d := range []int{-5100, -300, -100, -2, -1, 0, 1, 100} {
			if block > 256<<10 && d != -1 && d != -100 && !harness.Long() {
				continue
			}
			for i, parts := range []string{"-+", "0+", "++", "-+-+"} {
				if i == 0 || block <= 64<<10 || harness.Long() {
					wrecks = append(wrecks, paddedWreck(rnd, block+d, parts))
				}
			}
		}
	}
	long := &wreck{rnd: rnd}
	for _, parts := range []string{"+", "_+", "+"} {
		long.line(parts)
	}
	wrecks = append(wrecks, long)
	p.Remark("lines of %d MB", megabytes)

	for i, w := range wrecks {
		dir := harness.Dir(t)
		archive := harness.RunPipe(t, w.String(), "jlcompact", "-z")
		require.Zero(t, archive.Status, archive)
		harness.Write(t, dir, map[string]string{"plain": w.String(), "gz": harness.Gzip(w.String()), "zst": harness.Zstd(w.String()), "archive": archive.Stdout})
		status := 0
		if len(w.lost) > 0 {
			status = 2
		}
		for j, form := range []string{"-", "plain", "gz", "zst", "archive"} {
			if j > 1 && i%4 != j-2 && w != long && !harness.Long() {
				continue // a part of the logs in each compressed form
			}
			run := func(name string, args ...string) harness.Outcome {
				if form == "-" {
					return harness.RunPipe(t, w.String(), name, args...)
				}
				return harness.Run(t, dir, name, append(args, form)...)
			}
			got := run("jltree")
			p.Check(w.problemOfEdges(got.Stdout, got.Stderr, form), "jltree, log %d, form %s", i, form)
			p.Try(got.Status == status, "jltree, log %d, form %s: status %d", i, form, got.Status)
			p.Check(w.problemOfFindings(rows(t, run("jltree", "--check").Stdout)), "jltree --check, log %d, form %s", i, form)
			p.Try(run("jlpath", "--bridge", "--chain").Stdout == w.chain(), "jlpath, log %d, form %s", i, form)
			p.Try(run("jlrev").Stdout == harness.Reversal(w.String()), "jlrev, log %d, form %s", i, form)
			p.Try(run("jlcompact").Stdout == w.String(), "jlcompact, log %d, form %s: not all is live", i, form)
		}
	}
}

// TestBadLinesFromTheEnd damages logs that jlcompact reads backwards. The cut is at
// the boundary, recovered or not, and everything is printed.
func TestBadLinesFromTheEnd(t *testing.T) {
	p := harness.Parallel(t, "P13", "…and read backwards: the cut is where it was, and all is printed")
	const (
		boundary = `{"type":"system","subtype":"compact_boundary","parentUuid":null,"uuid":"b0","sessionId":"s","timestamp":"2026-03-02T10:00:00.000Z","compactMetadata":{"trigger":"auto"}}`
		torn     = `{"parentUuid":"n000001","type":"user","message":{"role":"user","content":"and th`
	)
	last := harness.Node(100, "m900000", "b0", harness.Text("x"))
	for n := range harness.Times(30, 600) {
		rnd := harness.Rand(t, n)
		above, below := wrecked(rnd, 8, 3), wrecked(rnd, 8, 4)
		for what, line := range map[string]string{"alone": boundary, "behind a torn entry": torn + boundary, "behind NULs": "\x00\x00\x00" + boundary} {
			text := ended(above.String()) + line + "\n" + ended(strings.ReplaceAll(below.String(), `"n0`, `"m0`)) + last
			// A line without an id directly above the boundary belongs to what follows.
			lines := strings.SplitAfter(text, "\n")
			cut := above.kept[len(above.kept)-1].line
			before, after := strings.Join(lines[:cut], ""), strings.Join(lines[cut:], "")
			b := newBatch(t, []string{text})
			got := live.run(t, b.dir, b.files...)
			p.Try(got.Stdout == after && got.Status == 0, "log %d, boundary %s: want %d bytes: %v", n, what, len(after), got)
			got = cold.run(t, b.dir, b.files...)
			p.Try(got.Stdout == before && got.Status == 0, "--cold, log %d, boundary %s: want %d bytes: %v", n, what, len(before), got)
			got = call{program: "jlcompact", args: "--last 2"}.run(t, b.dir, b.files...)
			p.Try(strings.HasSuffix(got.Stdout, last) && strings.Contains(got.Stdout, boundary), "--last, log %d, boundary %s: %v", n, what, got)
		}
	}
}
