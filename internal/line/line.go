// Package line splits bytes into lines, first to last or last to first.
//
// A line is the bytes up to and including the next '\n'. The last line of an input may
// lack it. Nothing else ends a line and no byte is changed: CR, NUL and invalid UTF-8 are
// ordinary bytes. A line is never empty, and an empty input has no lines. So the lines of
// an input, joined, are the input, and both directions yield the same lines at the same
// offsets.
//
// A line may have any length. Functions that hold a whole line in memory say so; the
// others need one block, however long the lines are.
//
// The package does not look inside lines: a blank line, text that is not JSON and a last
// line that is still being written are lines like any other.
package line

import "runtime"

// These are how many bytes are read at once: the fastest sizes for a file in the page cache.
// They are large enough to hide the cost of a read, and small enough to stay in the cache
// of a core until the lines have been read.
const (
	block      = 256 << 10
	firstBlock = 64 << 10 // at first: many logs are small, and callers often ask for the last lines only
)

// Resize makes buf size bytes long. What it held is lost. A line may take nearly all memory, so the
// buffers that nothing holds go before one of more than 16 MiB is made.
func Resize(buf *[]byte, size int) {
	if cap(*buf) < size {
		*buf = nil
		if size > 16<<20 {
			runtime.GC()
		}
		*buf = make([]byte, size)
	}
	*buf = (*buf)[:size]
}
