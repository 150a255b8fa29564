package torture

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/require"
)

// A dataWreck is a linear log some of whose lines are damaged, and what is to become
// of it.
type dataWreck struct {
	strings.Builder
	rnd      *rand.Rand
	n        int         // entries so far
	number   int         // lines
	kept     []dataEntry // those that are whole
	bad      map[int]bool
	lost     map[int]bool // the bad lines on which something cannot be recovered
	torn     int          // entries that are no more
	unending bool         // the last line has no newline
}

// A dataEntry is one that is whole: what is printed for it, its id and its line.
type dataEntry struct {
	text, id string
	line     int
	alone    bool // it has a sound line of its own
}

func newWreck(seed uint64) *dataWreck {
	return &dataWreck{rnd: rand.New(rand.NewPCG(13, seed)), bad: map[int]bool{}, lost: map[int]bool{}}
}

// next returns a new entry, which follows the one before it, without its newline. Its
// text is full of what an entry looks like.
func (w *dataWreck) next() (id, text string) {
	w.n++
	parent := ""
	if w.n > 1 {
		parent = fmt.Sprintf("n%06d", w.n-1)
	}
	id = fmt.Sprintf("n%06d", w.n)
	talk := []string{"Go on.", `{\"type\":\"user\",\"uuid\":\"x\",\"parentUuid\":null}`, "}{", `\\`, `\"`, "[[[", `{\"a\":`}
	var b strings.Builder
	for range 1 + w.rnd.IntN(12) {
		b.WriteString(talk[w.rnd.IntN(len(talk))])
	}
	more := `,"message":{"id":"msg","role":"user","content":[{"type":"text","text":"` + b.String() + `"},{"type":"tool_result","tool_use_id":"t","content":{"a":[1,{"b":null}]}}]}`
	return id, strings.TrimSuffix(dataNode(w.n, id, parent, more), "\n")
}

// line writes a line of parts, each of which is a whole entry ("+"), one that was cut
// off ("-"), NULs ("0") or garbage ("?").
func (w *dataWreck) line(parts string) {
	w.number++
	alone := parts == "+"
	if !alone {
		w.bad[w.number] = true
	}
	for _, part := range parts {
		switch part {
		case '+':
			id, text := w.next()
			w.kept = append(w.kept, dataEntry{text, id, w.number, alone})
			w.WriteString(text)
		case '-':
			_, text := w.next()
			// At least a byte is there, and at least one is not. A string or a number
			// that is cut is no less cut if what is left looks whole.
			w.WriteString(text[:1+w.rnd.IntN(len(text)-1)])
			w.lost[w.number] = true
			w.torn++
		case '0':
			w.WriteString(strings.Repeat("\x00", 1+w.rnd.IntN(5000)))
			if parts == "0" {
				w.lost[w.number] = true
			}
		case '?':
			w.WriteString("garbage")
			w.lost[w.number] = true
		}
	}
	w.WriteByte('\n')
}

// wrongEdges says what is wrong with the edges of the wreck that jltree printed, and
// with the lines of file that it named.
func (w *dataWreck) wrongEdges(edges, stderr, file string) string {
	i := 0
	for line := range strings.Lines(edges) {
		if i == len(w.kept) {
			return "an edge too many: " + line
		}
		if e := w.kept[i]; !strings.HasPrefix(line, `{"uuid":"`+e.id+`"`) || !strings.Contains(line, fmt.Sprintf(`"line":%d,`, e.line)) {
			return fmt.Sprintf("the edge of entry %s of line %d is lost: %s", e.id, e.line, line)
		}
		i++
	}
	if i < len(w.kept) {
		return fmt.Sprintf("the edge of entry %s of line %d is lost", w.kept[i].id, w.kept[i].line)
	}
	named := dataNamed(stderr, file)
	for n := range named {
		if !w.bad[n] {
			return fmt.Sprintf("line %d is sound, and named", n)
		}
	}
	for n := range w.bad {
		if !named[n] {
			return fmt.Sprintf("line %d is damaged, and not named", n)
		}
	}
	return ""
}

// status returns the status with which programs that read entries end.
func (w *dataWreck) status() int {
	if len(w.lost) == 0 || len(w.lost) == 1 && w.unending {
		return 0
	}
	return 2
}

// wrongChecked says what is wrong with the rows of jltree --check.
func (w *dataWreck) wrongChecked(rows []dataObject) string {
	lost, recovered := map[int]bool{}, map[string]bool{}
	for _, row := range rows {
		switch row.text("finding") {
		case "malformed":
			lost[row.number("line")] = true
		case "recovered":
			recovered[row.text("id")] = true
		}
	}
	for n := range w.lost {
		if !lost[n] && (n < w.number || !w.unending) {
			return fmt.Sprintf("line %d has lost something, and is not called malformed", n)
		}
	}
	for n := range lost {
		if !w.lost[n] {
			return fmt.Sprintf("line %d has lost nothing, and is called malformed", n)
		}
	}
	for _, e := range w.kept {
		if e.alone == recovered[e.id] {
			return fmt.Sprintf("entry %s of line %d is called recovered: %v", e.id, e.line, recovered[e.id])
		}
	}
	return ""
}

