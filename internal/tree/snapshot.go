package tree

import (
	"slices"

	"jl/internal/entry"
	"jl/internal/shape"
)

// A FileHistory is what the file-history entries of a log say about a path.
//
// A file-history-snapshot entry counts if its messageId is the id of a node of the path.
// Of those with the same messageId only the last counts. If it is not an update, it is
// appended to the Snapshots. If it is, it replaces the last of them with the same
// snapshot.messageId, or is appended if there is none. So if a full snapshot and an update
// have the same messageId, only the update is left.
//
// A file-history-delta entry counts if its messageId is the id of a node of the path. Behind the
// snapshot of that node, it changes the last snapshot whose snapshot.messageId is its
// snapshotMessageId. If there is none, the deltas make one: a copy of the last snapshot so far,
// which they change. So it is when a turn is compacted: its later deltas name the prompt above the
// boundary.
//
// Deltas of an older form have no snapshotMessageId: the messageId of such a delta is the
// snapshot.messageId of the one that it changes, or else the id of the node whose snapshot
// that is.
type FileHistory struct {
	Snapshots []Snapshot
	Loose     []entry.Pos // the deltas of the older form that count but change none of Snapshots, in file order
	Remarks   []Remark    // about entries that would count but cannot be used

	t     *Tree
	path  []Node
	named map[hash]int // by snapshot.messageId: the index of the last snapshot that has it
}

// A Snapshot is one of the merged file-history snapshots of a path.
type Snapshot struct {
	Node   Node        // the node that Entry, or the first of Deltas, belongs to
	Entry  entry.Pos   // the entry whose member "snapshot" it is; see Made
	Deltas []entry.Pos // the entries that change it, in the order of their nodes

	at  int    // the index in the path of the node whose files it has
	top *layer // what its files are
}

// Made reports whether the deltas made the snapshot, and no entry has it.
func (s *Snapshot) Made() bool { return s.Entry.Length == 0 }

// A layer is an entry that tracks files, above those whose backups it replaces. Snapshots may have
// layers in common.
type layer struct {
	at    entry.Pos
	under *layer
}

// change adds a delta to s.
func (s *Snapshot) change(delta entry.Pos) {
	s.Deltas = append(s.Deltas, delta)
	s.top = &layer{delta, s.top}
}

// FileHistory returns the file history of a path. It reads each entry that counts once
// more, and takes linear time. After a failed read, which [Tree.Err] returns, parts of the
// history are missing. The caller must not change path as long as it uses the history.
func (t *Tree) FileHistory(path []Node) *FileHistory {
	m := merger{
		FileHistory: FileHistory{t: t, path: path, named: map[hash]int{}},
		on:          map[Node]int{},
		lines:       map[hash][]entry.Pos{},
		of:          map[hash]int{},
		merged:      map[int64]bool{},
	}
	for i, n := range path {
		m.on[n] = i
	}
	for a := range t.annotations.All() {
		if a.what == snapshot {
			m.lines[a.ref.id] = append(m.lines[a.ref.id], a.pos.unpack())
		}
	}
	for i := range path {
		m.addSnapshot(i)
		m.addDeltas(i)
	}
	for a := range t.annotations.All() {
		if a.what == snapshot && !m.merged[a.pos.offset()] {
			m.addOldDelta(a.ref, a.pos.unpack())
		}
	}
	return &m.FileHistory
}

// A merger builds a FileHistory.
type merger struct {
	FileHistory
	on     map[Node]int         // the nodes of the path, with their indexes
	lines  map[hash][]entry.Pos // by messageId, in file order
	of     map[hash]int         // by the id of a node: the index of its snapshot
	merged map[int64]bool       // the offsets of the entries that addSnapshot and addDeltas have handled
}

