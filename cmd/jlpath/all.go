package main

import (
	"bytes"
	"hash/maphash"

	"jl/internal/dialect"
	"jl/internal/entry"
	"jl/internal/graft"
	"jl/internal/tree"
)

// all prints every whole entry of the log once, in file order. Of entries with the same id
// and bytes the last is printed, because its place is the one that counts.
func (p *printer) all() {
	if !p.begin() {
		return
	}
	repeats := repeats(p.t)
	var grafted *graft.Graft
	if p.f.Session != "" {
		grafted = graft.New(p.t, graft.Part{Nodes: p.t.Nodes()})
	}
	for e, d := range p.file.Again() {
		if p.c.Broken() {
			return
		}
		switch {
		case repeats[e.Pos.Offset]:
			continue
		case d.IsHeader(e):
			p.header(e)
			continue
		}
		whole := entry.Valid(e.Line)
		var parent entry.Value
		if grafted != nil && whole {
			if n := p.nodeOf(e, d); n != tree.None {
				parent = grafted.Parent(n)
			}
		}
		p.print(e.Line, e.Pos.Line, whole, parent)
	}
	if p.f.Session != "" && p.f.Meta {
		path := p.t.Path(tree.None, tree.Options{}).Nodes
		p.title(path, p.t.Annotations(path))
	}
	p.file.Fail(p.t.Err())
}

// nodeOf returns the node of e, or of a later entry with its id and its bytes, or tree.None.
func (p *printer) nodeOf(e *entry.Entry, d dialect.Dialect) tree.Node {
	n := p.t.NodeAt(e.Pos)
	if n == tree.None && !p.t.IsList() {
		if later := p.t.LookUp(d.RawID(e)); p.t.Has(later) && bytes.Equal(p.t.Entry(later).Bytes, e.Bytes) {
			return later
		}
	}
	return n
}

// repeats returns the offsets of the entries that repeat, byte for byte, the last entry before them with
// their id. Without these entries the last text with an id, which counts, stays the same.
func repeats(t *tree.Tree) map[int64]bool {
	seed := maphash.MakeSeed()
	repeats, last := map[int64]bool{}, map[tree.Node]uint64{} // by node: the hash of its last entry so far
	hash := func(at entry.Pos) uint64 { return maphash.Bytes(seed, t.EntryAt(at).Bytes) }
	for _, d := range t.Duplicates() {
		before, known := last[d.Node]
		if !known {
			before = hash(d.Earlier)
		}
		last[d.Node] = hash(d.Later)
		repeats[d.Later.Offset] = last[d.Node] == before
	}
	return repeats
}
