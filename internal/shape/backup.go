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
// with its backup: of a snapshot all paths, of a delta the one that it adds. A delta
// names it by trackingPath and backup, or, as some readers have it, by a snapshot of
// its own.
func Backups(e *entry.Entry) iter.Seq2[entry.Value, entry.Value] {
	v := entry.Value(e.Bytes)
	if e.Get(entry.Type).Is("file-history-delta") {
		if path, backup := v.Member("trackingPath"), v.Member("backup"); path.IsString() && backup.IsObject() {
			return func(yield func(entry.Value, entry.Value) bool) { yield(path, backup) }
		}
	}
	return v.Member("snapshot").Member(TrackedFileBackups).Members()
}
