//go:build !amd64 || purego

package entry

// skipText skips nothing, because this build has no vectors.
func skipText(_ []byte, i int) int { return i }

func skipString(b []byte, i int) int { return skipStringBytes(b, i) }

func skipNested(b []byte, i int) int { return skipNestedBytes(b, i) }
