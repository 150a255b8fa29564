//go:build !amd64 || purego

package entry

// skipText returns i, because this build has no vectors: its caller goes on there byte by byte.
func skipText(_ []byte, i int) int { return i }

func skipString(b []byte, i int) int { return skipStringBytes(b, i) }

func skipNested(b []byte, i int) int { return skipNestedBytes(b, i) }
