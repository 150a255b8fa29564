// Jlpath prints the conversation that ends at a leaf of session logs, root first.
//
// Usage:
//
//	jlpath [-l ID|A..B|-]... [--union] [--chain] [--bridge] [--through] [--meta]
//	       [--strip] [--session UUID] [--cwd DIR] [FILE]...
//	jlpath --as READER [-l ID|A..B|-]... [--union] [--meta] [--strip]
//	       [--session UUID] [--cwd DIR] [FILE]...
//	jlpath -a [--meta] [--strip] [--session UUID] [--cwd DIR] [FILE]...
//	jlpath -s | --said=KIND,... [OPTION]... [FILE]...
//
// A session log is a tree: each entry names its parent, and going back and trying again makes a
// branch. Jlpath starts from the leaf that jlleaf chooses and prints the entries from the root
// down to it, byte for byte as they were logged. So a path is one branch, and starts at the last
// compaction, as it does for the model; --through prints the whole conversation. If standard error
// is a terminal, or most of the log is on other branches, a line says what the path leaves out.
//
// A path is a part of the log, in file order. The entries of a message, the results of its calls
// and what is between them are one turn, although parallel calls make them look like branches. A
// path has the turn of the leaf and all turns above it. What hangs beside them is another branch,
// with three exceptions, which the path has too: entries without a message of the user or the
// model, such as what a hook printed; prompts without an answer that hang on a call, a result or a
// prompt, because they were sent while the model went on; and an answer without a prompt beside
// which the conversation went on, because the client recovered from an error.
//
//	LOG                       ITS PATH
//	compacted                 begins at the last compaction, and has what that kept;
//	                          --through goes on above it, and above what it kept
//	of pi                     what pi loads, from the last entry up, and the header
//	a list, as of Codex       the entries in order, without headers, undo entries and
//	                          what was undone; the newest text of a message is in
//	                          place of the first
//	without a chain of ids    the conversation in file order, as in a capture of
//	                          claude -p --output-format stream-json
//
// Standard error names what is wrong with a log:
//
//	TROUBLE                   WHAT JLPATH DOES
//	a missing parent          begins below it, at the orphan; --through goes on above
//	a cycle of parents        prints all of it, and nothing above
//	an id used again          takes the last entry, unless that repeats one before it
//	an entry of invalid JSON  leaves it out; its children get the nearest printed entry
//	                          above it as their parent
//	rules that disagree       says which leaf is the newest, the last and the pinned
//	most is beside the path   says so, unless prompts that were sent again are the reason
//
// Jlpath refuses --strip, --session, --cwd and --as for a list and for a log of an unknown program.
//
// # Rows
//
// With -s, jlpath prints a row for each thing that was said or done in the entries, the same for
// the logs of all agents, and for captures of a run in CI. A row is JSON on one line. It has the
// members of any row, and then those of its kind, in this order. A member in brackets is left out if
// it does not apply; any other is null then. As "is" comes first, grep '^{"is":"prompt"' selects
// prompts.
//
//	IS          MEMBERS
//	any         is, [timestamp], session, [agentId], [isSidechain], [uuid], [key]:
//	            timestamp is ISO 8601, null if the log has none; session is the id of
//	            the session, in the log of a sub-agent too, or the name of the FILE if
//	            the log has no id; agentId is there if a sub-agent said it, or
//	            isSidechain in old logs, which do not name the sub-agent; uuid is what
//	            -l takes, #LINE in logs whose entries have no ids; key names the row,
//	            as told below, and is the last member
//	prompt      text, images, [mode], [queued], [call], [by], [plan]: images is the
//	            number of images; mode is the permission mode in which it was sent, if
//	            the log tells; queued is true if it waited while something else was
//	            said or done, or if no entry says it; call is there if the text was
//	            typed to refuse a call, or as an answer or a note to one; by is "model"
//	            if nobody typed it, because it is the task of a sub-agent, or a plan of
//	            the model that is carried out in a new session; plan is there if the
//	            model is to carry out an approved plan: the first heading of the plan,
//	            or its first words
//	answer      text, model, [message]
//	thinking    text, model, [message]
//	call        id, name, input, cwd, model, [message]
//	result      call, name, failed, [refused], [answered], seconds, text, images,
//	            [agent]: name is that of the call; refused is true if the user refused
//	            it; answered is true if it is the user's answer to a question; seconds
//	            counts from the call; agent is the sub-agent that it started
//	file        call, name, cwd, action, path, [to], failed, [diff]: cwd is the first
//	            folder of the session; action is read, write, edit, delete or move, or
//	            named, if a prompt names it with @ (call and name are null then); to is
//	            where a move leads; failed is null without a result; diff has hunks
//	            that git apply takes, "" if nothing changes, "@@ -0,0 +0,0 @@" for a new
//	            empty file, and is absent if the log does not tell
//	todo        id, text, status: a change of a list of what there is to do; status is
//	            "deleted" if it left the list
//	usage       message, model, [speed], input, output, cacheWrite, cacheWrite5m,
//	            cacheWrite1h, cacheRead, cwd, [gitBranch], [agentType], [skill],
//	            [thinking], [tier], [geo], [webSearches], [mcp]: the tokens of a
//	            message, in one row, printed when later messages have begun; message is
//	            null for the rest of a total that no message tells; thinking is a part
//	            of output; tier and geo say at what price and where the model ran, if
//	            the log tells; mcp is the server whose tools the message is about
//	bill        dollars, input, output, cacheWrite, cacheRead, linesAdded,
//	            linesRemoved, seconds: what the client itself counted, for each of
//	            its starts, or for each message
//	error       text
//	hook        name, failed, text: a hook that failed or said something
//	fired       name, text: a hook that ran and did neither; text is its command, if the
//	            log tells
//	shell       command, text, failed: a command of the user's own
//	task        call, failed, text: how a task in the background ended
//	member      name, text: what another agent of a team, or another session, said
//	context     text: what the client, a schedule or another agent said to the model in
//	            the name of the user, such as the body of a skill, instructions, what a
//	            hook added or the content of a file that a prompt names, and what the
//	            client said in the name of the model
//	compaction  [kept]: the ids of the first entries that it kept
//	summary     text, [alone]: what a compaction wrote; alone is true if no compaction
//	            wrote it, such as what pi says of a branch that was left
//	recap       text: what the client says about the session so far
//	title       text, rank: 3 if the user gave it, 2 if the client did, 1 if it is made
//	            of a summary
//	session     model, cwd: the session begins, or its model or its folder changes
//	picture     [call], media, [url], [data]: a picture has url or data
//	left        what, count: printed last, whatever kinds are named: how many
//	            conversation entries of the log the path leaves out, above it, where
//	            --through goes on, or on branches; not with -a, --union, --chain, --as
//	            or A..B
//	unread      what, count: printed last: the name of something that no rule reads, and
//	            how often it is in the log
//
// Pictures and hooks that fired have rows only if their kind is named. A path also has rows of what
// has no place in the tree: the queue, titles, and what the client counted. With -a, jlpath prints
// rows as it reads the log. Standard error names what was not read.
//
// Texts and inputs are the bytes of the log, where they are JSON already; a lone surrogate is written
// \ufffd. Each thing has one row, although logs repeat things. A prompt is what a person typed: the
// text without what clients are known to put in between tags. A text is no prompt if its entry says
// that somebody else wrote it.
//
// A text that waited in the queue has a row of its own only if no entry says it, on any branch, and
// if the user did not take it back and send it changed. The row is at the place where the text was
// queued or, if jlpath -a reads standard input or a compressed FILE, at the end. If a log begins with
// a copy of another log, as a fork of Codex does, the copy has rows only with --through. A sub-agent
// of Claude Code has a log of its own; if that log is not in the folder of the session, what the
// session reports of its progress has rows, with the ids that the log had.
//
// # A row is a fact
//
// A row says the same whatever part of the log is printed, so rows can be filtered, sorted and joined
// one by one: the rows of a path are rows of jlpath -as. The exceptions are rows of todo, left and
// unread, which are about the part that is printed, and the rows that --through reads from another
// log. Several logs, as FILEs or one behind the other on standard input, have the rows of each. On
// standard input, an entry that names no session, such as a title at the beginning of a log, counts
// for the session before it, the folder of the session is the first one that is read, and a fork of
// Codex may take an older log behind it, or itself again, for its copy. Give such logs, and those of
// sub-agents, as FILEs. In a log whose lines were put in another order, a piece of a text, a line of
// the queue or a header may stand behind what it begins: then the rows of a path may differ from those
// of the log.
//
// The key of a row, 16 hexadecimal digits, is made of what the row is, its time, and what it says or
// names, such as a text or the id of a call or a message. It is unique in a log. It is not made of
// the uuid and the session, so a copy of a log that keeps the times, such as a fork, has the same
// keys: to count each thing of several logs once, take the first row of each key. The key of a row
// without a time is also made of the session and of the place in the log. An entry that is logged
// again with the same time says nothing new, except pieces of a text, which may be alike.
//
// # A session of its own
//
// With --session the first entry of a path gets null as its parent, and the children of an entry
// that is left out get the nearest printed entry above it. In a pi log the header gets the id; pi
// opens no file without a header.
//
// Saved as UUID.jsonl in the project's folder, the output is a session that claude --resume UUID
// opens. With --meta it also has a title, so that lists show it. If jlpath prints no custom-title
// entry of the last 64 KiB of the log, it adds one at the end. Its title is the first of these that
// exists: a title that was printed, the summary of jlrel --list, the first prompt on the path. A pi
// session keeps the last title in its log, on whatever branch that is.
//
// # Jlpath of its own output
//
// Jlpath prints its own output unchanged, with these exceptions:
//
//	BECAUSE OF                WHEN
//	the options               -a, --union, --bridge, --through, --meta, --strip, --as or
//	                          several -l
//	the entry of -l           it is a link, on a sidechain, on a cycle or below one, or
//	                          the summary of a compaction that kept entries
//	the log                   it has an entry that cannot be printed
package main

