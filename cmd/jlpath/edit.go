package main

import (
	"bytes"
	"slices"

	"jl/internal/entry"
)

// An edit changes members at the top level of entries and leaves every other byte
// as it is.
type edit struct {
	drop    []string // the names of members to leave out
	session []byte   // a JSON string to put in the place of each sessionId, if not nil
	out     []byte

	// parent is a JSON string to put in the place of the entry's parent, if not nil:
	// one that the path took though it is not what is written.
	parent []byte
}

func newEdit(strip bool, session *string) *edit {
	e := new(edit)
	if strip {
		e.drop = []string{"isSidechain", "parentUuid"}
	}
	if session != nil {
		e.session = entry.AppendString(nil, []byte(*session))
	}
	return e
}

// apply returns the entry in b, white space around it and all, as it is after the
// edit; it is valid until the next call.
func (e *edit) apply(b []byte) []byte {
	start := bytes.IndexByte(b, '{')
	object := entry.Value(b[start:])
	e.out = append(e.out[:0], b[:start]...)
	done, kept := 0, false
	written := e.parent == nil
	for name, value := range object.Members() {
		at, end := object.Place(name), object.Place(value)+len(value)
		if done == 0 {
			e.out = append(e.out, object[:at]...)
		}
		comma := object[done:at]
		done = end
		if e.drops(name) {
			continue
		}
		if kept {
			e.out = append(e.out, comma...)
		}
		kept = true
		e.out = append(e.out, object[at:end-len(value)]...)
		switch {
		case e.session != nil && name.Is("sessionId"):
			e.out = append(e.out, e.session...)
		case e.parent != nil && name.Is("parentUuid"):
			e.out = append(e.out, e.parent...)
			written = true
		default:
			e.out = append(e.out, value...)
		}
	}
	e.out = append(e.out, object[done:]...)
	if !written && kept && !slices.Contains(e.drop, "parentUuid") { // it had none
		e.out = slices.Insert(e.out, start+1, []byte(`"parentUuid":`+string(e.parent)+`,`)...)
	}
	return e.out
}

func (e *edit) drops(name entry.Value) bool {
	return slices.ContainsFunc(e.drop, name.Is)
}
