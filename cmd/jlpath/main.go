// Jlpath prints the conversation that ends at a leaf of session logs, root first.
//
// Usage:
//
//	jlpath [-l ID|A..B|-]... [--union] [--chain] [--bridge] [--through] [--meta]
//	       [--strip] [--session UUID] [--cwd DIR] [FILE]...
//	jlpath --as READER [-l ID|A..B|-]... [--union] [--meta] [--strip]
//	       [--session UUID] [--cwd DIR] [FILE]...
//	jlpath -a [--meta] [--strip] [--session UUID] [--cwd DIR] [FILE]...
//
// A session log is a tree: each entry names its parent, and going back and trying again
// makes a branch. Jlpath starts from the leaf that jlleaf chooses, the newest, and prints
// the entries from the root down to it, byte for byte as they were logged.
//
// A message of several entries and the results of its calls are one turn, although parallel
// calls make them look like branches. Jlpath prints a whole turn where the path comes to
// it: the entries of the message, then the results of its calls and what hangs between
// them, each in file order. What the last compaction kept comes after its summary.
//
// A path is one branch and starts at the last compaction, as for the model. What a person asks
// about a conversation often needs --through. If standard error is a terminal, a line says what
// a path leaves out.
//
//	-l, --leaf ID  end at the given entry; the beginning of an id is enough if no
//	               other id has it. Given more than once, jlpath prints one path
//	               after another. With A..B, print what the path of B has and the
//	               path of A lacks; a missing A or B is the leaf that jlleaf chooses.
//	               With -, read leaves from standard input, one a line: ids, bare or
//	               as JSON strings, or entries or edges with an id. An edge that
//	               names its "file" is looked up in that FILE only
//	-a, --all      print every whole entry of the log once, in file order: the healed
//	               log. Entries recovered from a damaged line get lines of their own.
//	               Of entries with the same id and bytes only the last is printed
//	--union        print the entries of all paths once, in file order: the log with
//	               the chosen branches only
//	--chain        print the bare walk from parent to parent
//	--bridge       where a parent is not in the file, go on at the newest entry that
//	               is not younger than its child, of the same session, and on a
//	               sidechain if the child is on one. Standard error names each such
//	               guess
//	--through      go on across compactions, by logicalParentUuid, to the true
//	               beginning, or, where the entry that a boundary names is not in the
//	               file, at the newest entry above the boundary. Standard error names
//	               each such guess
//	--meta         add the entries that belong to the path but have no parent: its
//	               snapshots, summaries, titles and tags, each before the first
//	               entry of the path that follows it in the file
//	--strip        leave out isSidechain and parentUuid, which the API refuses
//	--session UUID write UUID as each sessionId, and null as the parent of the first
//	               entry if it is not in the file. An entry that is not printed is
//	               passed over: what is below it gets the nearest printed one above
//	               as its parent. Saved as UUID.jsonl in
//	               the project's folder, the output is a session that
//	               claude --resume UUID opens. With --meta it also has a name, so that
//	               lists show it: unless jlpath prints a custom-title entry of the last
//	               64 KiB of the log, it adds one at the end, with the title that it has
//	               printed, the summary of jlrel --list, the first prompt on the path or
//	               the first words of the model. A pi session keeps the last name in its
//	               log, on whatever branch it is
//	--cwd DIR      write DIR in place of the log's first cwd, in each path that is this
//	               folder or below it: the cwd of entries, the folders of backups and
//	               what tells the worktree of git. A session whose project was moved
//	               or renamed, also from Windows to another system or back: DIR has
//	               the separators of its system
//	--as READER    answer as another program does: claude-2.1 (claude --resume),
//	               claude-2.0 (the published algorithm of 2.0.73), sdk (the Agent
//	               SDK's getSessionMessages), sdk-system (with system messages);
//	               claude is the newest Claude Code of these, claude-2.1
//
// The path of a pi log is what pi loads: from the last entry up. If the log begins with
// its header, so does what is printed, and --session sets the header's id: pi does not
// open a file without one.
//
// The path of a log of another program (see jltree) is its entries in order, without
// headers, undo entries and what was undone. The newest text of a message takes the place
// of the first. The options --strip, --session, --cwd and --as are refused there.
//
// If ids form no chain, as in a capture of stream-json (see jltree), the path is the conversation
// in file order. A note says that, and also if the newest leaf, the last in the file and the one that
// a last-prompt entry names are not the same, or if most of the conversation is beside the path and no
// fork at a prompt explains that.
//
// An orphan, an entry whose parent is not in the file, starts the path, and standard error
// names it; so does an entry at which parents make a cycle. Jlpath reports a damaged line and
// recovers the whole entries in it, but not with --as, because those programs skip such a
// line; only the SDK, and so --as sdk, takes an entry after control characters. It reports an entry that is not valid JSON and leaves it out, so what is below that is
// an orphan in the output, unless --session gives it another parent.
//
// Running jlpath on its own output changes nothing, except after -a, --union, --bridge,
// --through, --meta, --strip, --as or several -l, for a given entry that is a link, on a
// sidechain, on a cycle, or between the entries of a message, and in some logs in which messages
// are above each other or preserved lists contradict the parents or the order of the lines.
//
//	jlpath --through session.jsonl | jq -r prompts
//	zstd -dc old.jsonl.zst | jlpath --through | less
//	jlleaf -a session.jsonl | jlpath -l - session.jsonl
//	jlpath -a torn.jsonl >healed.jsonl
package main

