package entry

// ReadSmallAhead makes Ahead read a log ahead, however small it is, in blocks of size bytes. It
// returns what undoes that.
func ReadSmallAhead(size int) (undo func()) {
	least, usual := aheadSize, blockSize
	aheadSize, blockSize = 0, size
	return func() { aheadSize, blockSize = least, usual }
}
