// Jltree prints the parent edges of session logs, draws the logs, or prints what is wrong with
// them.
//
// Usage:
//
//	jltree [-H] [FILE]...
//	jltree --graph [--all] [-H] [FILE]...
//	jltree --dot [--all] [-H] [FILE]...
//	jltree --check [--strict] [--notes] [FILE]...
//
// A session log is a tree: each entry names its parent. Jltree prints one edge for each entry
// that has an id, in the order of the file, on one line:
//
//	{"uuid":…,"parentUuid":…|null,"type":…,"timestamp":…,
//	 "isSidechain":true,"subtype":…,"logicalParentUuid":…,
//	 "sessionId":…,"line":n,"offset":n,"length":n}
//
// A member that the entry does not have is left out. Line, offset and length are the place of the
// entry in the decompressed input, so that sed, tail -c or dd can read it. The other programs read
// edges as they read entries, but an edge has no message: it does not tell of parallel calls or of
// what a compaction kept. The output is live, as in tail -n +1 -F session.jsonl | jltree.
//
// Instead of edges, jltree draws each log with --graph or --dot, and prints what is wrong with it
// with --check.
//
//	LOG                     ITS EDGES
//	with a damaged line     are those of the whole entries in the line, each with its
//	                        own place
//	of pi                   have id and parentId; a log of version 1 gets line numbers
//	                        as ids
//	a list, as of Codex     lead to the last entry above that was not undone; headers
//	                        and undo entries have none, so a program that reads the
//	                        edges takes the last one as the leaf
//	without ids             form one path, under ids made of line numbers ("#12"); they
//	                        come at the end of the log, because an id may yet follow, or
//	                        after 8 MiB
//	of an unknown program   form one path; they come at the end, or after 8 MiB
//	without a chain of ids  have the parents that the entries name, but the programs
//	                        read the log, and its edges, as one path
//	still being written     leave out an unfinished last line, with a note
//
// # Drawings
//
// With --graph jltree draws each log for a person, as git log --graph draws commits: the newest
// entries first, a child above its parent.
//
//	     START (UTC)       TOOK  TURNS  CALLS  ID        PROMPT
//	@    2026-03-02 09:01   16s      1      1  34c69d36  (leaf) No. Repl…
//	│ ●  2026-03-02 09:00    9s      1      0  4dfe3495  (end) Yes, try…
//	├─╯
//	○    2026-03-02 09:00   20s      1      2  1f0bb119  The moons of J…
//
// A row is a stretch of entries without a fork. It ends at an end, a fork or a compaction. The
// row of the leaf that jlleaf chooses comes first, except that what was undone after it is above.
// At a fork, the branch with the newest end comes first; but if the branches would take more than
// eight lanes, the branch that takes the most lanes does. The results of parallel calls are not
// branches.
//
//	COLUMN       WHAT IT SHOWS
//	START, TOOK  the earliest time of an entry of the row, and the time from there to
//	             the latest
//	TURNS        how many prompts the user typed or, on sidechains, sub-agents were given;
//	             a command counts if the model answers it
//	CALLS        how many tools the model called
//	ID           the last entry of the row, for jlpath -l: the beginning of the id, or,
//	             if another id begins so, all of it
//	PROMPT       the first prompt that the user typed, or the first heading of an approved
//	             plan; else the first command; else, after an ellipsis, the first thing
//	             that the model said; for a compaction without any of them, (summary)
//
// Marks before the prompt tell what is special about a row:
//
//	MARK          THE ROW
//	(leaf)        ends at the leaf that jlleaf chooses; its lane begins with @
//	(end)         ends at an end that jlleaf -a prints
//	(compaction)  begins with a boundary
//	(orphan)      begins with an entry whose parent is not in the file
//	(plan)        begins with an approved plan, with the context cleared
//	(cycle)       begins with an entry whose parents lead back to it; a ~ is in place
//	              of the parent
//
// Above a compaction, an orphan or a plan a dotted line leads to where jlpath --through goes on, or
// a ~ is there if nothing can have come before.
//
// At the end, one row stands for all entries on sidechains, and one for all entries that have no end
// below them. With --all each turn has a row.
//
// Lines are cut at COLUMNS, or at the width of the terminal. Below 100 columns jltree leaves out the
// year, TOOK, and the marks that the lanes show too, to make room for the prompts; a date that all
// rows share is in the heading alone. If the locale (LC_ALL, LC_CTYPE or LANG) is not UTF-8, the
// lanes are in ASCII. There are colors on a terminal, unless NO_COLOR is set or TERM is dumb.
// Control characters are escaped.
//
// With --dot jltree writes the same rows as one graph for Graphviz, in which each box shows the
// id, and tells more when the pointer is on it. A legend names the colors:
//
//	jltree --dot session.jsonl | dot -Tsvg > session.svg
//
// # Findings
//
// With --check jltree prints one row for each finding, and a last row of totals; OUTPUT has their
// fields. On a terminal, a line on standard error says whether each log is healthy. A log is
// healthy if it was read to its end and has no damage; with --strict, no warnings either. Damage is
// what is lost, or what readers of the log disagree on:
//
//	DAMAGE        THE LINE OR ENTRY
//	malformed     is lost, or is not JSON by the full grammar; such an entry has its node
//	              in the tree, but jlpath does not print it
//	recovered     is a whole entry of a damaged line
//	orphan        has a parent that is not in the file
//	self parent   is its own parent
//	cycle         closes a cycle of parents
//	duplicate id  has the id of an earlier entry and other bytes; with the same bytes it is
//	              a warning, and a note if only the folder, branch, release or slug of
//	              the session differ
//
// A warning is about what was interrupted, or what some readers stumble over:
//
//	WARNING                   WHAT IT IS
//	tool_use without tool_result
//	                          a call that no result follows on a path, or not on the
//	                          path of the leaf; in a list, not in the file
//	tool_result without tool_use
//	                          a result that follows no call of its own on its path; in
//	                          a list, whose call is not in the file
//	message between call and result
//	                          in a log of pi, whose messages are sent in this order;
//	                          the API refuses it
//	entries beside the path   most of the conversation is on no branch that a prompt
//	                          began
//	second root               a conversation begins although one began before in its
//	                          session, and no parent, compaction or approved plan tells
//	                          what it came after: readers show only one of the two. It is
//	                          a note if it may be the first prompt, edited and sent
//	                          again: a prompt is at its top, and most of the log is in
//	                          the tree of the leaf
//	answer beside the path    the conversation went on beside it, because the client
//	                          recovered from an error; jlpath prints it
//	prompt beside the path    it was sent while the model went on; jlpath prints it
//	message without an id     the first, in a log whose entries have ids; it is on no
//	                          path
//	kept id not in the file   a compaction names entries that it kept, or its logical
//	                          parent, but they are not there
//	empty text                a block of text without a character, which the API refuses
//	empty signed thinking     the API may refuse the session; a note, if no thinking
//	                          of the log has text
//	ordinal used twice, ordinal missing
//	                          Codex refuses the thread, or does not go on with it
//	line separator            a raw U+2028 or U+2029, at which Copilot ends a line
//	invalid UTF-8             the first place of it in an entry
//	lone surrogate            the first one in an entry
//	clock going back          an entry that is older than its parent
//	another session           the first entry of a session that is not the first in the
//	                          file
//
// A note is about what sound logs have, too. The totals count notes, and --notes prints them:
//
//	NOTE                      WHAT IT IS
//	id equal to a snapshot messageId
//	                          some readers lose the node
//	orphan                    an entry that the last compaction kept: readers tie it to
//	                          the boundary that names it; an entry under which no
//	                          conversation hangs; one of an agent that writes the
//	                          summary of a compaction
//	clock going back          by less than a second, on a link, an attachment or a label, or
//	                          below a meta entry or the summary of a compaction
//	NUL character             the first \u0000 in an entry
//	malformed                 a byte order mark and nothing else
package main

