package main

import (
	"bytes"
	"slices"

	"jl/internal/entry"
)

// An edit changes members at the top level of entries and leaves every other byte as it
// is.
type edit struct {
	strip   bool        // leave out isSidechain and parentUuid
	session entry.Value // the id to write as each sessionId, nil to leave it
	parent  entry.Value // the id to write as the parent of the next entry, nil to leave it
	out     []byte
}

// apply returns the entry in b after the edit, with the white space around it. It is
// valid until the next call.
func (e *edit) apply(b []byte) []byte {
	start := bytes.IndexByte(b, '{')
	hasParent := e.parent == nil || e.strip
	e.out = entry.Value(b[start:]).Rewrite(append(e.out[:0], b[:start]...), func(name, value entry.Value) entry.Value {
		switch {
		case e.strip && (name.Is("isSidechain") || name.Is("parentUuid")):
			return nil
		case e.session != nil && name.Is("sessionId"):
			return e.session
		case e.parent != nil && name.Is("parentUuid"):
			hasParent = true
			return e.parent
		}
		return value
	})
	if !hasParent { // the entry has an id, so another member follows
		first := entry.AppendMember([]byte{'{'}, entry.Value(`"parentUuid"`), e.parent)
		e.out = slices.Replace(e.out, start, start+1, append(first, ',')...)
	}
	return e.out
}