import (
	"errors"
	"fmt"
	"os"
	"path"
	"slices"
	"strings"

	"jl/internal/cli"
	"jl/internal/entry"
	"jl/internal/operand"
	"jl/internal/reader"
	"jl/internal/record"
	"jl/internal/said"
	"jl/internal/session"
)

const about = "Print the conversation that ends at a leaf of session logs, root first."

const details = `Examples:
  jlpath -ts session.jsonl | jq -r timeline  # or chat; man jl.jq
  jlrel --list | jlpath -a --said=prompt | jq -r prompts
  jlpath -a session.jsonl > healed.jsonl
  jlleaf -a session.jsonl | jlpath -l - session.jsonl

Kinds of rows:
KINDS
Exit status:
  0  a path was printed
  1  no leaf was found, one of the given entries was not, or A..B leaves nothing
  2  trouble: wrong usage, an ambiguous id, unreadable input, a lost entry,
     a failed write
`

// The manual tells of each option what its comment says, or else its help.
type flags struct {
	// End at the entry with this id. With a day or a time (2026-11-24T16:00), end at the last entry of the
	// conversation that is not later; a time without a zone is local, and a day, a minute or a second counts to
	// its end. With A..B, print what the path of B has and that of A has not; the leaf that jlleaf chooses takes
	// the place of an A or a B that is left out. With -, read leaves from standard input, one a line: ids, bare or
	// as JSON strings, or entries or edges with an id. An edge that names its "file" is looked up in that FILE
	// only. With several -l, print one path after another.
	Leaf []string `group:"Which entries" short:"l" sep:"none" placeholder:"ID" xor:"all-leaf" help:"End at the entry with this id, or its unique beginning.\nWith a day or a time (2026-11-24T16:00), end there.\nWith A..B, ids or times, print what the path of B has\nand that of A has not.\nWith -, read ids, entries or edges from standard input."`

	// Print rows in place of the entries: what was said and done in them, one row for each thing. With kinds of
	// rows, separated by commas, print only rows of these kinds; see below.
	Said cli.Names `group:"Which entries" short:"s" placeholder:"KIND" help:"Print rows in place of entries: what was said and done.\nKIND names those to print: prompt,answer; see below."`

	// Print every whole entry of the log once, in file order: the healed log. Entries recovered from a damaged
	// line get lines of their own. An entry that repeats the last one with its id, byte for byte, is left out.
	All bool `group:"Which entries" short:"a" xor:"all-leaf,all-union,all-chain,all-bridge,all-through,all-as" help:"Print each whole entry once, in file order: a healed log."`

	// Print the entries of all paths once, in file order: the log with the chosen branches only.
	Union bool `group:"Which entries" xor:"all-union" help:"Print the entries of all paths once, in file order."`

	Chain bool `group:"Which entries" xor:"all-chain,as-chain" help:"Print the parents only, without parallel calls."`

	// Where a parent is not in the file, go on at the newest entry that is not younger than the child, and is on a
	// sidechain if the child is. Standard error names each such guess.
	Bridge bool `group:"Which entries" xor:"all-bridge,as-bridge" help:"Tie an entry without its parent to what came before it."`

	// Go on to the true beginning: across compactions, by logicalParentUuid; above lost parents, as --bridge does;
	// and above a plan that was approved and began afresh in the same file, at the newest entry of its session
	// before it. If the user summarised what follows an entry, go on at the newest entry below that. Where the
	// entry that a boundary names is not in the file, go on at the newest entry above the boundary. Standard error
	// names each such guess. If a log of Codex goes on from another one, after a revert or in a fork, read both
	// together.
	Through bool `group:"Which entries" short:"t" xor:"all-through,as-through" help:"Go on to the true beginning: across compactions, gaps and\nplans that began afresh."`

	// Add the entries that belong to the path but have no parent: its snapshots, summaries, titles and tags, each
	// before the first entry of the path that follows it in the file; and the header of a list, which names the
	// session.
	Meta bool `group:"Which entries" help:"Add the path's snapshots, summaries, titles and tags,\nand the header of a list."`

	// Answer as another program does: claude-2.1, claude-2.0, sdk or sdk-system; see jl(7).
	As reader.Rules `group:"Which entries" xor:"all-as,as-chain,as-bridge,as-through" placeholder:"READER" help:"Answer as another program does:\nclaude, claude-2.1, claude-2.0, sdk or sdk-system."`

	// Leave out isSidechain and parentUuid, which the API refuses.
	Strip bool `group:"Changes" help:"Leave out isSidechain and parentUuid."`

	// Write UUID as each sessionId, for a session of its own; see below.
	Session string `group:"Changes" placeholder:"UUID" help:"Write UUID as each sessionId."`

	// Write DIR in place of the log's first cwd, wherever an entry names that folder or one below it: as its cwd,
	// as the folder of backups or as the worktree of git. It is for a session whose project was moved or renamed,
	// also from Windows to another system or back: DIR has the separators of its system.
	Cwd string `group:"Changes" placeholder:"DIR" help:"Write DIR in place of the log's first cwd."`
	operand.Options

	kinds said.Kinds // of rows, after Validate
}

