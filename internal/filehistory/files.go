package filehistory

import (
	"bytes"
	"cmp"
	"path"
	"slices"
	"strconv"
	"strings"

	"jl/internal/entry"
	"jl/internal/log"
	"jl/internal/shape"
)

// A File is a path that file-history entries track, and its backup.
type File struct {
	Path   string
	Raw    entry.Value // Path as logged, a string
	Backup entry.Value // as logged for this moment, or nil
	Line   int64       // of the entry that has the backup, or else the path

	// Overwritten reports whether a later entry of the log tells of a backup with the same name: numbers of
	// versions begin again after a compaction and a resume. What was backed up first is gone.
	Overwritten bool
}

// At returns the index of the snapshot that has the files as they were at n: the last whose
// snapshot.messageId names n, which need not be on the path; else the snapshot of the nearest
// node of the path above n that has a snapshot of its own. A snapshot belongs to the node that
// its snapshot.messageId names, or, if that is not on the path, to the node of its entry. If n
// is None, At takes the last node of the path. If there is no such snapshot, ok is false.
func (h *History) At(n log.Node) (i int, ok bool) {
	last := len(h.path)
	if n != log.None {
		if i, ok := h.named[h.t.RawID(n).Key()]; ok {
			return i, true
		}
		at, on := h.on[n]
		if !on {
			return 0, false
		}
		last = at
	}
	for k, s := range h.Snapshots {
		if s.at <= last && (!ok || s.at >= h.Snapshots[i].at) {
			i, ok = k, true
		}
	}
	return i, ok
}

// Begin returns the node whose files snapshot i has.
func (h *History) Begin(i int) log.Node { return h.path[h.Snapshots[i].at] }

// Next returns the index of the first snapshot of a node of the path after n that an entry has.
func (h *History) Next(n log.Node) (i int, ok bool) {
	for k := range h.Snapshots {
		if at := h.Begin(k); !h.Snapshots[k].Made() && at > n && (!ok || at < h.Begin(i)) {
			i, ok = k, true
		}
	}
	return i, ok
}

// Tracked returns the files of snapshot i in the order of the log: first its own, then those
// that its deltas add. A delta also replaces the backup that the snapshot or an earlier delta
// has for its path. The caller may keep them.
func (h *History) Tracked(i int) []File {
	return h.tracked(i).files
}

// State returns the files at the moment of snapshot i, sorted by path. They are those of
// [History.Tracked], and all others that an entry of the history tracks, with their first
// version: what such a file was before it was tracked, it was at that moment. If the history has
// no first version of a file, or only entries outside of it track the file, its Backup is nil. So
// is that of a file of another folder, in which the session went on for a while.
// The caller may keep the files.
func (h *History) State(i int) []File {
	state := h.tracked(i)
	seen := map[*layer]bool{}
	for _, s := range h.Snapshots {
		h.addFirsts(state, s.top, seen)
	}
	// Home is the folder of the session: the first that an entry with a relative path tells.
	latest, home := map[string]string{}, ""
	for _, at := range h.t.Snapshots() { // what other paths track
		if e := h.t.EntryAt(at); entry.Valid(e.Bytes) {
			for raw, backup := range shape.Backups(e) {
				state.file(raw, at.Line)
				if in, ok := parentIn(raw, backup); ok && home == "" {
					home = in
				}
				name := string(backup.Member(shape.BackupName).Text())
				latest[name] = max(latest[name], string(backup.Member(shape.BackupTime).Text()))
			}
		}
	}
	for i := range state.files {
		f := &state.files[i]
		name := f.Backup.Member(shape.BackupName)
		if in, ok := parentIn(f.Raw, f.Backup); ok && in != home {
			f.Backup = nil
		} else if name.IsString() {
			f.Overwritten = string(f.Backup.Member(shape.BackupTime).Text()) < latest[string(name.Text())]
		}
	}
	slices.SortFunc(state.files, func(a, b File) int { return cmp.Compare(a.Path, b.Path) })
	return state.files
}

// parentIn returns the folder that a relative path is relative to. It reports false if its backup does not
// tell the folder of the file, or another one than the path.
func parentIn(raw, backup entry.Value) (string, bool) {
	real, dir := string(backup.Member(shape.RealParentDir).Text()), path.Dir(string(raw.Text()))
	if real == "" || dir == "." {
		return real, real != ""
	}
	return strings.CutSuffix(real, "/"+dir)
}

// A fileTable is a list of files in which no two have the same path.
type fileTable struct {
	files []File
	index map[string]int // by path
}

// file returns the file with the path raw. If there is none, file appends it.
func (t *fileTable) file(raw entry.Value, line int64) *File {
	name := string(raw.Text())
	i, ok := t.index[name]
	if !ok {
		i = len(t.files)
		t.index[name] = i
		t.files = append(t.files, File{Path: name, Raw: bytes.Clone(raw), Line: line})
	}
	return &t.files[i]
}

func (h *History) tracked(i int) *fileTable {
	t := &fileTable{index: map[string]int{}}
	var layers []entry.Pos
	for l := h.Snapshots[i].top; l != nil; l = l.under {
		layers = append(layers, l.at)
	}
	for _, at := range slices.Backward(layers) {
		for raw, backup := range shape.Backups(h.t.EntryAt(at)) {
			f := t.file(raw, at.Line)
			f.Raw, f.Backup, f.Line = bytes.Clone(raw), bytes.Clone(backup), at.Line
		}
	}
	return t
}

// addFirsts adds the paths of a snapshot, whose layers begin at top, to state. Those without a
// backup get the one of the snapshot, if that is their first version. Layers that were seen with
// another snapshot are left out, so that all snapshots together take linear time.
func (h *History) addFirsts(state *fileTable, top *layer, seen map[*layer]bool) {
	replaced := map[string]bool{} // the paths of the layers above
	for l := top; l != nil && !seen[l]; l = l.under {
		seen[l] = true
		for raw, backup := range shape.Backups(h.t.EntryAt(l.at)) {
			f := state.file(raw, l.at.Line)
			if f.Backup == nil && isFirst(backup) && !replaced[f.Path] {
				f.Backup, f.Line = bytes.Clone(backup), l.at.Line
			}
			replaced[f.Path] = true
		}
	}
}

// isFirst reports whether a backup is the first version of its file.
func isFirst(backup entry.Value) bool {
	v, _ := strconv.ParseFloat(string(backup.Member(shape.BackupVersion)), 64)
	return v == 1
}
