package tree

import (
	"bytes"
	"iter"

	"jl/internal/ahead"
	"jl/internal/entry"
	"jl/internal/memory"
)

// A Ref says which entry is meant: that of a node, or, if Node is None, the one at Pos. Pos is
// always set.
type Ref struct {
	Node Node
	Pos  entry.Pos
}

// Refs yields the Refs of nodes.
func (t *Tree) Refs(nodes []Node) iter.Seq[Ref] {
	return func(yield func(Ref) bool) {
		for _, n := range nodes {
			if !yield(Ref{n, t.Pos(n)}) {
				return
			}
		}
	}
}

// A Text is an entry as it is in the log.
type Text struct {
	Ref
	Bytes []byte // its line, or, if it was recovered from a damaged line, its object
	Whole bool   // it is valid JSON throughout
}

// Texts reads the entries that refs yields, in that order. If the log is large, another
// goroutine helps to read them ahead and to check them, and then may call refs while the caller
// uses a Text: refs must not read the log again. A Text is valid until the next one.
// Texts ends at the first error, which [Tree.Err] returns.
func (t *Tree) Texts(refs iter.Seq[Ref]) iter.Seq[Text] {
	return func(yield func(Text) bool) {
		pull, stop := iter.Pull(refs)
		defer stop()
		r := textReader{Tree: t, pull: pull}
		defer r.free()
		jobs := r.jobs
		if ahead.Pays(t.size) {
			r.bufs = new(memory.Stock)
			jobs = ahead.Jobs(r.next, r.work)
		}
		for j := range jobs {
			for _, x := range j.texts {
				if t.err != nil {
					return // the caller has read something else, in vain
				}
				if x.Bytes == nil {
					x, j.err = r.longText(x.Ref)
				}
				if x.Bytes != nil && !yield(x) {
					return
				}
			}
			if j.err != nil {
				t.fail(j.err)
				return
			}
		}
	}
}

// check checks that b is the entry that r means. It reports whether b is valid JSON
// throughout.
func (t *Tree) check(r Ref, b []byte, e *entry.Entry) (whole bool, err error) {
	b = bytes.Trim(b, " \t\r\n")
	whole = e.ScanWhole(b)
	if !whole && !e.Scan(b) {
		return false, ErrChanged
	}
	if r.Node != None && !t.Straight() && t.hash(t.dialect.RawID(e).Text()) != t.at(r.Node).id {
		return false, ErrChanged
	}
	return whole, nil
}

// A textReader reads Texts ahead.
type textReader struct {
	*Tree
	pull func() (Ref, bool)
	ref  Ref           // the first of the next job
	held bool          // ref is set
	bufs *memory.Stock // of the jobs, nil if there is one, whose buffer is on the heap
	long memory.Room
}

// free gives the memory of all Texts back.
func (p *textReader) free() {
	p.long.Free()
	p.bufs.Free()
}

// jobs yields the jobs without another goroutine.
func (p *textReader) jobs(yield func(*textJob) bool) {
	var j textJob
	for p.next(&j) {
		if p.work(&j); !yield(&j) {
			return
		}
	}
}

// longText returns a Text that was left to the caller. It has no Bytes after an error.
func (p *textReader) longText(r Ref) (x Text, err error) {
	if int64(cap(p.long)) < r.Pos.Length {
		p.buf, p.e = nil, entry.Entry{} // they may be as large
	}
	p.long.Resize(int(r.Pos.Length))
	b := p.long
	if n, err := readFull(p.log, b, r.Pos.Offset); n < len(b) {
		return x, err
	}
	x = Text{Ref: r}
	if x.Whole, err = p.check(r, b, new(entry.Entry)); err == nil {
		x.Bytes = b
	}
	return x, err
}

// A job has Texts of at most textsSize bytes, or as many as the log has, with what is between
// them in the log if that is not more than textsGap. A longer Text is left to the caller:
// several at the same time might not fit into memory.
const (
	textsSize = 256 << 10
	textsGap  = 8 << 10
)

// A textJob is some Texts.
type textJob struct {
	texts  []Text // those without Bytes are left to the caller
	places []place
	reads  []textRead
	size   int // of the reads together
	buf    []byte
	e      entry.Entry
	err    error // what ended the Texts
}

// A place is where the bytes of a Text are in the buffer.
type place struct{ start, end int }

// A textRead is bytes of the log that are read at once.
type textRead struct{ offset, length int64 }

// next makes j the next job.
func (p *textReader) next(j *textJob) bool {
	j.texts, j.places, j.reads, j.size, j.err = j.texts[:0], j.places[:0], j.reads[:0], 0, nil
	if j.buf == nil {
		j.buf = memory.Make[byte](p.bufs, int(min(textsSize, p.Tree.size)))
	}
	for {
		if !p.held {
			p.ref, p.held = p.pull()
		}
		if !p.held || !j.add(p.ref) {
			return len(j.texts) > 0
		}
		p.held = false
	}
}

// add adds a Text to j. It reports false if j is full.
func (j *textJob) add(r Ref) bool {
	length, gap := r.Pos.Length, int64(-1)
	if last := len(j.reads) - 1; last >= 0 {
		gap = r.Pos.Offset - j.reads[last].offset - j.reads[last].length
	}
	if gap < 0 || gap > textsGap {
		gap = -1 // another read
	}
	if len(j.texts) > 0 && int64(j.size)+max(gap, 0)+length > int64(len(j.buf)) {
		return false
	}
	j.texts = append(j.texts, Text{Ref: r})
	switch {
	case length > int64(len(j.buf)):
		j.places, j.size = append(j.places, place{}), len(j.buf) // j is full
		return true
	case gap >= 0:
		j.reads[len(j.reads)-1].length += gap + length
		j.size += int(gap)
	default:
		j.reads = append(j.reads, textRead{r.Pos.Offset, length})
	}
	j.places = append(j.places, place{j.size, j.size + int(length)})
	j.size += int(length)
	return true
}

// work reads and checks the Texts of j.
func (p *textReader) work(j *textJob) {
	end, err := 0, error(nil)
	for _, r := range j.reads {
		var n int
		n, err = readFull(p.log, j.buf[end:end+int(r.length)], r.offset)
		if end += n; err != nil {
			break
		}
	}
	for i := range j.texts {
		x, at := &j.texts[i], j.places[i]
		if at.end == 0 {
			continue
		}
		if at.end > end {
			j.texts, j.err = j.texts[:i], err
			return
		}
		x.Bytes = j.buf[at.start:at.end:at.end]
		if x.Whole, j.err = p.check(x.Ref, x.Bytes, &j.e); j.err != nil {
			j.texts = j.texts[:i]
			return
		}
	}
}
