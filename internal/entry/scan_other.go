//go:build !amd64 || purego

package entry

// skipText and skipQuoted return i, because this build has no vectors: their callers go on there.

func skipText(_ []byte, i int) int { return i }

func skipQuoted(_ []byte, i int) int { return i }

func skipNested(b []byte, i int) int { return skipNestedBytes(b, i) }
