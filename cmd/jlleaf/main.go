// Jlleaf prints the leaf of session logs: the entry where the conversation ends.
//
// Usage:
//
//	jlleaf [-a] [-u] [-l ID] [--as READER] [FILE]...
//
// Going back to an earlier entry and trying again leaves a log with several ends.
// Jlleaf takes the newest by its timestamp, of those that are no sidechain, and
// prints its edge as jltree does, with
//
//	"newest", "last", "pinned"  true where that rule would choose this entry: the
//	                            newest by the clock, the last in the file, the one
//	                            that the last last-prompt entry names
//	"depth"                     how many entries stand above it on the way to the root
//	"summary", "title"          what names it, if anything does
//
// Where those rules choose different entries, one line on standard error says so.
// Of a pi log the leaf is always the last entry.
//
//	-u, --uuid     print the id alone
//	-l, --leaf ID  print the given entry instead; a beginning of its id that no
//	               other has is enough
//	-a, --all      print all leaves, newest first, each with its "fork", the nearest
//	               entry above it that another leaf descends from too, and the first
//	               words of its last "prompt"
//	--as READER    choose as another program does: claude-2.1, claude-2.0, sdk or
//	               sdk-system
//
// An id that would not be read as one (it holds a control character, begins or
// ends with a space, or begins with '"' or '{') is printed as a JSON string by -u.
//
// The exit status is 0 if there was a leaf in some FILE, 1 if there was none or the
// given entry is in none, and 2 if its id has more than one meaning, some input could
// not be read, an entry was lost, or the output not be written.
package main

import (
	"errors"
	"os"

	"jl/internal/cli"
)

const about = "Print the leaf of session logs: the entry where the conversation ends."

type flags struct {
	All   bool     `short:"a" help:"Print all leaves, newest first."`
	UUID  bool     `short:"u" name:"uuid" help:"Print the id alone."`
	Leaf  *string  `short:"l" placeholder:"ID" help:"Print the entry with this id; a unique beginning is enough."`
	As    string   `placeholder:"READER" enum:"claude-2.1,claude-2.0,sdk,sdk-system," default:"" help:"Choose as another program does:\nclaude-2.1, claude-2.0, sdk or sdk-system."`
	Files []string `arg:"" optional:"" name:"file" help:"With no FILE, or when FILE is -, read standard input."`
}

// Validate refuses options that contradict each other.
func (f *flags) Validate() error {
	switch {
	case f.All && (f.Leaf != nil || f.As != ""):
		return errors.New("--all cannot be used with --leaf or --as")
	case f.Leaf != nil && *f.Leaf == "":
		return errors.New("--leaf needs an id")
	}
	return nil
}

func main() { os.Exit(run(os.Args[1:], cli.OS())) }

func run(args []string, std cli.Stdio) int {
	var f flags
	c, ok := cli.Start("jlleaf", about, &f, args, std)
	if !ok {
		return c.Finish(nil)
	}
	return c.Finish(leaves(c, f))
}
