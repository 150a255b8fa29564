// Jlrev prints session logs last line first.
//
// Usage:
//
//	jlrev [FILE]...
//
// A session log grows at its end, so what you look for is nearly always near the end. Jlrev
// reads a regular file in blocks from its end, and only as far as the reader of its output goes:
// the newest entry takes as long in a log of 10 GB as in one of 10 KB.
//
//	jlrev session.jsonl | head -n 1
//
// Jlrev parses nothing. A line is the bytes up to and including a newline, and comes out byte
// for byte. A log that is reversed twice is the log again. Each FILE is reversed on its own, in
// the order given.
//
//	INPUT                     WHAT JLREV DOES
//	no newline at the end     adds one, so that the last line does not join the next
//	seekable zstd             reads it from the end, as far as needed: an archive of
//	                          jlcompact, or any zstd file with a seek table
//	a pipe, other zstd, gzip  reads all of it before it prints the first line
//	damaged compressed data   prints the lines before the damage
//	UTF-16                    refuses it, because the lines would begin and end with
//	                          halves of characters
package main

import (
	"jl/internal/cli"
	"jl/internal/operand"
)

const about = "Print session logs last line first."

const details = `Examples:
  jlrev session.jsonl | head -n 1
  jlrev session.jsonl | grep -m1 custom-title
  jlrev session.jsonl | head -n 9 | jlrev | jlpath -as | jq -r timeline

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
	f.Lines = true
	operand.Each(c, &f.Options, false, func(file *operand.File) { reverse(c, file) })
}
