// Jlrev prints session logs last line first.
//
// Usage:
//
//	jlrev [FILE]...
//
// A session log grows at its end, so what a reader looks for is nearly always near the
// end. Jlrev reads a regular file in blocks from its end, only as far as the reader of
// the output goes: the newest entry takes as long in a log of 10 GB as in a log of 10 KB.
//
//	jlrev session.jsonl | head -1
//
// Nothing is parsed: a line is the bytes up to and including a newline, and comes out
// byte for byte. A last line without a newline gets one, so that it does not join the
// line above it. A log that is reversed twice is the log again. UTF-16 is refused, because the
// lines would begin and end with halves of characters.
//
// Each FILE is reversed on its own, in the order given. With no FILE, or when FILE is
// -, jlrev reads standard input. From an archive that jlcompact wrote, or any zstd file
// with a seek table, it reads only the frames that it needs. It reads a pipe and any
// other gzip or zstd file, recognized by its first bytes, to the end before it prints
// the first line; if the file is damaged, it prints the lines before the damage.
package main

import (
	"jl/internal/cli"
	"jl/internal/operand"
)

const about = "Print session logs last line first."

const details = `Examples:
  jlrev session.jsonl | head -n 1
  jlrev session.jsonl | grep -m1 custom-title

Exit status:
  0  all lines were printed
  2  trouble: wrong usage, unreadable input, a failed write
`

type flags struct {
	operand.Options
}

// Help returns what follows the options in the help.
func (*flags) Help() string { return details }

func main() { cli.Main("jlrev", about, run) }

func run(c *cli.Command, f *flags) {
	operand.Each(c, &f.Options, false, func(file *operand.File) { reverse(c, file) })
}
