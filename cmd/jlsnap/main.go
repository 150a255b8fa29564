// Jlsnap prints the file-history snapshots of a conversation. It can also list the state of the
// tracked files at an entry, and write that state into a directory.
//
// Usage:
//
//	jlsnap [-l ID] [--as READER] [--files [-H] | --restore DIR [--force] [-0]]
//	       [--home DIR]... [FILE]...
//
// Before Claude Code edits a file, it copies the file and logs which paths are tracked, and
// which backup holds the copy of each: in a snapshot for each prompt, and, since 2.1.220, in a
// delta for each file that is touched for the first time. Jlsnap takes the path that jlpath
// takes and merges the snapshots along it. For each entry, the last file-history-snapshot line
// whose messageId is the id of the entry counts. A full snapshot is appended; an update replaces
// the last one with the same snapshot.messageId, or is appended. A file-history-delta line
// counts if its messageId is the id of an entry of the path. It changes the snapshot whose
// snapshot.messageId is its snapshotMessageId: for its path, it beats the snapshot and earlier
// deltas. Jlsnap prints the merged snapshots, one a line: each "snapshot" member byte for byte
// as logged, but its trackedFileBackups has what deltas change and, after its own paths, what
// they add. Deltas whose snapshot is not on the path make one, a copy of the last snapshot so
// far. Only --files and --restore use it: it is not printed, and a note says so.
//
//	-l, --leaf ID  answer for the given entry; a unique beginning of its id is enough:
//	               print the snapshots of the path that ends there, or, with --files and
//	               --restore, take the state at this entry of the path
//	--as READER    take the path of another program: claude-2.1, claude-2.0, sdk or
//	               sdk-system, as for jlpath
//	--files        print the state of the tracked files: one row for each path, sorted by
//	               path, with path, backup, version and backupTime as logged, state, and
//	               backupPath, where the backup is
//	--restore DIR  write that state into DIR, which is created or must be empty, and
//	               print the name of each file written
//	--force        with --restore: DIR need not be empty, and existing files are
//	               replaced
//	-0, --null     with --restore: end each name with NUL instead of newline
//	-H, --with-filename
//	               with --files: name the FILE in each row, even if it is the only one
//	--home DIR     a home that may have the backups; else those of all agents are searched
//
// The state at an entry is the one that a rewind of Claude Code to that entry leaves: with --as
// claude-2.1, or if jlpath prints the path that Claude Code loads. But Claude Code refuses an
// entry without a snapshot of its own, takes the backups of the session that it resumes, and
// skips a file whose folder is not the one that its backup names. The path ends at the leaf that
// the rules choose, or, if the entry is on another branch or above a compaction, at the entry, but
// not with --as: the client refuses it. Without -l, the end of the path is the entry. The last
// snapshot whose snapshot.messageId is the id of the entry counts, even if the entry is not on the
// path: a prompt above a compaction may have one. Else the snapshot of the nearest entry above it on the path counts.
// If there is none either, jlsnap prints nothing and the exit status is 1. If the snapshot lacks
// a path that another snapshot or a delta on the path tracks, the state has the path with its
// first version, wherever that is.
//
// Above a compaction this may not be what was there: Claude Code counts versions from 1 again when
// it resumes the session, and overwrites backups: one that is newer than its backupTime may hold
// a later content.
//
// The states are ok; pruned, the backup is gone; absent, the file did not exist then; untouched,
// the log tracks the file, but the path has no backup of it for that moment, so that a rewind
// leaves it as it is; and unreadable, with a reason: the backup cannot be opened, is not a
// regular file, or is not named as backups are, with 16 hexadecimal digits, "@v" and a version.
// With more than one FILE each row has a "file".
//
// Backups are in file-history/SESSION below the home. SESSION is the sessionId of the entry that
// the snapshot belongs to, else of the last entry of the path that has one, else the name of
// FILE without its extension. The home may be a symbolic link, but below it no link is followed.
// If the home does not exist, all backups are pruned.
//
// Each file is restored below DIR under its tracked path, which is relative to the session's
// working directory, or absolute if the file is outside of that; then it loses its leading
// slash. Jlsnap refuses a path with "..", one that is too long, one that leads through a
// symbolic link in DIR, and one where DIR has something that is not a regular file. It writes a
// temporary file, .jlsnap-N, in the directory of the file, gives it the permissions of the
// backup, syncs it, and then gives it its name, so the name never refers to a partial file.
// SIGINT, SIGTERM and SIGHUP remove the temporary file; the next run with --force removes what a
// killed run left. Several runs may restore into one DIR at the same time. Jlsnap reports a file
// that was absent: it neither creates it nor, with --force, removes it. It does not write an
// untouched file. It reports what cannot be restored, pruned backups too, writes the rest, and
// exits with 2. In the names printed, a newline is written as \u000a, unless -0 is given.
//
//	jlsnap --files -l 09e5 session.jsonl | jq -r 'select(.state == "ok") | .backupPath'
//	jlsnap --restore before -l 09e5 session.jsonl && diff -r before .
//
// Codex, GitHub Copilot CLI, Gemini CLI, Grok Build and DeepSeek log no file snapshots. Their
// logs, and those of unknown programs, are refused.
package main

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"jl/internal/cli"
	"jl/internal/operand"
	"jl/internal/reader"
	"jl/internal/session"
)

