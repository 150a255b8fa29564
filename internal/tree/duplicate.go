package tree

import (
	"slices"

	"jl/internal/entry"
)

// A Duplicate is an entry whose id a later entry has, too.
type Duplicate struct {
	Node           Node
	Earlier, Later entry.Pos // the positions of the entry and of the next one with its id
	Main           bool      // it is a conversation entry that is not on a sidechain
}

// Duplicates returns the duplicates in the file order of the later entries.
func (t *Tree) Duplicates() []Duplicate {
	later := map[Node]entry.Pos{}
	repeats := slices.Clone(t.replaced)
	for i, r := range slices.Backward(repeats) {
		if _, ok := later[r.Node]; !ok {
			later[r.Node] = t.Pos(r.Node)
		}
		repeats[i].Later = later[r.Node]
		later[r.Node] = r.Earlier
	}
	return repeats
}
