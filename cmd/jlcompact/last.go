package main

import (
	"bytes"
	"fmt"
	"io"
	"runtime/debug"
	"slices"

	"jl/internal/entry"
	"jl/internal/line"
	"jl/internal/operand"
	"jl/internal/tree"
)

// last prints the newest count conversation entries of the live path, below the boundary
// and the summary.
func (p *printer) last(count int) {
	part, err := live(p.r, p.size)
	if err != nil {
		p.file.Fail(err)
		return
	}
	from := part.Cut
	if from == part.Head {
		from = 0 // the whole log is live
	}
	t := p.tree(from)
	path := t.Path(t.End(), tree.Options{})
	if from == 0 { // else an entry may be missing because it is above the cut
		p.remarks(t, path)
	}
	top, rest := split(t, path.Nodes)
	if p.f.NoSummary {
		top = nil
	}
	p.entries(t, append(top, newest(rest, count)...))
}

// before prints the count conversation entries before the one that id names, across
// compactions.
func (p *printer) before(count int, id string) {
	t := p.tree(0)
	a := p.file.Find(t, id)[0]
	if !a.Known {
		operand.NoEntry(p.c, []string{p.file.Name}, id)
	}
	if !a.Chosen {
		return
	}
	path := t.Path(t.End(), tree.Options{Through: true})
	if !slices.Contains(path.Nodes, a.Node) {
		path = t.Path(a.Node, tree.Options{Through: true})
	}
	p.remarks(t, path)
	var found []tree.Node
	for _, n := range path.Nodes {
		if n == a.Node {
			break
		}
		if t.Conversation(n) {
			found = append(found, n)
		}
	}
	p.entries(t, newest(found, count))
}

// newest returns the last count nodes.
func newest(nodes []tree.Node, count int) []tree.Node { return nodes[max(0, len(nodes)-count):] }

// remarks reports what is odd about a path through the whole log.
func (p *printer) remarks(t *tree.Tree, path tree.Path) {
	p.file.NoteNumbered(t)
	p.file.Remarks(path.Remarks)
}

// split divides the conversation entries of a live path into the boundary and summary,
// which replace what was compacted, and the others.
func split(t *tree.Tree, path []tree.Node) (top, rest []tree.Node) {
	for i, n := range path {
		e := t.Entry(n)
		switch {
		case t.Dialect() == entry.Pi && e.Get(entry.Type).Is("compaction"):
			rest = append(rest, top...) // an older one is an entry like the others
			top = []tree.Node{n}
		case t.Dialect() == entry.Claude && len(top) == i && (i == 0 && e.IsBoundary() || i > 0 && e.Get(entry.IsCompactSummary).Truthy()):
			top = append(top, n) // the root, and what follows it directly
		case t.Conversation(n):
			rest = append(rest, n)
		}
	}
	return top, rest
}

// tree reads the log from an offset at which a line begins.
func (p *printer) tree(from int64) *tree.Tree {
	size := p.size - from
	at := io.NewSectionReader(p.r, from, size)
	above := int64(-1) // the number of lines above from, once it is needed
	release(size)
	defer release(size)
	t, err := tree.Read(line.NewForward(io.NewSectionReader(p.r, from, size)), at, size, tree.Default,
		func(d *entry.Damage) {
			if above < 0 {
				above = p.linesAbove(from)
			}
			d.Pos.Line += above
			d.Pos.Offset += from
			for i := range d.Recovered {
				d.Recovered[i] += from
			}
			p.file.Damaged(d)
		})
	p.file.Fail(err)
	return t
}

// release gives back the memory of what was read before, if size bytes may have held long
// lines. Otherwise each stage would keep the memory of the longest line.
func release(size int64) {
	if size > releaseOver {
		debug.FreeOSMemory()
	}
}

// releaseOver is how many bytes are read without giving back memory, which takes about a
// millisecond.
const releaseOver = 32 << 20

// linesAbove counts the lines that end above an offset.
func (p *printer) linesAbove(offset int64) int64 {
	var n int64
	b := make([]byte, 256<<10)
	in := io.NewSectionReader(p.r, 0, offset)
	for {
		k, err := in.Read(b)
		n += int64(bytes.Count(b[:k], []byte{'\n'}))
		if err != nil {
			return n // a failed read is reported where the entries are read
		}
	}
}

// entries prints entries. If there are none, the answer is "none".
func (p *printer) entries(t *tree.Tree, nodes []tree.Node) {
	if len(nodes) == 0 {
		p.c.No()
	}
	for _, n := range nodes {
		b := t.Bytes(n)
		if t.Err() != nil || p.c.Broken() {
			break
		}
		if !entry.Valid(b) {
			p.file.Fail(fmt.Errorf("the entry %q is not valid JSON inside: not printed", t.ID(n)))
			continue
		}
		p.print(b)
		if b[len(b)-1] != '\n' {
			p.print([]byte{'\n'})
		}
	}
	p.file.Fail(t.Err())
}
