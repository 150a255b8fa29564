package shape

import (
	"bytes"
	"slices"

	"jl/internal/entry"
)

// A Preserved names the entries above its boundary that a compaction kept, and the anchor,
// the entry below which they are now read. What the boundary does not name is nil.
type Preserved struct {
	Listed     bool          // IDs are all of the entries, in order; else they are those from Tail up to Head
	IDs        []entry.Value // of any kind of value
	Head, Tail entry.Value
	Anchor     entry.Value
}

// PreservedBy returns what the boundary e preserved. It reports false if e names
// nothing. The list of ids, which newer releases write, counts before the segment.
func PreservedBy(e *entry.Entry) (Preserved, bool) {
	m := e.Member("compactMetadata")
	list, segment := m.Member("preservedMessages"), m.Member("preservedSegment")
	if ids := list.Member("uuids"); ids.IsArray() {
		return Preserved{Listed: true, IDs: slices.Collect(ids.Elements()), Anchor: list.Member("anchorUuid")}, true
	}
	if segment.IsObject() {
		return Preserved{
			Head: segment.Member("headUuid"), Tail: segment.Member("tailUuid"), Anchor: segment.Member("anchorUuid"),
		}, true
	}
	return Preserved{}, false
}

// KeptIDs returns the ids that the boundary e, Claude's or pi's, names to say what it kept.
func KeptIDs(e *entry.Entry) []entry.Value {
	p, _ := PreservedBy(e)
	return append(p.IDs, p.Head, p.Tail, p.Anchor, e.Member("firstKeptEntryId"))
}

// IsSummarizer reports whether e is of an agent that Claude Code starts to write the summary of a
// compaction. It begins with entries of the session, whose parents are only in that log.
func IsSummarizer(e *entry.Entry) bool {
	return bytes.HasPrefix(e.Member("agentId").Text(), []byte("acompact"))
}

// HasPreserved reports whether the boundary e has a preserved list or segment, whatever is
// in it. Claude Code then reads the entries above the boundary.
func HasPreserved(e *entry.Entry) bool {
	m := e.Member("compactMetadata")
	return m.Member("preservedSegment").IsObject() || m.Member("preservedMessages").IsObject()
}