// Validate refuses options that contradict each other.
func (f *flags) Validate() error {
	fromStdin := slices.Contains(f.Leaf, "-")
	var err error
	if f.kinds, err = said.KindsOf(f.Said.List); err != nil {
		return fmt.Errorf("--said: %w", err)
	}
	if f.Said.Given && f.Said.List == nil {
		if i := slices.IndexFunc(f.Files, namesKinds); i >= 0 {
			return fmt.Errorf("no file %q; the option is --said=%[1]s", f.Files[i])
		}
	}
	switch {
	case f.Said.Given && f.Cwd != "":
		return errors.New("--said prints rows, so --cwd has no entry to change; jlrel --list --cwd DIR | jlpath -s reads the sessions of a folder")
	case f.Said.Given && (f.Strip || f.Session != "" || f.Cwd != ""):
		return errors.New("--said prints rows, so --strip and --session have no entry to change")
	case f.Session != "" && !session.IsID(f.Session):
		return fmt.Errorf("--session %q is not a UUID", f.Session)
	case f.Cwd != "" && !path.IsAbs(f.Cwd) && !session.IsWindows(f.Cwd):
		return fmt.Errorf("--cwd %q is not an absolute path", f.Cwd)
	case fromStdin && len(f.Files) == 0:
		return errors.New("--leaf - needs a FILE: standard input holds the leaves")
	case fromStdin && slices.Contains(f.Files, "-"):
		return errors.New("standard input cannot hold both the leaves and a log")
	}
	return nil
}

// namesKinds reports whether an operand is not a file, but a list of kinds of rows.
func namesKinds(name string) bool {
	if _, err := said.KindsOf(strings.Split(name, ",")); err != nil {
		return false
	}
	_, gone := os.Lstat(name)
	return gone != nil
}

// Help returns what follows the options in the help.
func (*flags) Help() string {
	var lines strings.Builder
	width := 80
	for _, name := range strings.Split(said.Names(), ", ") {
		if width+len(" ")+len(name) > 78 {
			lines.WriteString("\n ")
			width = 1
		}
		lines.WriteString(" " + name)
		width += len(" ") + len(name)
	}
	return strings.Replace(details, "KINDS", strings.TrimPrefix(lines.String(), "\n")+"\n", 1)
}

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
	f.Above = f.Through
	operand.Each(c, &f.Options, false, func(file *operand.File) {
		p.file, p.headed = file, false
		if f.All && f.Said.Given {
			p.saidAll()
		} else if f.All {
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
