// Package line cuts bytes into lines, from the first to the last or from the
// last to the first.
//
// A line is the bytes up to and with the next '\n'. The last line of an input
// may lack it. Nothing else ends a line and nothing is changed: CR, NUL and
// bytes that are no UTF-8 are ordinary. A line is never empty, and an input of
// no bytes has no lines. So the lines of an input, put together again, are the
// input, and both directions yield the same lines at the same offsets.
//
// A line may have any length. What holds a whole line in memory says so; the
// rest needs one block, however long the lines are.
//
// The package does not look inside a line: blank lines, text that is no JSON
// and a last line that is still being written are lines as all others.
package line

// block is how many bytes are read at once. It is the fastest size for a file
// in the page cache: large enough to hide the cost of a read, small enough to
// stay in a core's own cache until the lines have been looked at.
const block = 256 << 10
