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
//	{"uuid":…,"parentUuid":…|null,"type":…,"timestamp":…,"isSidechain":true,
//	 "subtype":…,"logicalParentUuid":…,"sessionId":…,"line":n,"offset":n,"length":n}
//
// What an entry does not have is left out; the edges of a pi log have id and parentId. Line
// counts from 1. Offset and length give the position in bytes, in the decompressed input, of the
// line, or of the entry alone if it was recovered from a damaged line, so that tail -c +N or dd
// can read it. With more than one FILE each edge has a "file". The other programs read edges as
// they read entries, and keep the position in them. But an edge has no message, so it does not
// tell of parallel tool calls or of what a compaction kept.
//
// The output is live: jltree writes what is ready before it waits for input.
//
//	tail -n +1 -F session.jsonl | jltree
//
// In an old log no conversation entry has an id. Such a log is one straight path: each entry
// gets an edge to the one before it, under ids made of line numbers ("#12"). Since an id may yet
// follow, jltree prints these edges at the end of the log, or when there are 8 MiB of them. It
// numbers the entries of a pi log of version 1 at once.
//
// Codex, GitHub Copilot CLI, Gemini CLI, Grok Build and DeepSeek write lists: the parent of an
// entry is the last one before it that no undo entry had taken back. An entry without an id, or
// with the id of an earlier one, is known by its line. Headers and undo entries have no edges.
// Edges do not record undos, so a program that reads them takes the last edge as the leaf. The first
// entry that shows what program wrote it decides how a log is read. A log of JSON objects of
// which none shows that is one path in file order, and a note says so; its edges begin at its
// end, or after 8 MiB or 65,536 lines.
//
// Ids may form no chain: no entry names a parent that is in the file, though several converse, as
// in a capture of claude -p --output-format stream-json. The edges are what the entries say, but
// the programs read such a log, and its edges, as one path in file order, and a note says so.
// Entries that name a call of a tool as their parent are on the sidechain of its sub-agent.
//
// A line that is not one whole entry is reported, and whole entries inside it are recovered. An
// unfinished last line belongs to a log that is being written: it gets a note.
//
// With --graph jltree draws each log for a person, as git log --graph draws commits: the newest
// entries first, a child above its parent.
//
//	     START (UTC)       TOOK  TURNS  CALLS  ID        PROMPT
//	@    2026-03-02 09:01   16s      1      1  34c69d36  (leaf) No. Replace it by leapfrog instead.
//	│ ●  2026-03-02 09:00    9s      1      0  4dfe3495  (end) Yes, try dt/10.
//	├─╯
//	○    2026-03-02 09:00   20s      1      2  1f0bb119  The moons of Jupiter drift after a few …
//
// A row is a stretch of entries without a fork. It ends at an end, a fork or a compaction. The
// row of the leaf that jlleaf chooses comes first, except for what was undone after it. At a
// fork, the branch with the newest end comes first, but if the branches would take more than
// eight lanes, the one that takes the most. The results of parallel calls are not branches.
//
//	START, TOOK  the earliest time of an entry of the row, and the time from there to
//	             the latest
//	TURNS        how many prompts the user typed, or, on sidechains, agents were given; a
//	             command is one if the model answers
//	CALLS        how many tools the model called
//	ID           the last entry of the row, for jlpath -l: the beginning of the id, or,
//	             if another id begins so, all of it
//	PROMPT       the first prompt that the user typed; else the first command; else,
//	             after an ellipsis, the first thing that the model said; for a compaction
//	             without any of them, (summary)
//
// Marks before the prompt say what is special about the row: (leaf), @ in the drawing; (end), an
// end that jlleaf -a prints; (compaction), a row that begins with a boundary; (orphan), a row
// whose parent is not in the file, with a ~ in its place; (cycle), one whose parents lead back
// to it. A dotted line leads from a boundary to where jlpath --through goes on. At the end, one
// row folds all entries on sidechains, and one all that are above no end. With --all each turn
// has a row.
//
// Lines are cut at COLUMNS, or at the width of the terminal. Below 100 columns the prompts get the
// room of the year, of TOOK, and of the marks that the lanes show too; a date that all rows share
// is in the heading alone. If the locale (LC_ALL, LC_CTYPE or LANG) is not
// UTF-8, the lanes are in ASCII. There are colors on a terminal, unless NO_COLOR is set or TERM
// is dumb. Control characters are escaped.
//
// With --dot jltree writes the same rows as one graph for Graphviz, in which each box shows the
// id, and tells more when the pointer is on it. A legend names the colors:
//
//	jltree --dot session.jsonl | dot -Tsvg > session.svg
//
// With --check jltree prints what is wrong with each log instead of edges: one row for each
// finding, and a last row of totals:
//
//	{"finding":…,"severity":…,"file":…,"line":n,"offset":n,"length":n,…}
//	{"totals":true,"file":…,"bytes":n,"lines":n,"entries":n,"nodes":n,"roots":n,
//	 "leaves":n,"onPath":n,"reachable":n,"share":x,"damage":n,"warnings":n,"notes":n,
//	 "healthy":true}
//
// The position is the place of the entry, or of a lost line. These are the findings and the
// other fields of their rows. Those with "severity":"damage" are about something that is lost,
// or on which readers of the log disagree:
//
//	malformed         a lost line, or an entry that is not JSON by the full grammar; it
//	                  has its node in the tree, but jlpath does not print it: reason, at
//	                  (the byte where the text stops being JSON)
//	recovered         a whole entry of a damaged line: id, reason
//	orphan            the parent is not in the file: id, parent
//	self parent       the entry is its own parent: id
//	cycle             the entry that closes it: id, ids (at most 16), nodes
//	duplicate id      an earlier entry has the id and other bytes: id, with (its
//	                  position), same; if the bytes are the same, it is a warning
//
// Those with "severity":"warning" are about something that was interrupted, or that some readers
// may stumble over:
//
//	tool_use without tool_result, tool_result without tool_use
//	                  a call that no result follows on a path, or not on the path of
//	                  the leaf; a result that follows no such call on its path: id,
//	                  parent, call, tool, children (at most 16 of their lines), with
//	                  (the counterpart, if it is elsewhere), removable: the line holds
//	                  nothing else and nothing hangs below it, so that sed Nd leaves a
//	                  sound log
//	entries beside the path
//	                  most of the conversation, and no fork at a prompt explains
//	                  that: id (the leaf), beside, all
//	message without an id
//	                  the first, in a log whose entries have ids; it is on no path:
//	                  count
//	kept id not in the file
//	                  a compaction names entries that it kept, or a logical parent,
//	                  which are not there: id, ids (at most 16), count
//	empty signed thinking
//	                  the API may refuse the session: id, at, where
//	line separator    a raw U+2028 or U+2029, at which Copilot ends a line: id, at,
//	                  where
//	invalid UTF-8, lone surrogate
//	                  the first in an entry: id, at (its byte), where (its path in
//	                  jq, at most 32 steps)
//	clock going back  the entry is older than its parent: id, parent, with, seconds
//	another session   the first entry of a session that is not the first in the file:
//	                  id, sessionId, with (the first entry of the first session)
//
// Sound logs have those with "severity":"note" too. The totals count them, and --notes prints
// them:
//
//	id equal to a snapshot messageId
//	                  the snapshot: id, with (the node); some readers lose that node
//	orphan            an entry that the last compaction kept: readers tie it to the
//	                  boundary that names it; an entry under which no conversation
//	                  hangs; one of an agent that writes the summary of a compaction
//	clock going back  by less than a second, on a link or an attachment, or below a
//	                  meta entry or the summary of a compaction
//	NUL character     the first \u0000 in an entry: id, at, where
//	malformed         a byte order mark and nothing else
//
// Ids and names come byte for byte from the log.
//
// OnPath is the number of nodes from the leaf, the one that jlleaf chooses, to where its parents
// end. A node is reachable if its parents lead to a root; if those of the leaf lead to none, a
// node is reachable if it is connected with the leaf. Share is the part of all nodes that is
// reachable, rounded down. A log is healthy if it was read to its end and has no damage; with
// --strict, no warnings either.
//
//	-H, --with-filename
//	                  name the FILE in each edge, or above each drawing, even if it is
//	                  the only one
//	    --graph       draw each log
//	    --dot         write the drawing for Graphviz
//	    --all         with --graph or --dot, draw each turn
//	    --check       print what is wrong with each log
//	    --strict      with --check, make warnings count like damage
//	    --notes       with --check, print notes too
package main

