package main

import "hash/maphash"

// Hashes are a set of texts, of which it keeps 128 bits each: 30 to 60 bytes of
// memory, however long they are. That two of them are taken for one is less likely than
// that the machine fails, and nobody who writes a log can bring it about: the hashes
// are others in each run. Nothing that is printed depends on what they are.
type hashes map[[2]uint64]struct{}

var seeds = [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()}

func hashOf(text string) [2]uint64 {
	return [2]uint64{maphash.String(seeds[0], text), maphash.String(seeds[1], text)}
}

func (s hashes) has(text string) bool {
	_, ok := s[hashOf(text)]
	return ok
}

// add reports whether text is new to the set.
func (s hashes) add(text string) bool {
	h := hashOf(text)
	if _, ok := s[h]; ok {
		return false
	}
	s[h] = struct{}{}
	return true
}
