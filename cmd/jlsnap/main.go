// Jlsnap prints the file-history snapshots of a conversation. It can also list the state
// of the tracked files at an entry, and write that state into a directory.
//
// Usage:
//
//	jlsnap [-l ID] [--as READER] [--files | --restore DIR [--force] [-0]]
//	       [--home DIR] [FILE]...
//
// Before Claude Code edits a file, it copies the file and logs a snapshot: which paths are
// tracked, and which backup holds the copy of each. Jlsnap takes the path that jlpath
// takes and merges the snapshots along it. For each entry, the last file-history-snapshot
// line whose messageId is the id of the entry counts. A full snapshot is appended; an
// update replaces the last one with the same snapshot.messageId, or is appended. Jlsnap
// prints the merged snapshots, one a line: each "snapshot" member byte for byte as logged.
//
//	-l, --leaf ID  answer for the given entry; a unique beginning of its id is enough
//	--as READER    take the path of another program: claude-2.1, claude-2.0, sdk or
//	               sdk-system, as for jlpath
//	--files        print the state at that moment, which is the last merged snapshot:
//	               one row for each tracked path, sorted by path, with path, backup,
//	               version and backupTime as logged, state, and backupPath, where the
//	               backup is
//	--restore DIR  write that state into DIR, which is created or must be empty, and
//	               print the name of each file written
//	--force        with --restore: DIR need not be empty, and existing files are
//	               replaced
//	-0, --null     with --restore: end each name with NUL instead of newline
//	--home DIR     where Claude keeps its files; else CLAUDE_CONFIG_DIR, else ~/.claude
//
// The states are ok; pruned, the backup is gone; absent, the file did not exist then; and
// unreadable, with a reason: the backup cannot be opened, is not a regular file, or is not
// named as backups are, with 16 hexadecimal digits, "@v" and a version. With more than one
// FILE each row has a "file".
//
// Backups are in file-history/SESSION below the home. SESSION is the sessionId of the
// entry that the snapshot belongs to, else that of the last entry of the path that has
// one, else the name of FILE without its extension. The home may be a symbolic link, but
// below it no link is followed. If the home does not exist, all backups are pruned.
//
// Each file is restored below DIR under its tracked path, which is relative to the
// session's working directory, or absolute if the file is outside of that; then it loses
// its leading slash. Jlsnap refuses a path with "..", one that is too long, one that leads
// through a symbolic link in DIR, and one where DIR has something that is not a regular
// file. It writes a temporary file, .jlsnap-N, in the directory of the file, gives it
// the permissions of the backup, syncs it, and then gives it its name, so the name never
// refers to a partial file. SIGINT, SIGTERM and SIGHUP remove the temporary file; the next run with
// --force removes what a killed run left. Several runs may restore into one DIR at the
// same time. A file that was absent is not created and, with --force, not removed.
// Everything that cannot be restored is reported, pruned backups too; the rest is written,
// and the exit status is 2. In the names printed, a newline is written as \u000a, unless -0
// is given.
//
// Since 2.1.220, logs also have file-history-delta entries. Their form is known only from
// other readers, which disagree. Jlsnap reads trackingPath and backup, or else
// snapshot.trackedFileBackups, and adds them to the merged snapshot whose
// snapshot.messageId is the delta's messageId, or that was logged for the entry with that
// id. A delta never changes a path that the snapshot has; if the two differ, a note says
// so. In a snapshot that deltas add to, the added paths follow its own.
//
//	jlsnap --files -l 4dfe session.jsonl | jq -r 'select(.state == "ok") | .backupPath'
//	jlsnap --restore before -l 4dfe session.jsonl && diff -r before .
//
// The exit status is 0 if there was an answer, 1 if there was no snapshot or no such
// entry, and 2 if some input or backup could not be read, an entry was lost, a file was
// not restored, or the output could not be written.
package main

import (
	"errors"

	"jl/internal/cli"
	"jl/internal/operand"
	"jl/internal/session"
	"jl/internal/tree"
)

const about = "Print the file-history snapshots of a conversation, or restore its files."

type flags struct {
	Leaf    string     `short:"l" placeholder:"ID" help:"Answer for the entry with this id; a unique beginning is enough."`
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
	case f.Table && f.Restore != "":
		return errors.New("--files and --restore cannot be used together")
	case f.Force && f.Restore == "":
		return errors.New("--force needs --restore")
	case f.Null && f.Restore == "":
		return errors.New("--null needs --restore")
	case f.Home != "" && f.Restore == "" && !f.Table:
		return errors.New("--home needs --files or --restore")
	case f.Restore != "" && len(f.Files) > 1:
		return errors.New("--restore takes one FILE")
	}
	return nil
}

func main() { cli.Main("jlsnap", about, run) }

func run(c *cli.Command, f *flags) {
	s := snapper{c: c, f: f, found: f.Leaf == ""}
	if f.Table || f.Restore != "" {
		dir, err := session.Dir(f.Home)
		if err != nil {
			c.Fail("", err)
			return
		}
		s.store = openStore(dir)
		defer s.store.close()
		if s.store.gone() {
			c.Note(dir, "%s: every backup counts as pruned", cli.Reason(s.store.err))
		}
	}
	operand.Each(c, f.Files, s.log)
	if !s.found {
		operand.NoEntry(c, f.Files, f.Leaf)
	}
	if !s.answered {
		c.No()
	}
}
