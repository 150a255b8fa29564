// Jlcompact prints what of session logs is still live: from the last compaction on.
//
// Usage:
//
//	jlcompact [--cold | --list | -n K | --last N [--before ID] | --stamp] [-z] [FILE]...
//	jlcompact --archive [--to DIR] [--keep] FILE...
//
// A long session is a history of compacted conversation with a live tail. The live
// conversation ends at the last conversation entry in the file that is on no
// sidechain and goes back by parents to a root. If that root is a boundary, the
// entry that a compaction wrote, the log is cut there: at the first entry that the
// compaction preserved, if it preserved any, or that a later one preserved below an
// entry of this conversation; and above what belongs to that: the other calls of its
// message, its snapshots, and the lines without an id that stand directly above, for
// what stands beside the tree belongs to what follows. If it is none, nothing was
// compacted and the whole file is live. So where the leaf that jlpath chooses is the
// end of the live conversation, jlpath and jlsnap say of the live part what they say
// of the log.
//
// Of a pi log the cut is at the first entry kept by the last compaction above the last
// entry, and the header comes first. A pi log of version 1 is not cut: its compactions
// name what they kept by a number of lines, which a cut would make wrong.
//
// The cut is found by reading backwards from the end, so it costs what the live part
// costs, whatever the size of the log. All lines come out byte for byte, damaged
// ones too: nothing is lost, so nothing is said of them but by --list, --page and
// --last, which read the entries. Of several FILEs each is a session of its own; a BOM in front
// of a later one is left out.
//
//	    --cold       print what stands above the cut instead: cold and then live is
//	                 the log to the byte (of a pi log the header is in the cold part,
//	                 and in the live part once more)
//	    --list       print one row for each page, the parts of the log that begin at
//	                 the boundaries: "page", "entries", "bytes", "offset", and of the
//	                 compaction that began it "trigger" and "tokensBefore"
//	-n, --page K     print page K as --list counts; -1 is the last, -2 the one before
//	    --last N     print only the newest N conversation entries of the live path,
//	                 below the boundary and the summary that it begins with
//	    --before ID  with --last: print the N entries before ID instead, as the live
//	                 conversation has them, or the one that ends at ID, going back
//	                 across compactions; a beginning of the id that no other has is
//	                 enough
//	    --no-summary with --last: leave out the boundary and the summary
//	    --stamp      print the whole pi log with the place of its cut written into
//	                 its header, as lastCompactionId and resumeOffset
//	-z, --zstd       compress the output as seekable zstd: any zstd reads it, and the
//	                 programs of the suite read it from any place
//	    --level N    compress with level N, 1 to 19, as zstd counts; 3 if not given
//	    --archive    replace each FILE by FILE.zst: it is written aside, read back and
//	                 compared byte for byte before FILE is removed; killed at any
//	                 instant, the old or the new is whole
//	    --to DIR     with --archive: write into DIR
//	    --keep       with --archive: do not remove FILE
//
// Archiving leaves alone, and names, what is no regular file, has other names (hard
// or symbolic links), is compressed already, changes meanwhile, or whose archive's
// name is taken, unless by the archive of the very same bytes: then a run that was
// killed is finished. Owner, mode and times are kept. FILE is looked at once more
// right before it is removed; an entry that is appended in the microseconds between
// is lost, so do not archive a session that is being written.
//
// The resumeOffset that a header names is not relied on: what is found is right
// whether the header tells the truth or not.
//
// The exit status is 0, 1 if there is no such page or entry, and 2 if some input
// could not be read, or the output not be written, or a FILE was not archived.
package main

import (
	"errors"
	"slices"

	"jl/internal/cli"
)

const about = "Print what of session logs is live: from the last compaction on."

type flags struct {
	Cold      bool     `help:"Print what stands above the cut instead."`
	List      bool     `help:"Print a row for each page between compactions."`
	Page      *int     `short:"n" placeholder:"K" help:"Print page K; negative ones count from the end."`
	Last      *int     `placeholder:"N" help:"Print only the newest N conversation entries of the live path."`
	Before    *string  `placeholder:"ID" help:"With --last: print the N entries before this one instead."`
	NoSummary bool     `help:"With --last: leave out the boundary and the summary."`
	Stamp     bool     `help:"Print a pi log with the place of its cut in its header."`
	Zstd      bool     `short:"z" help:"Compress the output as seekable zstd."`
	Level     *int     `placeholder:"N" help:"Compress with level N, 1 to 19; 3 if not given."`
	Archive   bool     `help:"Replace each FILE by FILE.zst, safely."`
	To        string   `placeholder:"DIR" help:"With --archive: write into DIR."`
	Keep      bool     `help:"With --archive: do not remove FILE."`
	Files     []string `arg:"" optional:"" name:"file" help:"With no FILE, or when FILE is -, read standard input."`
}

// Validate refuses options that contradict each other.
func (f *flags) Validate() error {
	modes := 0
	for _, m := range []bool{f.Cold, f.List, f.Page != nil, f.Last != nil, f.Stamp, f.Archive} {
		if m {
			modes++
		}
	}
	switch {
	case modes > 1:
		return errors.New("only one of --cold, --list, --page, --last, --stamp and --archive can be used")
	case f.Page != nil && *f.Page == 0:
		return errors.New("--page counts from 1, or from -1 at the end")
	case f.Last != nil && *f.Last < 1:
		return errors.New("--last needs a number above 0")
	case (f.Before != nil || f.NoSummary) && f.Last == nil:
		return errors.New("--before and --no-summary need --last")
	case f.Before != nil && *f.Before == "":
		return errors.New("--before needs an id")
	case f.Before != nil && f.NoSummary:
		return errors.New("--before prints no summary of its own: --no-summary is not for it")
	case f.Level != nil && (*f.Level < 1 || *f.Level > 19):
		return errors.New("--level is from 1 to 19")
	case f.Level != nil && !f.Zstd && !f.Archive:
		return errors.New("--level needs --zstd or --archive")
	case (f.To != "" || f.Keep) && !f.Archive:
		return errors.New("--to and --keep need --archive")
	case f.Archive && f.Zstd:
		return errors.New("--archive writes zstd without --zstd")
	case f.Archive && (len(f.Files) == 0 || slices.Contains(f.Files, "-")):
		return errors.New("--archive needs a FILE, and standard input is none")
	}
	return nil
}

// level returns the level to compress with, 0 for the default.
func (f *flags) level() int {
	if f.Level == nil {
		return 0
	}
	return *f.Level
}

func main() { cli.Main("jlcompact", about, run) }

func run(c *cli.Command, f *flags) {
	if f.Archive {
		archiveFiles(c, f)
		return
	}
	c.Finish(compact(c, *f))
}
