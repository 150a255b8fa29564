package main

import (
	"hash/maphash"
	"slices"

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
		if n := p.t.NodeAt(e.Pos); n != tree.None && grafted != nil && whole {
			parent = grafted.Parent(n)
		}
		p.print(e.Line, e.Pos.Line, whole, parent)
	}
	if p.f.Session != "" && p.f.Meta {
		path := p.t.Path(tree.None, tree.Options{}).Nodes
		p.title(path, p.t.Annotations(path))
	}
	p.file.Fail(p.t.Err())
}

// repeats returns the offsets of the entries that a later entry with the same id repeats byte for
// byte.
func repeats(t *tree.Tree) map[int64]bool {
	seed := maphash.MakeSeed()
	repeats := map[int64]bool{}
	later := map[tree.Node]map[uint64]bool{} // hashes of the entries of a node further down
	for _, d := range slices.Backward(t.Duplicates()) {
		if later[d.Node] == nil {
			later[d.Node] = map[uint64]bool{maphash.Bytes(seed, t.Entry(d.Node).Bytes): true}
		}
		hash := maphash.Bytes(seed, t.EntryAt(d.Earlier).Bytes)
		repeats[d.Earlier.Offset] = later[d.Node][hash]
		later[d.Node][hash] = true
	}
	return repeats
}
