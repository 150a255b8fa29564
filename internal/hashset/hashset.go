// Package hashset has a set of strings that keeps 128 bits of each string, so that a log
// may name any number of things at any length.
//
// Two different strings count as one with a probability below that of a hardware fault,
// and nobody who writes a log can bring it about, because each run hashes differently.
package hashset

import "hash/maphash"

// A Set is a set of strings. Each takes 30 to 60 bytes of memory.
type Set map[[2]uint64]struct{}

var seeds = [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()}

func key(s string) [2]uint64 {
	return [2]uint64{maphash.String(seeds[0], s), maphash.String(seeds[1], s)}
}

// Has reports whether s is in the set.
func (set Set) Has(s string) bool {
	_, ok := set[key(s)]
	return ok
}

// Add adds s to the set. It reports whether s is new.
func (set Set) Add(s string) bool {
	n := len(set)
	set[key(s)] = struct{}{}
	return len(set) > n
}
