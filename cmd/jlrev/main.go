// Jlrev prints session logs last line first.
//
// Usage:
//
//	jlrev [FILE]...
//
// A session log grows at its end, so what one looks for is nearly always near
// it. A regular file is read in blocks from its end, as far as the reader of
// the output goes: the newest entry of a log of 10 GB costs as much as that of
// one of 10 KB.
//
//	jlrev session.jsonl | head -1
//
// Nothing is parsed: a line is the bytes up to and with a newline, and comes
// out byte for byte. A last line without a newline gets one, so that it is not
// glued to the line above it. Reversed twice, a log is itself again.
//
// Each FILE is reversed on its own, in the order given. With no FILE, or when
// FILE is -, it is standard input. Of an archive that jlcompact wrote, or any
// zstd file with a seek table, only the frames that are needed are read. A pipe
// and any other gzip or zstd file, told by its first bytes, must be read to its
// end before the first line can be printed; of one that is damaged, what stands
// before the damage is printed.
//
// The exit status is 0 if all was printed, and 2 if some input could not be
// read, or the output not be written.
package main

import (
	"os"

	"jl/internal/cli"
)

const about = "Print session logs last line first."

type flags struct {
	Files []string `arg:"" optional:"" name:"file" help:"With no FILE, or when FILE is -, read standard input."`
}

func main() { os.Exit(run(os.Args[1:], cli.OS())) }

func run(args []string, std cli.Stdio) int {
	var f flags
	c, ok := cli.Start("jlrev", about, &f, args, std)
	if !ok {
		return c.Finish(nil)
	}
	return c.Finish(reverse(c, f))
}
