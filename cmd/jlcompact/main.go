// Jlcompact prints the live part of session logs: from the last compaction on.
//
// Usage:
//
//	jlcompact [--cold | --list [-H] | -n K | --last N [--before ID] [--no-summary]]
//	          [-z [--level N]] [FILE]...
//	jlcompact --archive [--level N] [--update] | --extract [--to DIR] [--keep] FILE...
//
// A long session is a compacted history with a live conversation at its end. Jlcompact cuts the
// log between the two and prints the live part, byte for byte; with --cold it prints the rest. On a
// terminal, a line on standard error says that there is a rest. Jlcompact finds the cut of a log of
// Claude Code or pi from the end, so the time depends on the live part only.
//
//	LOG                  WHERE THE LIVE PART BEGINS
//	of Claude Code       at the boundary that the live conversation goes back to, or at
//	                     the first entry that this compaction kept
//	of pi                at the first entry that the last compaction above the last entry
//	                     kept
//	of Codex             at the last entry that replaces the history
//	of Copilot           where the last compaction started
//	of Gemini            at the last list of all messages
//	of DeepSeek          at the first event that the model still sees
//	of another program   at the beginning: nothing is cut
//	of pi, version 1     at the beginning: its compactions count the lines that they kept
//
// Whatever the log is, these cases are the same:
//
//	CASE                 WHAT JLCOMPACT DOES
//	a header             prints it first, also above the cold part
//	settings of pi       prints those that still hold after the header; see below
//	a damaged line       prints it; --list, --page and --last, which read the entries,
//	                     report it
//	a byte order mark    leaves it out in a FILE that is not the first
//
// If the live part of a log of Claude Code ends at the leaf that jlpath chooses, and begins at a
// boundary without a parent, jlpath and jlsnap give the same answer for it as for the whole log,
// except that jlsnap --files lists no file that only snapshots above the cut name, and that a copy
// above the cut of an entry of the live part, which no client writes, has no place in it. The path of
// another program's log goes on above its compactions, so jlpath prints less for the live part.
//
// With --archive and --extract jlcompact replaces logs by archives, and back.
//
// # The live conversation of Claude Code
//
// It ends at the last user, assistant, attachment or system entry in the file that is not on a
// sidechain and has a user or assistant entry at or above it. So a boundary compacts nothing until
// a message follows it, and a compaction that was undone cuts nothing. If parents lead to an
// orphan below the last boundary, the cut is at that boundary. The cut moves up over the snapshots
// of the entry there and over the lines without an id directly above.
//
// # Settings of pi
//
// After the header come the settings above the cut that still hold: the last model_change and the
// last thinking_level_change on the live path, and the last session_info of the file. Those on the
// live path get a new parentId where needed: each setting the one before it, and the uppermost
// live entry the last setting. So pi opens the live part with the context and the settings of the
// log. To find the settings, jlcompact may have to read the whole log, for instance if the session
// has no name. A log without a header gets no settings.
//
// # The newest messages
//
// The messages that --last counts are user and assistant entries, with the results of tools; in a
// pi log they are the entries of type message. What is between them on the path comes along, and
// so does the rest of a turn that would be cut in two.
//
// A path that begins below a lost parent or at a plan that began afresh goes on above it, as with
// jlpath --through.
//
// The first entry after the summary becomes a child of the summary, or a root if there is none.
// Another entry gets a new parent only if the client would not find it: its parent is left out,
// or the compaction kept it. In a pi log the header comes first, the compaction stays at its place
// on the path, and its firstKeptEntryId (in version 1, firstKeptEntryIndex) becomes the first entry
// that is left of what it kept; settings above are not printed.
//
// # Archives
//
// Claude Code deletes a session 30 days after its last change (cleanupPeriodDays in its settings).
// So archive after 20 days, or make a backup every night. An archive takes the log alone; the
// cookbook packs a session with all its files.
//
//	FILE                   WHAT JLCOMPACT DOES
//	of any kind            archives it: only bytes are read
//	not a regular file     refuses it, also a symbolic link or one of several hard links
//	open or changing       refuses it: another process has it open for writing, or writes it
//	already compressed     refuses to archive it
//	not sound zstd         refuses to extract it, as it does a name without .zst
//	its new name is taken  refuses it, unless the other file has the same bytes, mode
//	                       and time: then it completes the work of a killed run
//	gone already           takes it for replaced, if its new name is there; in another
//	                       directory (--to) that may be the archive of another FILE
//	archived in part       with --update, compares every byte and replaces the archive, also
//	                       one of another mode or time; one that holds anything else it
//	                       leaves alone, and reports it
//
// Owner, mode, times and, on Linux, the access control list are kept; where one of them cannot be, FILE
// stays. SIGINT, SIGTERM and SIGHUP remove the temporary file and its mark, a symbolic link
// .jlcompact-N to it. The next run in that directory removes what a killed run left, and names it:
// a file that has a mark, is not in use and is not a FILE. Small FILEs are replaced together, up to
// 256 of them or 256 MB, so both the FILEs and what replaces them need room. --extract leaves a hole
// in the file for each 256 KiB of zeros.
//
// Every night, --archive --keep --update is a backup of logs that grow. It copies the frames of
// the old archive, but for the last one, and compresses what follows.
//
// An image, a record or a message that the log repeats within 128 MiB is stored once. To find
// repeats, -z and --archive keep the last 128 MiB of the log, compressed, in a file in TMPDIR. Where
// much repeats, one frame holds up to 512 MiB of the log: to read it takes up to 128 MiB of memory
// more, and a program that starts inside it unpacks it into a file in TMPDIR.
//
// zstd --long=27 also finds repeats of less than 512 bytes, and so does better with many short
// messages that are repeated under new ids. zstd --long=31 finds what is farther apart, but no
// program of the suite reads such a file, nor does zstd -d without that option.
//
// Only Linux can tell whether a FILE is open for writing, only to the owner of the FILE and to
// root, and not on every file system. Elsewhere, do not archive a session that is being
// written: jlcompact looks at FILE once more before it removes it, but what is appended after
// that is lost.
package main

