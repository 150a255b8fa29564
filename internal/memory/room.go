package memory

// A Room is memory for one long line at a time. The zero Room is ready for use; Free ends it.
type Room []byte

// hugePage is the size of a huge page in bytes, on most processors.
const hugePage = 2 << 20

// keptRoom is the size in bytes of the largest room that is kept for a smaller line.
const keptRoom = 4 << 20

// Resize makes r size bytes long. What it held is lost, and its memory goes before the new is
// there, because a line may take nearly all that there is.
func (r *Room) Resize(size int) {
	if cap(*r) < size || cap(*r) > keptRoom && size <= keptRoom {
		r.Free()
		makeWay(size)
		*r = mapMemory(size)
	}
	*r = (*r)[:size]
}

// Free gives the memory back. What r held must not be used any more.
func (r *Room) Free() {
	unmapMemory((*r)[:cap(*r)])
	*r = nil
}
