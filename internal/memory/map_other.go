//go:build !linux

package memory

// mapMemory returns at least size bytes of memory.
func mapMemory(size int) []byte { return make([]byte, size) }

// unmapMemory does nothing: a collection finds the memory.
func unmapMemory([]byte) {}
