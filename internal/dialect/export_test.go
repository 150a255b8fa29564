package dialect

// ReadSmallAhead makes Ahead read a log ahead, however small it is, and the caller chunks of more than
// longest bytes. It returns what undoes that.
func ReadSmallAhead(longest int64) (undo func()) {
	least, usual := aheadSize, longAhead
	aheadSize, longAhead = 0, longest
	return func() { aheadSize, longAhead = least, usual }
}
