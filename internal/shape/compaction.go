package shape

import "jl/internal/entry"

// A Preserved names the entries above its boundary that a compaction kept, and the
// entry below which they are now read, the anchor. What the boundary does not name is
// nil.
type Preserved struct {
	Listed     bool          // IDs are all of the entries, in order; else they are the way from Tail up to Head
	IDs        []entry.Value // of any kind of value
	Head, Tail entry.Value
	Anchor     entry.Value
}

// PreservedBy returns what the boundary e preserved. It reports false if e names
// nothing. The list of ids, which newer releases write, counts before the segment.
func PreservedBy(e *entry.Entry) (Preserved, bool) {
	m := e.Get(entry.CompactMetadata)
	list, segment := m.Member("preservedMessages"), m.Member("preservedSegment")
	if ids := list.Member("uuids"); ids.IsArray() {
		p := Preserved{Listed: true, Anchor: list.Member("anchorUuid")}
		for id := range ids.Elements() {
			p.IDs = append(p.IDs, id)
		}
		return p, true
	}
	if segment.IsObject() {
		return Preserved{
			Head: segment.Member("headUuid"), Tail: segment.Member("tailUuid"), Anchor: segment.Member("anchorUuid"),
		}, true
	}
	return Preserved{}, false
}

// HasPreserved reports whether the boundary e has a member of the name of a preserved
// list or segment, whatever is in it: for Claude Code that is enough to read what
// stands above a boundary.
func HasPreserved(e *entry.Entry) bool {
	m := e.Get(entry.CompactMetadata)
	return m.Member("preservedSegment").IsObject() || m.Member("preservedMessages").IsObject()
}