import (
	"errors"
	"fmt"
	"path"
	"slices"

	"jl/internal/cli"
	"jl/internal/entry"
	"jl/internal/operand"
	"jl/internal/reader"
	"jl/internal/record"
	"jl/internal/session"
)

const about = "Print the conversation that ends at a leaf of session logs, root first."

const details = `Examples:
  jlpath --through session.jsonl | jq -r timeline  # jl.jq is ~/.jq: man 7 jl
  jlleaf -a session.jsonl | jlpath -l - session.jsonl

Exit status:
  0  a path was printed
  1  no leaf was found, one of the given entries was not, or A..B leaves nothing
  2  trouble: wrong usage, an ambiguous id, unreadable input, a lost entry,
     a failed write
`

type flags struct {
	Leaf    []string     `group:"Which entries" short:"l" sep:"none" placeholder:"ID" xor:"all-leaf" help:"End at the entry with this id; a unique prefix is enough.\nWith A..B, print what B's path has and A's has not.\nWith -, read ids, entries or edges from standard input."`
	All     bool         `group:"Which entries" short:"a" xor:"all-leaf,all-union,all-chain,all-bridge,all-through,all-as" help:"Print each whole entry once, in file order: a healed log."`
	Union   bool         `group:"Which entries" xor:"all-union" help:"Print the entries of all paths once, in file order."`
	Chain   bool         `group:"Which entries" xor:"all-chain,as-chain" help:"Print the bare walk from parent to parent."`
	Bridge  bool         `group:"Which entries" xor:"all-bridge,as-bridge" help:"Tie an entry without its parent to what came before it."`
	Through bool         `group:"Which entries" xor:"all-through,as-through" help:"Go on across compactions, to the true beginning."`
	Meta    bool         `group:"Which entries" help:"Add the path's snapshots, summaries, titles and tags."`
	As      reader.Rules `group:"Which entries" xor:"all-as,as-chain,as-bridge,as-through" placeholder:"READER" help:"Answer as another program does:\nclaude, claude-2.1, claude-2.0, sdk or sdk-system."`
	Strip   bool         `group:"Changes" help:"Leave out isSidechain and parentUuid."`
	Session string       `group:"Changes" placeholder:"UUID" help:"Write UUID as each sessionId."`
	Cwd     string       `group:"Changes" placeholder:"DIR" help:"Write DIR in place of the log's first cwd."`
	operand.Options
}

// Validate refuses options that contradict each other.
func (f *flags) Validate() error {
	fromStdin := slices.Contains(f.Leaf, "-")
	switch {
	case f.Session != "" && !session.IsID(f.Session):
		return fmt.Errorf("--session %q is not a UUID", f.Session)
	case f.Cwd != "" && !path.IsAbs(f.Cwd) && !isWindows(f.Cwd):
		return fmt.Errorf("--cwd %q is not an absolute path", f.Cwd)
	case fromStdin && len(f.Files) == 0:
		return errors.New("--leaf - needs a FILE: standard input holds the leaves")
	case fromStdin && slices.Contains(f.Files, "-"):
		return errors.New("standard input cannot hold both the leaves and a log")
	}
	return nil
}

// Help returns what follows the options in the help.
func (*flags) Help() string { return details }

// aboutSession returns the first of the options that only the logs of some programs have a
// meaning for, "" if none is given.
func (f *flags) aboutSession() string {
	switch {
	case f.Strip:
		return "--strip"
	case f.Session != "":
		return "--session"
	case f.Cwd != "":
		return "--cwd"
	case f.As != reader.Default:
		return "--as"
	}
	return ""
}

func main() { cli.Main("jlpath", about, run) }

func run(c *cli.Command, f *flags) {
	p := printer{c: c, f: f, leaves: leavesOf(c, f.Leaf)}
	if f.Strip || f.Session != "" || f.Cwd != "" {
		p.edit = &edit{strip: f.Strip, session: entry.Value(record.Text(f.Session))}
	}
	operand.Each(c, &f.Options, false, func(file *operand.File) {
		p.file, p.headed = file, false
		if f.All {
			p.all()
		} else {
			p.log()
		}
	})
	if !p.notLog { // else no more is to be said
		p.missing()
	}
	if !p.printed {
		c.No()
	}
}
