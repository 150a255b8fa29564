// Jlsnap prints the file-history snapshots of a conversation, or what they say
// of the files: it can list the state at an entry, and write it into a directory.
//
// Usage:
//
//	jlsnap [-l ID] [--as READER] [--files | --restore DIR [--force] [-0]]
//	       [--home DIR] [FILE]...
//
// Before Claude Code edits a file it keeps a copy of it, and logs a snapshot: which
// paths are tracked and which copy holds each. Jlsnap takes the path that jlpath
// takes and merges the snapshots along it: of each entry the last
// file-history-snapshot line that has its id as messageId counts; a full one is
// appended, an update takes the place of the last with the same
// snapshot.messageId, or is appended. It prints the merged snapshots, one a line,
// byte for byte as each "snapshot" member was logged.
//
//	-l, --leaf ID  answer for the given entry; a beginning of its id that no other
//	               has is enough
//	--as READER    take the path of another program: claude-2.1, claude-2.0, sdk or
//	               sdk-system, as for jlpath
//	--files        print the state at that moment, which is the last merged snapshot:
//	               one row for each tracked path, sorted by path, with path, backup,
//	               version and backupTime as logged, state, and file, the place of the
//	               backup
//	--restore DIR  write that state into DIR, which is created or must be empty, and
//	               print the name of each file written
//	--force        with --restore: DIR need not be empty, and existing files are
//	               replaced
//	-0, --null     with --restore: end each name with NUL instead of newline
//	--home DIR     where Claude keeps its files; else CLAUDE_CONFIG_DIR, else ~/.claude
//
// The states are ok; pruned, the backup is gone; absent, the file did not exist
// then; and unreadable, with a reason: the backup cannot be opened, is no regular
// file, or is not named as backups are, 16 hexadecimal digits, "@v" and a version.
// Backups lie in file-history/SESSION below the home, where SESSION is the sessionId
// of the entry that the snapshot belongs to, else of the last entry of the path
// that has one, else the name of FILE without its extension. Below the home, which may
// be a link itself, no link is followed, wherever it leads, as jlrel follows none. Rows
// that come from several FILEs name theirs in a last member, log. A home that does not
// exist holds no backups: all are pruned.
//
// Restoring writes each file below DIR under its tracked path, which is relative to
// the session's working directory, or absolute if the file is outside of that: then
// without its leading slash. A path with a ".." in it or one that is too long is
// refused, and so is one that leads through a symbolic link in DIR or to something
// there that is not a regular file. A file is written under another name beside its
// place, .jlsnap-*.tmp, synced, and then put there with the permissions of its
// backup: at no instant does a part of it have its name. What a killed run left
// under such names is removed by the next one with --force. A file that was absent
// is not created, and, with --force, not removed. What cannot be restored, pruned
// backups too, is named, the rest is written, and the status is 2. In the names that
// are printed a newline is shown as \u000a, but with -0.
//
// Since 2.1.220 there are file-history-delta entries, whose form is known from other
// readers only, which disagree. Jlsnap reads trackingPath and backup, or else
// snapshot.trackedFileBackups, and adds them to the merged snapshot whose
// snapshot.messageId is the delta's messageId, or that was logged for the entry with
// that id. A path that the snapshot has is never changed by a delta; if the two
// differ a note on standard error says so. A snapshot that something was added to is
// printed anew, with the added paths behind its own.
//
//	jlsnap --files -l 4dfe session.jsonl | jq -r 'select(.state == "ok") | .file'
//	jlsnap --restore before -l 4dfe session.jsonl && diff -r before .
//
// The exit status is 0 if there was an answer, 1 if there was no snapshot or no such
// entry, and 2 if some input or backup could not be read, an entry was lost, a file
// not be restored, or the output not be written.
package main

import (
	"errors"

	"jl/internal/cli"
	"jl/internal/tree"
)

const about = "Print the file-history snapshots of a conversation, or restore its files."

type flags struct {
	Leaf    *string    `short:"l" placeholder:"ID" help:"Answer for the entry with this id; a unique beginning is enough."`
	As      tree.Rules `placeholder:"READER" help:"Take the path of another program:\nclaude-2.1, claude-2.0, sdk or sdk-system."`
	Table   bool       `name:"files" help:"Print the state of each tracked path at that moment."`
	Restore string     `placeholder:"DIR" help:"Write that state into DIR, which is new or empty."`
	Force   bool       `help:"With --restore: into a directory that is not empty;\nreplace existing files."`
	Null    bool       `short:"0" help:"With --restore: end each name printed with NUL."`
	Home    string     `placeholder:"DIR" help:"Where Claude keeps its files; else $CLAUDE_CONFIG_DIR, else ~/.claude."`
	Files   []string   `arg:"" optional:"" name:"file" help:"With no FILE, or when FILE is -, read standard input."`
}

// Validate refuses options that contradict each other.
func (f *flags) Validate() error {
	switch {
	case f.Leaf != nil && *f.Leaf == "":
		return errors.New("--leaf needs an id")
	case f.Table && f.Restore != "":
		return errors.New("--files and --restore can't be used together")
	case f.Force && f.Restore == "":
		return errors.New("--force is for --restore")
	case f.Null && f.Restore == "":
		return errors.New("--null is for --restore")
	case f.Home != "" && f.Restore == "" && !f.Table:
		return errors.New("--home is for --files and --restore")
	case f.Restore != "" && len(f.Files) > 1:
		return errors.New("--restore takes one FILE")
	}
	return nil
}

func main() { cli.Main("jlsnap", about, run) }

func run(c *cli.Command, f *flags) {
	c.Finish(snapshots(c, *f))
}