import (
	"jl/internal/cli"
	"jl/internal/operand"
)

const about = "Print the parent edges of session logs, draw logs, or print what is wrong."

const details = `Examples:
  jltree --graph session.jsonl
  jltree --check *.jsonl | jq -c 'select(.severity == "damage")'

Exit status:
  0  the logs were printed or drawn, or, with --check, are healthy
  1  with --check: a log is not healthy; a lost entry is a finding then
  2  trouble: wrong usage, unreadable input, a lost entry, a failed write
`

type flags struct {
	Graph  bool `group:"Drawing" xor:"graph-dot,graph-check" help:"Draw each log, newest first: a row for each stretch\nof entries without a fork."`
	Dot    bool `group:"Drawing" xor:"graph-dot,dot-check" help:"Write the same drawing for Graphviz."`
	All    bool `needs:"graph,dot" group:"Drawing" help:"With --graph or --dot: draw each turn."`
	Check  bool `group:"Health" xor:"graph-check,dot-check" help:"Print what is wrong with each log: a row for each\nfinding, and totals. Status 1 if anything is damaged."`
	Strict bool `needs:"check" group:"Health" help:"With --check: status 1 for warnings too."`
	Notes  bool `needs:"check" group:"Health" help:"With --check: print notes too, which are only counted."`
	Named  bool `group:"Output" short:"H" name:"with-filename" help:"Name the FILE in each record, even if it is the only one."`

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
