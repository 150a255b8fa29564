package memory

import "runtime/debug"

// huge is the size in bytes of what other buffers must make way for. That costs a collection of
// the whole heap, as much time as it takes to read a line of this length.
const huge = 16 << 20

// makeWay gives the memory of the buffers that nothing holds back to the system, if size bytes
// are huge.
func makeWay(size int) {
	if size >= huge {
		debug.FreeOSMemory()
	}
}

// Resize makes buf, which is of the heap, size bytes long. What it held is lost: if it must be
// larger, the old memory goes before the new is there, because a line may take nearly all that
// there is.
func Resize(buf *[]byte, size int) {
	if cap(*buf) < size {
		*buf = nil
		*buf = Make[byte](nil, size)
	}
	*buf = (*buf)[:size]
}
