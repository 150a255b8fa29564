package log

import (
	"bytes"
	"slices"

	"jl/internal/dialect"
	"jl/internal/entry"
)

// ID returns the id of n, unescaped.
func (t *Log) ID(n Node) string {
	e := t.Entry(n)
	if t.hasPlaceID(n, e) {
		return string(t.placeID(n).Text())
	}
	return string(t.Dialect.RawID(e).Text())
}

// hasPlaceID reports whether the id of n, the node of e, is made of the place of e.
func (t *Log) hasPlaceID(n Node, e *entry.Entry) bool {
	return t.Dialect.IsList() && t.hash(t.Dialect.RawID(e).Text()) != t.ids[n]
}

// placeID returns the id of n, which is made of its place, or, if n is a later text, of that of the first one.
func (t *Log) placeID(n Node) entry.Value {
	id, at := t.ids[n], t.Pos(n)
	if first, ok := t.first[id]; ok {
		at = first.unpack()
	}
	ids := dialect.PlaceIDs(at)
	if t.hash(ids[0].Text()) == id {
		return ids[0]
	}
	return ids[1]
}

// A Match is the answer to an id, or a prefix of one.
type Match struct {
	Node       Node     // None if no id or more than one matches
	Candidates []string // the first of the ids that match, at most maxCandidates
	Count      int      // how many ids match
}

// maxCandidates is how many ids a Match names.
const maxCandidates = 8

// Find looks up unescaped ids, or prefixes that only one id has. No id has the empty one. An id of the
// log is found without reading; if any of ids is not one, Find reads all nodes again, once.
func (t *Log) Find(ids []string) map[string]*Match {
	found, prefixes := map[string]*Match{}, map[string]*Match{}
	var lengths []int // of prefixes
	for _, id := range ids {
		found[id] = &Match{Node: t.find(t.hash([]byte(id)))}
		if !t.Has(found[id].Node) {
			found[id].Node = None
			if id != "" {
				prefixes[id], lengths = found[id], append(lengths, len(id))
			}
		}
	}
	if len(prefixes) == 0 {
		return found
	}
	slices.Sort(lengths)
	lengths = slices.Compact(lengths)
	for n := range t.Count {
		id := t.ID(n)
		for _, length := range lengths {
			if length > len(id) {
				break
			}
			if m := prefixes[id[:length]]; m != nil {
				m.add(n, id)
			}
		}
	}
	return found
}

// add adds a node whose id matches.
func (m *Match) add(n Node, id string) {
	if m.Count++; m.Count == 1 {
		m.Node = n
	} else {
		m.Node = None
	}
	if len(m.Candidates) < maxCandidates {
		m.Candidates = append(m.Candidates, id)
	}
}

// RawID returns the id of n as JSON, byte for byte as its entry has it, or else the string
// "#LINE". The caller may keep it.
func (t *Log) RawID(n Node) entry.Value {
	e := t.Entry(n)
	if t.hasPlaceID(n, e) {
		return t.placeID(n)
	}
	return bytes.Clone(t.Dialect.RawID(e))
}

// RawParent returns the parent's id that n names, as [Log.RawID] returns an id; nil if n
// is a root.
func (t *Log) RawParent(n Node) entry.Value {
	if !t.Dialect.IsList() {
		return bytes.Clone(t.Dialect.ParentOf(t.Entry(n)))
	}
	if up := t.Written[n]; up != None {
		return t.RawID(up)
	}
	return nil
}
