// Jlsnap prints the file-history snapshots of a conversation. It can also list the state of the
// tracked files at an entry, and write that state into a directory.
//
// Usage:
//
//	jlsnap [-l ID] [--as READER] [--files [-H] | --restore DIR [--force] [-0]]
//	       [--home DIR]... [FILE]...
//
// Before Claude Code edits a file, it backs the file up. For each prompt it logs a snapshot:
// which files it tracks, and which backup holds each. Since 2.1.220 it also logs a delta for each
// file that it touches for the first time. Jlsnap merges the snapshots and deltas along the path
// that jlpath prints, and prints the merged snapshots, one a line: each "snapshot" member byte
// for byte as logged, with the changes of its deltas.
//
// With --files jlsnap prints the state of each tracked file at an entry, and with --restore it
// writes this state into a directory. It is the state that a rewind of Claude Code to that entry
// leaves. Without -l, the entry is the end of the path.
//
//	CASE                    WHAT JLSNAP DOES
//	an entry off the path   takes the path that ends there, also above a compaction;
//	                        with --as refuses the entry, as the client does
//	no snapshot of its own  takes the snapshot of the nearest entry above it on the
//	                        path, though the client refuses such an entry; if no
//	                        entry above has one, prints nothing, with status 1
//	a file not in it        takes the first version of the file, if another snapshot or
//	                        a delta on the path has one
//	a delta without one     applies the delta to a copy of the last snapshot before it,
//	                        which only --files and --restore use, and a note says so
//	overwritten backups     writes nothing, and names them: Claude Code counts versions
//	                        from 1 again when it resumes a session, and a later backup
//	                        with the same name replaces the earlier one
//	another folder's files  leaves them alone, as Claude Code does: the session was in
//	                        that folder for a while
//	another agent's log     refuses it: only Claude Code logs such snapshots
//
// # How snapshots are merged
//
// For each entry, the last file-history-snapshot line whose messageId is the id of the entry
// counts. A full snapshot is appended; an update replaces the last one with the same
// snapshot.messageId, or is appended.
//
// A file-history-delta line counts if its messageId is the id of an entry of the path. It changes
// one file of the snapshot whose snapshot.messageId is its snapshotMessageId; the last delta of a
// file counts. The files that deltas add come after those of the snapshot.
//
// The state at an entry is in the last snapshot whose snapshot.messageId is the id of the entry,
// even if the entry is not on the path: a prompt above a compaction may have one. If an entry has
// none, as a prompt that was sent again, the snapshots and deltas of the entries below it count.
//
// # A moment
//
// Claude Code backs files up when a prompt is sent. At a time within a turn, jlsnap takes the state
// at the prompt, and then what the calls on the path have changed by then, as their results say. If
// the next prompt comes before a file is changed again, the backup of that prompt has the file as it
// was. Else the log tells the text, and the file is written with the permissions of the last backup:
// in a row of --files its state is "edited". If neither tells the text, a message says how many edits
// are missing, the file is left as it was at the prompt, and the status is 2. Jlsnap does not see
// edits by a shell, or by a sub-agent with a log of its own. With --as, a time is the last entry that
// is not later.
//
// # Backups
//
// Backups are in file-history/SESSION below a home: that of --home, or else those of all agents.
// SESSION is the sessionId of the entry that the snapshot belongs to, else of the last entry of
// the path that has one, else the name of FILE without its extension. The client itself takes the
// backups of the session that it resumes. Below the home no symbolic link is followed. If the
// home does not exist, all backups are pruned.
//
// # Restored files
//
// Each file is restored below DIR under its tracked path, which is relative to the session's
// working directory, or absolute if the file is outside of that; then it loses its leading
// slash. Jlsnap refuses a path with "..", one that is too long, one that leads through a
// symbolic link in DIR, and one where DIR has something that is not a regular file.
//
// It writes a temporary file, .jlsnap-N-X, in the directory of the file, gives it the permissions
// of the backup, syncs it, and then gives it its name, so the name never refers to a partial
// file. SIGINT, SIGTERM and SIGHUP remove the temporary file and its mark, a symbolic link .jlsnap-N
// to it. The next run with --force removes what a killed run left, and names it: a file that has a
// mark and is not in use. Several runs may restore into one DIR at the same time.
//
// Jlsnap reports a file that was absent: it neither creates it nor, with --force, removes it. It
// does not write an untouched file. It reports what cannot be restored, pruned backups too,
// writes the rest, and exits with 2. In the names printed, a newline is written as \u000a, unless
// -0 is given.
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
  jlpath -ts session.jsonl | jq -nr 'patch(inputs)'  # the edits, as a diff

Exit status:
  0  there was an answer
  1  there was no snapshot or no such entry
  2  trouble: wrong usage, an ambiguous id, unreadable input or backup,
     a lost entry, a file that was not restored, a failed write
`

// The manual tells of each option what its comment says, or else its help.
type flags struct {
	// Print the snapshots of the path that ends at the given entry, or, with --files and --restore, take the state
	// at this entry. With a day or a time, take the state at that moment; a time without a zone is local, and a
	// day, a minute or a second counts to its end.
	Leaf string `group:"Which moment" short:"l" placeholder:"ID" help:"Answer for the entry with this id, or its unique\nbeginning. With a day or a time (2026-11-24T16:00),\nanswer for that moment."`

	// Take the path of another program: claude-2.1, claude-2.0, sdk or sdk-system, as for jlpath.
	As reader.Rules `group:"Which moment" placeholder:"READER" help:"Take the path of another program:\nclaude, claude-2.1, claude-2.0, sdk or sdk-system."`

	// Print a row for each tracked file, sorted by path.
	Table bool `group:"Files" xor:"files-restore" name:"files" help:"Print the state of each tracked path as of the\nlast prompt at or above that entry."`

	// Write the state into DIR, which is created or must be empty, and print the name of each file written.
	Restore string `group:"Files" xor:"files-restore" placeholder:"DIR" help:"Write that state into DIR, which is new or empty."`

	// With --restore: DIR need not be empty, and existing files are replaced.
	Force bool `needs:"restore" group:"Files" help:"With --restore: into a directory that is not empty;\nreplace existing files."`

	Null  bool `needs:"restore" group:"Files" short:"0" help:"With --restore: end each name printed with NUL."`
	Named bool `needs:"files" group:"Files" short:"H" name:"with-filename" help:"With --files: name the FILE in each row, even if it is\nthe only one."`

	operand.Options
}

// Validate refuses options that contradict each other.
func (f *flags) Validate() error {
	switch {
	case strings.HasPrefix(f.Restore, "-"): // an option, and DIR was forgotten
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
	if f.Restore != "" {
		f.Single = "--restore"
	}
	s := snapper{c: c, f: f, found: f.Leaf == ""}
	if f.Table || f.Restore != "" {
		homes, errs := session.Open(f.Home)
		defer homes.Close()
		s.homes = homes.WithBackups()
		for _, err := range errs {
			if len(s.homes) == 0 {
				s.dir = err.Path
			}
			if !errors.Is(err, fs.ErrNotExist) {
				s.homeErr = err.Err
			} else if len(s.homes) == 0 {
				c.Note(cli.File(s.dir), "%s: every backup counts as pruned", cli.Reason(err.Err))
			}
		}
		if len(s.homes)+len(errs) == 0 {
			c.Note(cli.Place{}, "no home with backups is there: every backup counts as pruned")
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