// addSnapshot adds the snapshot of node i of the path, if it has one.
func (m *merger) addSnapshot(i int) {
	id := m.t.at(m.path[i]).id
	for _, at := range slices.Backward(m.lines[id]) {
		e := m.t.EntryAt(at)
		if !e.Get(entry.Type).Is("file-history-snapshot") {
			continue
		}
		m.merged[at.Offset] = true
		if !m.valid(at, e) {
			continue // the entry before it counts instead
		}
		s := entry.Value(e.Bytes).Member("snapshot")
		if !s.IsObject() {
			m.remark(at, `"snapshot" is not an object: skipped`)
			return
		}
		m.of[id] = m.merge(s, entry.Value(e.Bytes).Member("isSnapshotUpdate").Truthy(), Snapshot{Node: m.path[i], Entry: at, at: i, top: &layer{at, nil}})
		return
	}
}

// merge adds one snapshot, whose value is s, and returns its index.
func (m *merger) merge(s entry.Value, update bool, shot Snapshot) int {
	name := m.nameOf(s)
	i, known := m.named[name.id]
	if known && update {
		shot.at = m.Snapshots[i].at
		m.Snapshots[i] = shot
		return i
	}
	return m.append(name, shot)
}

// append appends a snapshot with a name, and returns its index.
func (m *merger) append(name key, shot Snapshot) int {
	if at, ok := m.on[m.t.find(name)]; ok {
		shot.at = at
	}
	m.Snapshots = append(m.Snapshots, shot)
	m.named[name.id] = len(m.Snapshots) - 1
	return m.named[name.id]
}

// nameOf returns the key of snapshot.messageId. A value that is not a string has a key of
// its own.
func (m *merger) nameOf(s entry.Value) key {
	id := s.Member("messageId")
	if id.IsString() {
		return m.t.key(id.Text())
	}
	return m.t.key(append([]byte{0}, id...))
}

// addDeltas adds the deltas of node i of the path.
func (m *merger) addDeltas(i int) {
	for _, at := range m.lines[m.t.at(m.path[i]).id] {
		if m.merged[at.Offset] {
			continue
		}
		e := m.t.EntryAt(at)
		id := entry.Value(e.Bytes).Member("snapshotMessageId")
		if !e.Get(entry.Type).Is("file-history-delta") || !id.IsString() {
			continue
		}
		m.merged[at.Offset] = true
		if !m.isDelta(at, e) {
			continue
		}
		name := m.t.key(id.Text())
		k, known := m.named[name.id]
		if !known {
			made := Snapshot{Node: m.path[i], at: i}
			if last := len(m.Snapshots) - 1; last >= 0 {
				made.top = m.Snapshots[last].top
			}
			k = m.append(name, made)
		}
		m.Snapshots[k].change(at)
	}
}

// addOldDelta adds the entry at a position, which names ref, if it is a delta of the older form
// that counts.
func (m *merger) addOldDelta(ref key, at entry.Pos) {
	_, onPath := m.on[m.t.find(ref)]
	i, known := m.named[ref.id]
	if !known {
		i, known = m.of[ref.id]
	}
	if !onPath && !known {
		return
	}
	e := m.t.EntryAt(at)
	if !e.Get(entry.Type).Is("file-history-delta") || entry.Value(e.Bytes).Member("snapshotMessageId").IsString() || !m.isDelta(at, e) {
		return
	}
	if known {
		m.Snapshots[i].change(at)
	} else {
		m.Loose = append(m.Loose, at)
	}
}

// isDelta reports whether e, the entry at a position, is a delta that can be read. If not, it
// remarks.
func (m *merger) isDelta(at entry.Pos, e *entry.Entry) bool {
	if !m.valid(at, e) {
		return false
	}
	if !shape.HasBackups(e) {
		m.remark(at, "a delta of unknown form: skipped")
		return false
	}
	return true
}

// valid reports whether e, the entry at a position, is valid JSON throughout. If not, it
// remarks.
func (m *merger) valid(at entry.Pos, e *entry.Entry) bool {
	if entry.Valid(e.Bytes) {
		return true
	}
	m.remark(at, "not valid JSON inside: skipped")
	return false
}

func (m *merger) remark(at entry.Pos, text string) {
	m.Remarks = append(m.Remarks, Remark{at.Line, text, text})
}
