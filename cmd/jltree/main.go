// Jltree prints the parent edges of session logs.
//
// Usage:
//
//	jltree [FILE]...
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
// The exit status is 0, or 2 if some input could not be read, an entry was lost,
// or the output not be written.
package main

import (
	"os"

	"jl/internal/cli"
)

const about = "Print the parent edges of session logs."

type flags struct {
	Files []string `arg:"" optional:"" name:"file" help:"With no FILE, or when FILE is -, read standard input."`
}

func main() { os.Exit(run(os.Args[1:], cli.OS())) }

func run(args []string, std cli.Stdio) int {
	var f flags
	c, ok := cli.Start("jltree", about, &f, args, std)
	if !ok {
		return c.Finish(nil)
	}
	return c.Finish(edges(c, f))
}
