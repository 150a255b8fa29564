//go:build !purego

package entry

// hasAVX2 reports whether the processor and the system have what the loops of
// scan_amd64.s use: AVX2, BMI1, LZCNT, PCLMULQDQ and POPCNT.
var hasAVX2 = func() bool {
	const extended = 1 << 31 // the first extended leaf; its eax is the number of the last
	if leaves, _, _ := cpuid(0, 0); leaves < 7 {
		return false
	}
	if leaves, _, _ := cpuid(extended, 0); leaves < extended+1 {
		return false
	}
	const pclmulqdq, popcnt, osxsave, vectors = 1 << 1, 1 << 23, 1 << 27, 1<<1 | 1<<2
	_, _, ecx := cpuid(1, 0)
	if need := uint32(pclmulqdq | popcnt | osxsave); ecx&need != need || xgetbv()&vectors != vectors {
		return false
	}
	const bmi1, avx2, lzcnt = 1 << 3, 1 << 5, 1 << 5
	_, ebx, _ := cpuid(7, 0)
	_, _, ecx = cpuid(extended+1, 0)
	return ebx&(bmi1|avx2) == bmi1|avx2 && ecx&lzcnt != 0
}()

// cpuid returns three of the results of the instruction of that name.
func cpuid(leaf, subleaf uint32) (eax, ebx, ecx uint32)

// xgetbv returns which registers the system saves.
func xgetbv() uint32

// skipText skips text of the string that b[i] is in: characters that are neither controls nor
// quotes, and escapes, but for those of NUL and of U+D000 to U+DFFF, which include the surrogates.
// It returns an offset up to which there is nothing else. Neither the byte at i nor the one there
// is escaped. The caller goes on there byte by byte. With vectors, that is the first byte of
// something else, or one of the last 64 bytes; without them it is i.
func skipText(b []byte, i int) int {
	if !hasAVX2 {
		return i
	}
	return skipTextAVX2(b, i)
}

//go:noescape
func skipTextAVX2(b []byte, i int) int

// skipQuoted returns the offset of the first quote from i on that is not escaped, or of the
// first newline, or, if neither comes before it, of one of the last 64 bytes, not escaped; without
// vectors it returns i. The byte at i is not escaped.
func skipQuoted(b []byte, i int) int {
	if !hasAVX2 {
		return i
	}
	return skipQuotedAVX2(b, i)
}

//go:noescape
func skipQuotedAVX2(b []byte, i int) int

// A skim is what skimAVX2 knows of an object or array after it has read a part of it.
type skim struct {
	depth   int // how many brackets are open; 0 at its end, -1 if it is broken
	quoted  int // -1 inside a string, else 0
	escaped int // 1 after a backslash that escapes the next byte, else 0
	closed  int // 1 if only white space, or nothing, came since a closing bracket, else 0
}

// skimAVX2 reads on from i in an object or array with s.depth open brackets, as
// skipNestedBytes does, in steps of 64 bytes. It returns the offset after the bracket that
// closes it, or how far it came before fewer than 64 bytes were left. It reads b[i-1].
//
//go:noescape
func skimAVX2(b []byte, i int, s *skim) int

// skipNested does what skipNestedBytes does.
func skipNested(b []byte, i int) int {
	if !hasAVX2 {
		return skipNestedBytes(b, i)
	}
	s := skim{depth: 1, quoted: 0, escaped: 0, closed: 0}
	i = skimAVX2(b, i, &s)
	if s.depth > 0 {
		// The rest, with the byte before it and NULs after it. A NUL is not allowed
		// outside strings and does not end one, so it makes the rest broken.
		var rest [1 + 64]byte
		copy(rest[:], b[i-1:])
		i += skimAVX2(rest[:], 1, &s) - 1
	}
	if s.depth != 0 {
		return -1
	}
	return i
}
