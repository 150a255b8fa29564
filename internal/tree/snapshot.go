package tree

import (
	"slices"

	"jl/internal/entry"
)

// A Snapshot is one of the merged file-history snapshots of a path.
type Snapshot struct {
	Node   Node        // the node of the path that it was taken at
	Entry  entry.Pos   // the entry whose member "snapshot" it is
	Deltas []entry.Pos // the entries that add to it, in the order of the file
}

// Snapshots merges the file-history snapshots along a path. For each node the last
// file-history-snapshot entry counts whose messageId is the node's id. If it is no
// update, its snapshot is appended; an update takes the place of the last one that
// has the same snapshot.messageId, or is appended. So of a full snapshot and an
// update with the same messageId the update alone is left.
//
// A file-history-delta entry adds to the snapshot whose snapshot.messageId it names,
// or else to the one that stands for the node that it names. One that names neither
// belongs to another branch.
//
// The remarks are about entries of the path that cannot be used. Each line that
// counts is read once more, in linear time.
func (t *Tree) Snapshots(path []Node) ([]Snapshot, []Remark) {
	m := merger{
		Tree:   t,
		lines:  map[key][]annotation{},
		named:  map[key]int{},
		of:     map[key]int{},
		merged: map[int64]bool{},
	}
	for _, o := range t.annotations {
		if o.what == snapshot {
			m.lines[o.ref] = append(m.lines[o.ref], o)
		}
	}
	for _, n := range path {
		m.add(n)
	}
	on := map[key]bool{}
	for _, n := range path {
		on[t.at(n).id] = true
	}
	for _, o := range t.annotations {
		if o.what == snapshot && !m.merged[o.offset] {
			m.addDelta(o, on[o.ref])
		}
	}
	return m.out, m.remarks
}

// A merger merges the snapshots of one path.
type merger struct {
	*Tree
	lines   map[key][]annotation // by messageId, in the order of the file
	named   map[key]int          // by snapshot.messageId: the last in out that has it
	of      map[key]int          // by node: the one in out that its entry became
	merged  map[int64]bool       // the offsets of the entries that are done with
	out     []Snapshot
	remarks []Remark
}

// add merges the snapshot of n, if it has one.
func (m *merger) add(n Node) {
	id := m.at(n).id
	for _, o := range slices.Backward(m.lines[id]) {
		e := m.EntryAt(o.pos())
		if !e.Get(entry.Type).Is("file-history-snapshot") {
			continue
		}
		m.merged[o.offset] = true
		if !m.valid(o, e) {
			continue // as if the line were not there
		}
		s := entry.Value(e.Bytes).Member("snapshot")
		if !s.IsObject() {
			m.remark(o, `"snapshot" is no object: skipped`)
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
		m.out[i] = Snapshot{Node: n, Entry: o.pos()}
		return
	}
}

// nameOf returns the key of snapshot.messageId, strings apart from all else.
func (m *merger) nameOf(s entry.Value) key {
	id := s.Member("messageId")
	if id.IsString() {
		return m.key(id.Text())
	}
	return m.key(append([]byte{0}, id...))
}

// addDelta adds o, if it is a delta, to the snapshot that it names. onPath says
// whether it names a node of the path.
func (m *merger) addDelta(o annotation, onPath bool) {
	i, ok := m.named[o.ref]
	if !ok {
		i, ok = m.of[o.ref]
	}
	if !ok && !onPath {
		return
	}
	e := m.EntryAt(o.pos())
	switch {
	case !e.Get(entry.Type).Is("file-history-delta") || !m.valid(o, e):
	case !ok:
		m.remark(o, "no snapshot on the path that this delta could add to: skipped")
	default:
		m.out[i].Deltas = append(m.out[i].Deltas, o.pos())
	}
}

// valid reports whether the entry e of o is valid JSON all through.
func (m *merger) valid(o annotation, e *entry.Entry) bool {
	if entry.Valid(e.Bytes) {
		return true
	}
	m.remark(o, "not valid JSON inside: skipped")
	return false
}

func (m *merger) remark(o annotation, text string) {
	m.remarks = append(m.remarks, Remark{o.line, text})
}
