package memory

import "syscall"

// mapMemory returns a mapping of at least size bytes. If the system has none to give, it is
// memory of the heap.
func mapMemory(size int) []byte {
	pages := (size + hugePage - 1) / hugePage
	b, err := syscall.Mmap(-1, 0, pages*hugePage, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		return make([]byte, size)
	}
	_ = syscall.Madvise(b, syscall.MADV_HUGEPAGE) // small pages do as well
	return b
}

// unmapMemory gives the memory of mapMemory back. Memory of the heap needs nothing: it is not a
// mapping, and the error says so.
func unmapMemory(b []byte) { _ = syscall.Munmap(b) }
