// Package filehistory finds which files a session tracked at a moment of a conversation, and
// where their backups are, as the entries along a path tell it.
//
// What it knows. Claude Code logs a file-history-snapshot entry for each prompt, and a
// file-history-delta entry for each file that is touched for the first time. This package merges
// them; the shape of one such entry belongs to package shape.
//
// What it promises. It takes linear time and reads each entry of the history at most four
// times: twice to merge, for the files, and for the files that only other paths track. After a failed
// read, which [log.Log.Err] returns, parts of the history are missing.
//
// What it does not do. It opens no backup.
package filehistory

import (
	"slices"

	"jl/internal/entry"
	"jl/internal/log"
	"jl/internal/shape"
)

// A History is what the file-history entries of a log say about a path.
//
// A file-history-snapshot entry counts if its messageId is the id of a node of the path. Of
// those with the same messageId only the last counts. If it is not an update, it is appended to
// the Snapshots. If it is, it replaces the last of them with the same snapshot.messageId, or is
// appended if there is none. So if a full snapshot and an update have the same messageId, only
// the update is left.
//
// A file-history-delta entry counts if its messageId is the id of a node of the path. After the
// snapshot of that node, it changes the last snapshot whose snapshot.messageId is its
// snapshotMessageId. If there is none, the deltas make one: a copy of the last snapshot so far,
// which they change. That happens when a turn is compacted: its later deltas name the prompt
// above the boundary.
type History struct {
	Snapshots []Snapshot
	Lost      []Lost // entries that would count but cannot be used

	t     *log.Log
	path  []log.Node
	on    map[log.Node]int // the nodes of path, with their indexes
	named map[string]int   // by the key of snapshot.messageId: the index of the last snapshot that has it
}

// A Lost is an entry that cannot be used.
type Lost struct {
	Pos entry.Pos
	Why string
}

// A Snapshot is one of the merged file-history snapshots of a path.
type Snapshot struct {
	Node   log.Node    // the node that Entry, or the first of Deltas, belongs to
	Entry  entry.Pos   // the entry whose member "snapshot" it is; see Made
	Deltas []entry.Pos // the entries that change it, in the order of their nodes

	at  int    // the index in the path of the node whose files it has
	top *layer // what its files are
}

// Made reports whether the deltas made the snapshot, and no entry has it.
func (s *Snapshot) Made() bool { return s.Entry.Length == 0 }

// A layer is an entry that tracks files, above those whose backups it replaces. Snapshots may
// have layers in common.
type layer struct {
	at    entry.Pos
	under *layer
}

// Read returns the file history of a path of t, which has each node once and must not change any more.
func Read(t *log.Log, path []log.Node) *History {
	h := &History{t: t, path: path, on: map[log.Node]int{}, named: map[string]int{}}
	for i, n := range path {
		h.on[n] = i
	}
	entries := map[log.Node][]entry.Pos{} // by the node that messageId names, in file order
	for n, at := range t.Snapshots() {
		entries[n] = append(entries[n], at)
	}
	for i, n := range h.path {
		h.addSnapshot(i, entries[n])
		h.addDeltas(i, entries[n])
	}
	return h
}

// On reports whether n is on the path.
func (h *History) On(n log.Node) bool {
	_, on := h.on[n]
	return on
}

// addSnapshot adds the snapshot of node i of the path, if one of its entries is one.
func (h *History) addSnapshot(i int, entries []entry.Pos) {
	for _, at := range slices.Backward(entries) {
		e := h.t.EntryAt(at)
		if !e.Get(entry.Type).Is("file-history-snapshot") {
			continue
		}
		if !h.valid(at, e) {
			continue // the entry before it counts instead
		}
		s := e.Member("snapshot")
		if !s.IsObject() {
			h.Lost = append(h.Lost, Lost{at, `"snapshot" is not an object: skipped`})
			return
		}
		update := e.Member("isSnapshotUpdate").Truthy()
		h.merge(s.Member("messageId"), update, Snapshot{Node: h.path[i], Entry: at, at: i, top: &layer{at, nil}})
		return
	}
}

// merge adds a snapshot with a messageId, or replaces one if it is an update. It returns its index.
func (h *History) merge(id entry.Value, update bool, s Snapshot) int {
	i, known := h.named[id.Key()]
	if known && update {
		s.at = h.Snapshots[i].at
		h.Snapshots[i] = s
	} else {
		if at, ok := h.on[h.t.LookUp(id)]; ok {
			s.at = at
		}
		i = len(h.Snapshots)
		h.Snapshots = append(h.Snapshots, s)
		h.named[id.Key()] = i
	}
	return i
}

// addDeltas adds the deltas of node i of the path.
func (h *History) addDeltas(i int, entries []entry.Pos) {
	for _, at := range entries {
		e := h.t.EntryAt(at)
		if !e.Get(entry.Type).Is("file-history-delta") || !h.valid(at, e) {
			continue
		}
		id := e.Member("snapshotMessageId")
		if !id.IsString() || !shape.HasBackup(e) {
			h.Lost = append(h.Lost, Lost{at, "a delta of unknown form: skipped"})
			continue
		}
		k, known := h.named[id.Key()]
		if !known {
			made := Snapshot{Node: h.path[i], at: i}
			if last := len(h.Snapshots) - 1; last >= 0 {
				made.top = h.Snapshots[last].top
			}
			k = h.merge(id, false, made)
		}
		s := &h.Snapshots[k]
		s.Deltas, s.top = append(s.Deltas, at), &layer{at, s.top}
	}
}

// valid reports whether e, the entry at a position, is valid JSON throughout. If not, it is lost.
func (h *History) valid(at entry.Pos, e *entry.Entry) bool {
	if entry.Valid(e.Bytes) {
		return true
	}
	h.Lost = append(h.Lost, Lost{at, "not valid JSON inside: skipped"})
	return false
}
