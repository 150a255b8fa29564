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
	RealParentDir      = "realParentDir"
	TrackedFileBackups = "trackedFileBackups"
)

// NamesBackups reports whether e is of a type whose entries name backups of files.
func NamesBackups(e *entry.Entry) bool {
	t := e.Get(entry.Type)
	return t.Is("file-history-snapshot") || t.Is("file-history-delta")
}

// Backups yields the paths that a file-history entry tracks, as string values, each with its
// backup: of a snapshot all paths, of a delta the one that it adds or changes.
func Backups(e *entry.Entry) iter.Seq2[entry.Value, entry.Value] {
	if !e.Get(entry.Type).Is("file-history-delta") {
		return e.Member("snapshot").Member(TrackedFileBackups).Members()
	}
	return func(yield func(entry.Value, entry.Value) bool) {
		if HasBackup(e) {
			yield(e.Member("trackingPath"), e.Member("backup"))
		}
	}
}

// HasBackup reports whether e is a delta that names a path and its backup.
func HasBackup(e *entry.Entry) bool {
	isDelta := e.Get(entry.Type).Is("file-history-delta")
	return isDelta && e.Member("trackingPath").IsString() && e.Member("backup").IsObject()
}