// wrongChain says what is wrong with what jlpath --bridge --chain printed, which is
// every entry that is whole, in order.
func (w *dataWreck) wrongChain(printed string) string {
	for _, e := range w.kept {
		rest, ok := strings.CutPrefix(printed, e.text+"\n")
		if !ok {
			return fmt.Sprintf("entry %s of line %d is not on the path: %q", e.id, e.line, shorten(printed))
		}
		printed = rest
	}
	if printed != "" {
		return "too much is on the path: " + shorten(printed)
	}
	return ""
}

// wrecked makes a wreck with so many damages of all kinds.
func wrecked(seed uint64, sound, damaged int) *dataWreck {
	w := newWreck(seed)
	kinds := []string{"-+", "-+", "-+", "-+", "++", "+++", "0+", "0", "-", "?", "--+", "-+-+", "-0+", "+0+", "?+", "+?", "0-+", "+-", "++-", "-?-+0+"}
	damages := map[int]bool{}
	for len(damages) < damaged {
		damages[w.rnd.IntN(sound+damaged)] = true
	}
	for i := range sound + damaged {
		if damages[i] {
			w.line(kinds[w.rnd.IntN(len(kinds))])
		} else {
			w.line("+")
		}
	}
	if damages[sound+damaged-1] && w.rnd.IntN(2) == 0 { // it is being written
		text := strings.TrimSuffix(w.String(), "\n")
		w.Reset()
		w.WriteString(text)
		w.unending = true
	}
	return w
}

// TestOneBadLineCostsOneLine: of logs with any number of lines damaged in all ways
// that were seen, and some more, everything that is whole is kept, every damaged line
// named, and no other.
func TestOneBadLineCostsOneLine(t *testing.T) {
	p := promise(t, "P13", "one bad line costs one line: what is whole is kept, what is bad is named")
	const batch = 100
	entries, torn := 0, 0
	for b := range often(3, 60) {
		var wrecks []*dataWreck
		var texts []string
		for i := range batch {
			w := wrecked(uint64(b*batch+i), 5+i%20, 1+i%7)
			wrecks, texts = append(wrecks, w), append(texts, w.String())
			entries, torn = entries+w.n, torn+w.torn
		}
		dir := space(t)
		files := dataWrite(t, dir, texts)
		got, edges := dataEach(t, dataCalls[1], dir, files)
		_, checked := dataEach(t, dataCalls[2], dir, files)
		c := dataCall{program: "jlpath", args: []string{"--bridge", "--chain"}}
		_, chains := dataEach(t, c, dir, files)
		for i, w := range wrecks {
			p.tryWell(w.wrongEdges(edges[i], got.stderr, files[i]), "jltree, log %d of batch %d", i, b)
			p.tryWell(w.wrongChecked(dataRows(t, checked[i])), "jltree --check, log %d of batch %d", i, b)
			p.tryWell(w.wrongChain(chains[i]), "jlpath, log %d of batch %d", i, b)
		}
	}
	p.figure("%d entries, %d torn", entries, torn)
}

// dataForms returns a text in all forms that a program can be given it in: the files,
// made in dir, and "" for the text itself on a pipe.
func dataForms(t testing.TB, dir, text string) []string {
	t.Helper()
	write := func(name string, b []byte) string {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), b, 0o644))
		return name
	}
	var g, z bytes.Buffer
	gw := gzip.NewWriter(&g)
	_, err := gw.Write([]byte(text))
	require.NoError(t, err)
	require.NoError(t, gw.Close())
	zw, err := zstd.NewWriter(&z)
	require.NoError(t, err)
	_, err = zw.Write([]byte(text))
	require.NoError(t, err)
	require.NoError(t, zw.Close())
	archived := dataPiped(t, text, "jlcompact", "-z")
	require.Zero(t, archived.status, archived)
	return []string{"", write("plain", []byte(text)), write("gz", g.Bytes()), write("zst", z.Bytes()), write("archive.zst", []byte(archived.stdout))}
}

