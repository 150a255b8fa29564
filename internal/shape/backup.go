package shape

import (
	"iter"

	"jl/internal/entry"
)

// Names of the members that say where a tracked file was copied.
const (
	BackupName         = "backupFileName"
	BackupVersion      = "version"
	BackupTime         = "backupTime"
	BackupFolder       = "realParentDir" // the real path of the folder that the file is in
	TrackedFileBackups = "trackedFileBackups"
)

// NamesBackups reports whether e is of a type whose entries name backups of files.
func NamesBackups(e *entry.Entry) bool {
	t := e.Get(entry.Type)
	return t.Is("file-history-snapshot") || t.Is("file-history-delta")
}

// Backups yields the paths that a file-history entry tracks, as string values, each
// with its backup: of a snapshot all paths, of a delta the one that it adds or changes. A
// delta names it by trackingPath and backup, or, as some readers have it, by a snapshot
// of its own.
func Backups(e *entry.Entry) iter.Seq2[entry.Value, entry.Value] {
	if path, backup, ok := tracking(e); ok {
		return func(yield func(entry.Value, entry.Value) bool) { yield(path, backup) }
	}
	return tracked(e).Members()
}

// HasBackups reports whether a file-history entry has the form that Backups reads. It may
// still track no paths.
func HasBackups(e *entry.Entry) bool {
	_, _, ok := tracking(e)
	return ok || tracked(e).IsObject()
}

// tracking returns the path and the backup of a delta that has them as members.
func tracking(e *entry.Entry) (path, backup entry.Value, ok bool) {
	if !e.Get(entry.Type).Is("file-history-delta") {
		return nil, nil, false
	}
	v := entry.Value(e.Bytes)
	path, backup = v.Member("trackingPath"), v.Member("backup")
	return path, backup, path.IsString() && backup.IsObject()
}

// tracked returns the table of a snapshot.
func tracked(e *entry.Entry) entry.Value {
	return entry.Value(e.Bytes).Member("snapshot").Member(TrackedFileBackups)
}
