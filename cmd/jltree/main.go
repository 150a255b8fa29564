// Jltree prints the parent edges of session logs, or what is wrong with them.
//
// Usage:
//
//	jltree [FILE]...
//	jltree --check [FILE]...
//
// A session log is a tree: each entry names its parent. Jltree prints one edge for each
// entry that has an id, in the order of the file, on one line:
//
//	{"uuid":…,"parentUuid":…|null,"type":…,"timestamp":…,"isSidechain":true,
//	 "subtype":…,"logicalParentUuid":…,"sessionId":…,"line":n,"offset":n,"length":n}
//
// What an entry does not have is left out; the edges of a pi log have id and parentId.
// Line counts from 1. Offset and length give the position in bytes, in the decompressed
// input, of the line, or of the entry alone if it was recovered from a damaged line, so
// that tail -c +N or dd can read it. With more than one FILE each edge has a "file". An
// edge uses the keys of an entry, so every program of the suite reads edges too; an edge
// that is read keeps the position that it names.
//
// The output is live: jltree writes what is ready before it waits for input.
//
//	tail -F session.jsonl | jltree
//
// In an old log no conversation entry has an id. Such a log is one straight path: each
// entry gets an edge to the one before it, under ids made of line numbers ("#12"). Since
// an id may yet follow, jltree prints these edges at the end of the log, or when there
// are 8 MiB of them. It numbers the entries of a pi log of version 1 at once.
//
// A line that is not one whole entry is reported, and whole entries inside it are
// recovered. A last line without a newline that is not whole belongs to a log that is
// being written, and is only noted.
//
// With --check jltree prints what is wrong with each log instead of edges: one row for
// each finding, and a last row of totals:
//
//	{"finding":…,"file":…,"line":n,"offset":n,"length":n,…}
//	{"totals":true,"file":…,"bytes":n,"lines":n,"entries":n,"nodes":n,"roots":n,
//	 "leaves":n,"path":n,"reachable":n,"share":x,"findings":n,"notes":n,"healthy":true}
//
// The position is that of the entry, or of the line if it is lost. These are the findings,
// and the further fields of their rows:
//
//	malformed         a lost line, or an entry that is not JSON by the full grammar; it
//	                  has its node in the tree, but jlpath does not print it: reason, at
//	                  (the byte where the text stops being JSON)
//	recovered         a whole entry of a damaged line: id, reason
//	invalid UTF-8, lone surrogate, NUL character
//	                  the first in an entry: id, at (its byte), where (its path in
//	                  jq, at most 32 steps)
//	orphan            the parent is not in the file: id, parent
//	self parent       the entry is its own parent: id
//	cycle             the entry that closes it: id, ids (at most 16), nodes
//	duplicate id      an earlier entry has the id: id, with (its position), same (they
//	                  have the same bytes)
//	tool_use without tool_result, tool_result without tool_use
//	                  id, parent, call, tool, children (at most 16 of their lines),
//	                  removable: the line holds nothing else and nothing hangs
//	                  below it, so that sed Nd leaves a sound log
//	clock going back  the entry is older than its parent: id, parent, with, seconds
//	id equal to a snapshot messageId
//	                  the snapshot: id, with (the node)
//
// Ids and names come byte for byte from the log.
//
// A finding with "note":true is not a fault: a clock that goes back by less than a
// second, on a link, or below the summary of a compaction; a snapshot whose messageId is
// the id of its entry, as in every sound log, though some readers lose that entry; a NUL
// character, written \u0000; a byte order mark and nothing else.
//
// Path is the number of nodes from the leaf, the one that jlleaf chooses, to where its
// parents end. A node is reachable if its parents lead to a root; if those of the leaf
// lead to none, a node is reachable if it is connected with the leaf. Share is the part
// of all nodes that is reachable, rounded down. A log that could not be read to its end
// is not healthy.
//
// The exit status is 0, or 2 if some input could not be read, an entry was lost, or the
// output could not be written. With --check a lost entry is a finding: the status is 1
// if anything is wrong with a log, and 2 for the other two kinds of trouble.
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
