package tree

import (
	"cmp"
	"slices"

	"jl/internal/entry"
)

// A Duplicate is an entry whose id a later entry has, too.
type Duplicate struct {
	Node           Node
	Earlier, Later entry.Pos // the positions of the entry and of the next one with its id
	Main           bool      // it is a conversation entry that is not on a sidechain
}

// A replaced is an entry that is not present, because a later one has its id.
type replaced struct {
	id   Hash
	pos  packedPos
	main bool
}

// Duplicates returns the duplicates in the file order of the later entries.
func (t *Tree) Duplicates() []Duplicate {
	later := map[Hash]entry.Pos{}
	var all []Duplicate
	for _, r := range t.replaced { // the last one first
		n := t.find(r.id)
		if _, ok := later[r.id]; !ok {
			later[r.id] = t.Pos(n)
		}
		all = append(all, Duplicate{Node: n, Earlier: r.pos.unpack(), Later: later[r.id], Main: r.main})
		later[r.id] = r.pos.unpack()
	}
	slices.SortFunc(all, func(a, b Duplicate) int { return cmp.Compare(a.Later.Offset, b.Later.Offset) })
	return all
}