// TestBadLinesAtBlockEdges: bad lines that begin, tear or end around the edges of the
// blocks in which logs are read, in every form of a log; and in lines of megabytes.
func TestBadLinesAtBlockEdges(t *testing.T) {
	p := promise(t, "P13", "…at the edges of blocks, in long lines, compressed and from a pipe")
	// A log that is padded so that a line of these parts begins at an offset.
	at := func(offset int, parts string, seed uint64) *dataWreck {
		w := newWreck(seed)
		w.line("+")
		id, text := w.next()
		pad := offset - w.Len() - len(text) - 1
		text = strings.Replace(text, "Go on.", "Go on."+strings.Repeat("x", max(0, pad)), 1)
		if !strings.Contains(text, "x") {
			text = strings.Replace(text, `"text":"`, `"text":"`+strings.Repeat("x", max(0, pad)), 1)
		}
		w.number++
		w.WriteString(text + "\n")
		w.kept = append(w.kept, dataEntry{text, id, w.number, true})
		for _, parts := range []string{parts, "+", parts, "+"} {
			w.line(parts)
		}
		return w
	}
	var wrecks []*dataWreck
	for _, block := range dataBlocks {
		for _, d := range []int{-5100, -300, -100, -2, -1, 0, 1, 100} {
			if block > 256<<10 && d != -1 && d != -100 && !thorough() {
				continue
			}
			for i, parts := range []string{"-+", "0+", "++", "-+-+"} {
				if i == 0 || block <= 64<<10 || thorough() {
					wrecks = append(wrecks, at(block+d, parts, uint64(d+6000+i)))
				}
			}
		}
	}
	megabytes := often(4, 20)
	long := newWreck(20)
	long.line("+")
	_, text := long.next() // torn after megabytes, with the next one behind it
	long.WriteString(text[:len(text)/3] + `","x":"` + strings.Repeat(`{\"uuid\":`, megabytes<<20/10))
	long.line("+")
	long.kept[1].alone = false
	long.bad[2], long.lost[2] = true, true
	long.line("+")
	wrecks = append(wrecks, long)
	p.figure("lines of %d MB", megabytes)

	for i, w := range wrecks {
		dir := space(t)
		for j, form := range dataForms(t, dir, w.String()) {
			if j > 1 && i%4 != j-2 && w != long && !thorough() {
				continue // each of the compressed forms of a part of them
			}
			run := func(name string, args ...string) outcome {
				if form == "" {
					return dataPiped(t, w.String(), name, args...)
				}
				return dataIn(t, dir, name, append(args, form)...)
			}
			name := form
			if form == "" {
				name = "-"
			}
			got := run("jltree")
			p.tryWell(w.wrongEdges(got.stdout, got.stderr, name), "jltree, log %d, form %q", i, form)
			p.try(got.status == w.status(), "jltree, log %d, form %q: status %d", i, form, got.status)
			p.tryWell(w.wrongChecked(dataRows(t, run("jltree", "--check").stdout)), "jltree --check, log %d, form %q", i, form)
			p.tryWell(w.wrongChain(run("jlpath", "--bridge", "--chain").stdout), "jlpath, log %d, form %q", i, form)
			p.try(run("jlrev").stdout == dataReversal(w.String()), "jlrev, log %d, form %q", i, form)
			p.try(run("jlcompact").stdout == w.String(), "jlcompact, log %d, form %q: not all is live", i, form)
		}
	}
}

// TestBadLinesFromTheEnd: jlcompact reads backwards. Whatever is damaged, the cut is
// where the boundary stands, recovered or not, and nothing is lost.
func TestBadLinesFromTheEnd(t *testing.T) {
	p := promise(t, "P13", "…and read backwards: the cut is where it was, and all is printed")
	for seed := range often(30, 600) {
		above, below := wrecked(uint64(seed), 8, 3), wrecked(uint64(seed+1000), 8, 4)
		if above.unending || below.unending {
			continue
		}
		boundary := `{"type":"system","subtype":"compact_boundary","parentUuid":null,"uuid":"b0","sessionId":"s","timestamp":"2026-03-02T10:00:00.000Z","compactMetadata":{"trigger":"auto"}}`
		torn := `{"parentUuid":"n000001","type":"user","message":{"role":"user","content":"and th`
		// The live conversation: what can be recovered hangs below the boundary.
		live := strings.ReplaceAll(below.String(), `"n0`, `"m0`)
		last := dataNode(100, "m900000", "b0", dataText("x"))
		for _, c := range []struct {
			what, boundary string
		}{{"whole", boundary}, {"behind a torn entry", torn + boundary}, {"behind NULs", "\x00\x00\x00" + boundary}} {
			text := above.String() + c.boundary + "\n" + live + last
			// A line without an id directly above the boundary belongs to what follows.
			lines := strings.SplitAfter(text, "\n")
			n := above.kept[len(above.kept)-1].line
			cold, hot := strings.Join(lines[:n], ""), strings.Join(lines[n:], "")
			dir := space(t)
			files := dataWrite(t, dir, []string{text})
			got := dataIn(t, dir, "jlcompact", files...)
			p.try(got.stdout == hot && got.status == 0, "boundary %s, log %d: %d bytes for %d: %v", c.what, seed, len(got.stdout), len(hot), got)
			got = dataIn(t, dir, "jlcompact", "--cold", files[0])
			p.try(got.stdout == cold && got.status == 0, "--cold, boundary %s, log %d: %d bytes for %d", c.what, seed, len(got.stdout), len(cold))
			got = dataIn(t, dir, "jlcompact", "--last", "2", files[0])
			p.try(strings.HasSuffix(got.stdout, last) && strings.Contains(got.stdout, boundary), "--last, boundary %s, log %d: %v", c.what, seed, got)
		}
	}
}
