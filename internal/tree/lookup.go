package tree

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"jl/internal/entry"
)

// ID returns the id of n, unescaped.
func (t *Tree) ID(n Node) string {
	if t.numbered {
		return string(t.lineID(n))
	}
	return string(t.idValue(t.Entry(n)).Text())
}

// lineID returns the id of n in a numbered log.
func (t *Tree) lineID(n Node) []byte {
	at := t.at(n)
	id := strconv.AppendInt([]byte{'#'}, at.line, 10)
	if t.key(id) == at.id {
		return id
	}
	return strconv.AppendInt(append(id, '+'), at.offset, 10)
}

// A Match is the answer to an id, or a prefix of one.
type Match struct {
	Node       Node     // None if no id or more than one matches
	Candidates []string // the ids that match, if there is more than one
}

// Find looks up unescaped ids, or prefixes that only one id has. An id of the log is found
// without reading; if any of ids is not one, Find reads all nodes again.
func (t *Tree) Find(ids []string) []Match {
	found := make([]Match, len(ids))
	known := make([]bool, len(ids))
	for i, id := range ids {
		found[i].Node = t.find(t.key([]byte(id)))
		if known[i] = t.has(found[i].Node); !known[i] {
			found[i].Node = None
			known[i] = id == "" // not a prefix
		}
	}
	if !slices.Contains(known, false) {
		return found
	}
	for _, n := range t.order {
		full := t.ID(n)
		for i, id := range ids {
			if !known[i] && strings.HasPrefix(full, id) {
				found[i].Node = n
				found[i].Candidates = append(found[i].Candidates, full)
			}
		}
	}
	for i := range found {
		switch m := &found[i]; {
		case len(m.Candidates) == 1:
			m.Candidates = nil
		case len(m.Candidates) > 1:
			m.Node = None
		}
	}
	return found
}

// RawID returns the id of n as JSON, byte for byte as its entry has it. In a numbered log
// it is the string "#LINE". The caller may keep it.
func (t *Tree) RawID(n Node) entry.Value {
	if t.numbered {
		return entry.AppendString(nil, t.lineID(n))
	}
	return bytes.Clone(t.idValue(t.Entry(n)))
}

// RawParent returns the parent's id that n names, as [Tree.RawID] returns an id; nil if n
// is a root.
func (t *Tree) RawParent(n Node) entry.Value {
	if !t.numbered {
		return bytes.Clone(t.dialect.ParentOf(t.Entry(n)))
	}
	if up := t.at(n).parent; up != None {
		return t.RawID(up)
	}
	return nil
}

// AppendEdge appends the edge of n to dst, without its closing '}'. If file is not empty,
// the edge names it.
func (t *Tree) AppendEdge(dst []byte, n Node, file string) []byte {
	e := t.Entry(n)
	id, parent := t.idValue(e), t.dialect.ParentOf(e)
	if t.numbered {
		id, parent = t.RawID(n), t.RawParent(n)
	}
	return e.AppendEdge(dst, t.dialect, id, parent, file)
}