import (
	"errors"
	"fmt"
	"slices"

	"jl/internal/cli"
	"jl/internal/frames"
	"jl/internal/operand"
)

const about = "Print the live part of session logs: from the last compaction on."

const details = `Examples:
  jlcompact session.jsonl | jlpath
  jlcompact --last 20 session.jsonl | jlpath -s | jq -r chat
  find . -name '*.jsonl' -mtime +20 -exec jlcompact --archive {} +

Exit status:
  0  the lines were printed, or the FILEs were replaced
  1  the log lacks the page or the entry
  2  trouble: wrong usage, unreadable input, a FILE that was not replaced,
     a failed write
`

// The manual tells of each option what its comment says, or else its help.
type flags struct {
	// Print what is above the cut instead, with the same header.
	Cold bool `group:"Which part" xor:"mode" help:"Print what is above the cut instead."`

	// Print one row for each page, the part of the log from a boundary to the next.
	List bool `group:"Which part" xor:"mode" help:"Print a row for each page between compactions."`

	Named bool `needs:"list" short:"H" name:"with-filename" group:"Which part" help:"With --list: name the FILE in each row, even if it is\nthe only one."`

	// Print page K as --list counts; -1 is the last, -2 the one before.
	Page *int `group:"Which part" xor:"mode" short:"n" placeholder:"K" help:"Print page K; negative ones count from the end."`

	// Print only the newest N messages of the path that jlpath prints, below the boundary and the summary that it
	// begins with, connected so that the client loads them; see below.
	Last *int `group:"Which part" xor:"mode" placeholder:"N" help:"Print only the newest N messages of the path."`

	// With --last: print the N messages before ID instead, byte for byte, of what jlpath --through prints, or, if
	// that has no ID, of the path that ends at ID.
	Before string `needs:"last" group:"Which part" placeholder:"ID" help:"With --last: print the N messages before this one."`

	// With --last: print the newest N messages of what jlpath --through prints. Pass the first id of a page as
	// --before to get the page above it; all pages together are what jlpath --through prints, whatever N is.
	NoSummary bool `needs:"last" group:"Which part" help:"With --last: leave out the boundary and the summary."`

	// Compress the output as seekable zstd: any zstd reads it, and the programs of the suite read it from any
	// place.
	Zstd bool `group:"Compression" xor:"zstd-archive,zstd-extract" short:"z" help:"Compress the output as seekable zstd."`

	// With -z and --archive: compress with level N, 1 to 19, as zstd counts; the default is 3.
	Level *int `needs:"zstd,archive" group:"Compression" placeholder:"N" help:"Compress with level N, 1 to 19; the default is 3."`

	// Replace each FILE by FILE.zst: write a temporary file, .jlcompact-N-X, read it back and compare every byte,
	// and only then remove FILE; whenever the program is killed, the old or the new file is whole.
	Archive bool `group:"Archives" xor:"mode,zstd-archive" help:"Replace each FILE by FILE.zst, safely."`

	// Replace each archive FILE.zst by FILE, in the same way; any zstd may have made the archive.
	Extract bool `group:"Archives" xor:"mode,zstd-extract" help:"Replace each archive FILE.zst by FILE, safely."`

	To string `needs:"archive,extract" group:"Archives" placeholder:"DIR" help:"With --archive and --extract: write into DIR."`

	// With --archive and --extract: keep what is replaced, too.
	Keep bool `needs:"archive,extract" group:"Archives" help:"With --archive and --extract: keep what is replaced."`

	// With --archive: replace an archive that holds a beginning of FILE by one of the whole FILE, in the same way.
	Update bool `needs:"archive" group:"Archives" help:"With --archive: replace an archive that holds a\nbeginning of FILE."`

	operand.Options
}

// Validate refuses options that contradict each other.
func (f *flags) Validate() error {
	switch {
	case f.Page != nil && *f.Page == 0:
		return errors.New("--page counts from 1, or from -1 at the end")
	case f.Last != nil && *f.Last < 1:
		return errors.New("--last needs a number above 0")
	case f.Level != nil && (*f.Level < 1 || *f.Level > frames.MaxLevel):
		return fmt.Errorf("--level is from 1 to %d", frames.MaxLevel)
	case f.replaces() && (len(f.Files) == 0 || slices.Contains(f.Files, "-")):
		return errors.New("--archive and --extract need a FILE other than standard input")
	}
	return nil
}

// replaces reports whether the FILEs are replaced.
func (f *flags) replaces() bool { return f.Archive || f.Extract }

// level returns the level to compress with, 0 for the default.
func (f *flags) level() int {
	if f.Level == nil {
		return 0
	}
	return *f.Level
}

// Help returns what follows the options in the help.
func (*flags) Help() string { return details }

func main() { cli.Main("jlcompact", about, run) }

func run(c *cli.Command, f *flags) {
	if f.replaces() {
		replaceFiles(c, f)
		return
	}
	compact(c, f)
}
