// Package checksum has the hash of bytes that is the same in each run and in each program: XXH64. A zstd frame ends
// with it, and the key of a row is made of it. The author of a log can make texts with equal sums, so nothing may
// depend on that.
package checksum

import "github.com/cespare/xxhash/v2"

// A Digest is the sum of what is written to it. Reset begins a new one.
type Digest = xxhash.Digest

// Of returns the sum of b.
func Of(b []byte) uint64 { return xxhash.Sum64(b) }