const about = "Print the file-history snapshots of a conversation, or restore its files."

const details = `Examples:
  jlsnap --files session.jsonl | jq -r '[.state, .path] | @tsv'
  jlsnap --restore before -l 09e5 session.jsonl

Exit status:
  0  there was an answer
  1  there was no snapshot or no such entry
  2  trouble: wrong usage, an ambiguous id, unreadable input or backup,
     a lost entry, a file that was not restored, a failed write
`

type flags struct {
	Leaf    string       `group:"Which moment" short:"l" placeholder:"ID" help:"Answer for the entry with this id; a unique prefix\nis enough."`
	As      reader.Rules `group:"Which moment" placeholder:"READER" help:"Take the path of another program:\nclaude, claude-2.1, claude-2.0, sdk or sdk-system."`
	Table   bool         `group:"Files" xor:"files-restore" name:"files" help:"Print the state of each tracked path as of the\nlast prompt at or above that entry."`
	Restore string       `group:"Files" xor:"files-restore" placeholder:"DIR" help:"Write that state into DIR, which is new or empty."`
	Force   bool         `needs:"restore" group:"Files" help:"With --restore: into a directory that is not empty;\nreplace existing files."`
	Null    bool         `needs:"restore" group:"Files" short:"0" help:"With --restore: end each name printed with NUL."`
	Named   bool         `needs:"files" group:"Files" short:"H" name:"with-filename" help:"With --files: name the FILE in each row, even if it is\nthe only one."`

	operand.Options
}

// Validate refuses options that contradict each other.
func (f *flags) Validate() error {
	switch {
	case strings.HasPrefix(f.Restore, "-"): // rather an option, and DIR was forgotten
		return fmt.Errorf("--restore needs a DIR; if that is %s, write ./%[1]s", f.Restore)
	case f.Restore != "" && len(f.Files) > 1:
		return errors.New("--restore takes one FILE")
	}
	return nil
}

// Help returns what follows the options in the help.
func (*flags) Help() string { return details }

func main() { cli.Main("jlsnap", about, run) }

func run(c *cli.Command, f *flags) {
	s := snapper{c: c, f: f, found: f.Leaf == ""}
	if f.Table || f.Restore != "" {
		homes, errs := session.Open(f.Home)
		defer homes.Close()
		s.homes = homes
		for _, err := range errs {
			if place, ok := errors.AsType[*fs.PathError](err); ok && len(homes) == 0 {
				s.dir = place.Path
			}
			if !errors.Is(err, fs.ErrNotExist) {
				s.homeErr = err
			} else if len(homes) == 0 {
				c.Note(cli.File(s.dir), "%s: every backup counts as pruned", cli.Reason(err))
			}
		}
		if len(homes)+len(errs) == 0 {
			c.Note(cli.Place{}, "no home of an agent is there: every backup counts as pruned")
		}
	}
	operand.Each(c, &f.Options, f.Named, s.log)
	if !s.found {
		operand.NoEntry(c, f.Files, f.Leaf)
	}
	if !s.answered {
		c.No()
	}
}
