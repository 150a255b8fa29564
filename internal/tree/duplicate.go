package tree

import (
	"slices"

	"jl/internal/entry"
)

// A Duplicate is an entry whose id a later entry has, too.
type Duplicate struct {
	Node           Node
	Earlier, Later entry.Pos // the positions of the entry and of the next one with its id

	main bool // it is a conversation entry that is not on a sidechain
}

// Main reports whether the earlier entry is a conversation entry that is not on a sidechain.
func (d Duplicate) Main() bool { return d.main }

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

// Repeats returns the offsets of the entries that a later entry with the same id repeats byte
// for byte. The later one counts, at its place.
func (t *Tree) Repeats() map[int64]bool {
	repeats := map[int64]bool{}
	later := map[Node]map[Hash]bool{} // the entries of a node further down
	for _, r := range slices.Backward(t.replaced) {
		if later[r.Node] == nil {
			later[r.Node] = map[Hash]bool{t.hash(t.Entry(r.Node).Bytes): true}
		}
		k := t.hash(t.EntryAt(r.Earlier).Bytes)
		repeats[r.Earlier.Offset] = later[r.Node][k]
		later[r.Node][k] = true
	}
	return repeats
}