import (
	"jl/internal/cli"
	"jl/internal/operand"
)

const about = "Print the parent edges of session logs, draw logs, or print what is wrong."

const details = `Examples:
  jltree --graph session.jsonl
  jlrel --list | jltree --check | jq -c 'select(.finding)'
  jltree --check *.jsonl | jq -c 'select(.severity == "damage")'

Exit status:
  0  the logs were printed or drawn, or, with --check, are healthy
  1  with --check: a log is not healthy; a lost entry is a finding then
  2  trouble: wrong usage, unreadable input, a lost entry, a failed write
`

// The manual tells of each option what its comment says, or else its help.
type flags struct {
	Graph  bool `group:"Drawing" xor:"graph-dot,graph-check" help:"Draw each log, newest first: a row for each stretch\nof entries without a fork."`
	Dot    bool `group:"Drawing" xor:"graph-dot,dot-check" help:"Write the same drawing for Graphviz."`
	All    bool `needs:"graph,dot" group:"Drawing" help:"With --graph or --dot: draw each turn."`
	Check  bool `group:"Health" xor:"graph-check,dot-check" help:"Print what is wrong with each log: a row for each\nfinding, and totals. Status 1 if anything is damaged."`
	Strict bool `needs:"check" group:"Health" help:"With --check: status 1 for warnings too."`
	Notes  bool `needs:"check" group:"Health" help:"With --check: print notes too, which are only counted."`

	// Name the FILE in each edge, or above each drawing, even if it is the only one.
	Named bool `group:"Output" short:"H" name:"with-filename" help:"Name the FILE in each record, even if it is the only one."`

	operand.Options
}

// Help returns what follows the options in the help.
func (*flags) Help() string { return details }

func main() { cli.Main("jltree", about, run) }

func run(c *cli.Command, f *flags) {
	do := func(file *operand.File) { edges(c, file) }
	switch {
	case f.Graph:
		do = newPainter(c, f.All).log
	case f.Dot:
		d := dotter{c: c, all: f.All}
		d.open()
		defer d.close()
		do = d.log
	case f.Check:
		do = func(file *operand.File) { findings(c, f, file) }
	}
	operand.Each(c, &f.Options, f.Named, do)
}
