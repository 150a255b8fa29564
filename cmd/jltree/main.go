// Jltree prints the parent edges of session logs, or what is wrong with them.
//
// Usage:
//
//	jltree [FILE]...
//	jltree --check [FILE]...
//
// A session log is a tree: each entry names its parent. Jltree prints one edge for
// each entry that has an id, in the order of the file:
//
//	{"uuid":…,"parentUuid":…|null,"type":…,"timestamp":…,"isSidechain":true,
//	 "subtype":…,"logicalParentUuid":…,"sessionId":…,"line":n,"offset":n,"length":n}
//
// on one line. What an entry does not have is left out; the edges of a pi log have
// id and parentId. line counts from 1; offset and length are the place in bytes in
// the decompressed input of the line, or of the entry alone if it was recovered
// from a damaged line, so that tail -c +N or dd can jump there. With more than one
// FILE each edge has a "file". An edge uses the keys of an entry, so every program
// of the suite reads edges too; an edge that is read keeps the place that it names.
//
// The output is live: what is ready is written before jltree waits for input.
//
//	tail -F session.jsonl | jltree
//
// A log older than the tree, none of whose conversation entries has an id, is one
// straight path: each entry gets the edge to the one before it, under ids made of
// line numbers ("#12"). Since an id may yet turn up, its edges come when its end is
// read, or when there are 8 MiB of them. The same is done for pi logs of version 1,
// at once.
//
// A line that is not one whole entry is named, and whole entries inside it are
// recovered. A last line without a newline that is not whole is a log that is
// being written: it is named and no more.
//
// With --check jltree prints no edges but what is wrong with each log, one row a
// finding, and a closing row of totals:
//
//	{"finding":…,"file":…,"line":n,"offset":n,"length":n,…}
//	{"totals":true,"file":…,"bytes":n,"lines":n,"entries":n,"nodes":n,"roots":n,
//	 "leaves":n,"path":n,"reachable":n,"share":x,"findings":n,"notes":n,"healthy":true}
//
// The place is that of the entry, or of the line if it is lost. The findings, and
// what their rows say besides:
//
//	malformed         lost, or an entry that is not JSON by the full grammar, which
//	                  has its place in the tree but is not printed by jlpath:
//	                  reason, at (the byte where the text stops being JSON)
//	recovered         a whole entry of a damaged line: id, reason
//	invalid UTF-8, lone surrogate, NUL character
//	                  the first in an entry: id, at (its byte), where (its path in
//	                  jq, 32 steps at most)
//	orphan            its parent is not in the file: id, parent
//	self parent       id
//	cycle             told of the entry that closes it: id, ids (16 at most), nodes
//	duplicate id      an earlier entry has the id: id, with (the place of that one),
//	                  same (they have the same bytes)
//	tool_use without tool_result, tool_result without tool_use
//	                  id, parent, call, tool, children (the lines of 16 at most),
//	                  removable: the line holds nothing else and nothing hangs
//	                  below it, so that sed Nd leaves a sound log
//	clock going back  the entry is older than its parent: id, parent, with, seconds
//	id equal to a snapshot messageId
//	                  told of the snapshot: id, with (the node)
//
// An id that is no Unicode is told with U+FFFD in it, so that all can read the row.
//
// A finding with "note":true is nothing wrong: a clock that goes back by less than a
// second, on a link, or below the summary of a compaction; a snapshot that has the
// id of its entry for messageId, as all have, but by which some readers lose that
// entry; a NUL character, written \u0000; a byte order mark with nothing behind it.
//
// path is the number of nodes from the leaf, the one that jlleaf chooses, up to where
// its parents end. A node is reachable if its parents lead to a root; if those of the
// leaf lead to none, only what hangs together with the leaf is. share is that of all
// nodes, rounded down. A log that could not be read to its end is not healthy.
//
// The exit status is 0, or 2 if some input could not be read, an entry was lost, or
// the output not be written. With --check a lost entry is a finding: the status is 1
// if anything is wrong with a log, and 2 for trouble of the other two kinds.
package main

import (
	"jl/internal/cli"
	"jl/internal/operand"
)

const about = "Print the parent edges of session logs, or what is wrong with them."

type flags struct {
	Check bool     `help:"Print what is wrong with each log, one JSON row a finding, and totals.\nStatus 1 if anything is."`
	Files []string `arg:"" optional:"" name:"file" help:"With no FILE, or when FILE is -, read standard input."`
}

func main() { cli.Main("jltree", about, run) }

func run(c *cli.Command, f *flags) {
	verb := edges
	if f.Check {
		verb = check
	}
	operand.Each(c, f.Files, func(file *operand.File) { verb(c, file) })
}
