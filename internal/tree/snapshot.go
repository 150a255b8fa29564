package tree

import (
	"slices"

	"jl/internal/entry"
)

// A Snapshot is one of the merged file-history snapshots of a path.
type Snapshot struct {
	Node   Node        // the node of the path that it was taken at
	Entry  entry.Pos   // the entry whose member "snapshot" it is
	Deltas []entry.Pos // the entries that add to it, in file order
}

// Snapshots merges the file-history snapshots along a path. A node's snapshot is the last
// file-history-snapshot entry whose messageId is the node's id. If it is not an update, it
// is appended. If it is, it replaces the last snapshot with the same snapshot.messageId,
// or is appended if there is none. So if a full snapshot and an update have the same
// messageId, only the update is left.
//
// A file-history-delta entry adds to the snapshot whose snapshot.messageId it names, or
// else to the snapshot of the node that it names. If there is neither, it belongs to
// another branch.
//
// The remarks are about entries of the path that cannot be used. Snapshots reads each
// entry that counts once more, and takes linear time.
func (t *Tree) Snapshots(path []Node) ([]Snapshot, []Remark) {
	m := merger{
		Tree:   t,
		lines:  map[key][]annotation{},
		named:  map[key]int{},
		of:     map[key]int{},
		merged: map[int64]bool{},
	}
	for _, a := range t.annotations {
		if a.what == snapshot {
			m.lines[a.ref] = append(m.lines[a.ref], a)
		}
	}
	for _, n := range path {
		m.add(n)
	}
	on := map[key]bool{}
	for _, n := range path {
		on[t.at(n).id] = true
	}
	for _, a := range t.annotations {
		if a.what == snapshot && !m.merged[a.pos.Offset] {
			m.addDelta(a, on[a.ref])
		}
	}
	return m.out, m.remarks
}

// A merger merges the snapshots of one path.
type merger struct {
	*Tree
	lines   map[key][]annotation // by messageId, in file order
	named   map[key]int          // by snapshot.messageId: the index in out of the last that has it
	of      map[key]int          // by node: the index in out of its snapshot
	merged  map[int64]bool       // the offsets of the entries that add has handled
	out     []Snapshot
	remarks []Remark
}

// add merges the snapshot of n, if it has one.
func (m *merger) add(n Node) {
	id := m.at(n).id
	for _, a := range slices.Backward(m.lines[id]) {
		e := m.EntryAt(a.pos)
		if !e.Get(entry.Type).Is("file-history-snapshot") {
			continue
		}
		m.merged[a.pos.Offset] = true
		if !m.valid(a, e) {
			continue // the entry before it counts instead
		}
		s := entry.Value(e.Bytes).Member("snapshot")
		if !s.IsObject() {
			m.remark(a, `"snapshot" is not an object: skipped`)
			return
		}
		name := m.nameOf(s)
		i, known := m.named[name]
		if !known || !entry.Value(e.Bytes).Member("isSnapshotUpdate").Truthy() {
			i = len(m.out)
			m.named[name] = i
			m.out = append(m.out, Snapshot{})
		}
		m.of[id] = i
		m.out[i] = Snapshot{Node: n, Entry: a.pos}
		return
	}
}

// nameOf returns the key of snapshot.messageId. A value that is not a string has a key of
// its own.
func (m *merger) nameOf(s entry.Value) key {
	id := s.Member("messageId")
	if id.IsString() {
		return m.key(id.Text())
	}
	return m.key(append([]byte{0}, id...))
}

// addDelta adds a to the snapshot that it names if it is a delta. onPath says whether it
// names a node of the path.
func (m *merger) addDelta(a annotation, onPath bool) {
	i, ok := m.named[a.ref]
	if !ok {
		i, ok = m.of[a.ref]
	}
	if !ok && !onPath {
		return
	}
	e := m.EntryAt(a.pos)
	switch {
	case !e.Get(entry.Type).Is("file-history-delta") || !m.valid(a, e):
	case !ok:
		m.remark(a, "no snapshot on the path that this delta could add to: skipped")
	default:
		m.out[i].Deltas = append(m.out[i].Deltas, a.pos)
	}
}

// valid reports whether e, the entry of a, is valid JSON throughout. If not, it remarks.
func (m *merger) valid(a annotation, e *entry.Entry) bool {
	if entry.Valid(e.Bytes) {
		return true
	}
	m.remark(a, "not valid JSON inside: skipped")
	return false
}

func (m *merger) remark(a annotation, text string) {
	m.remarks = append(m.remarks, Remark{a.pos.Line, text})
}
