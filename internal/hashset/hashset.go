// Package hashset implements a set of strings that keeps a hash of 128 bits of each, so
// that its size does not depend on the length of the strings.
//
// That two different strings count as one is less likely than a hardware fault.
// The author of a log cannot provoke it, because the seeds differ in each run.
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
