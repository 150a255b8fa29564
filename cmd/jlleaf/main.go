// Jlleaf prints the leaf of session logs: the entry where the conversation ends.
//
// Usage:
//
//	jlleaf [-u | -H] [-a] [FILE]...
//	jlleaf [-u | -H] [-l ID] [--as READER] [FILE]...
//
// Going back to an earlier entry and trying again leaves a log with several leaves. Jlleaf
// chooses the newest leaf that is not on a sidechain, and prints its edge as jltree does. It
// adds how deep the leaf is, what names the conversation, and which rules choose the leaf: the
// newest by the clock, the last in the file, or the pinned one, which the last entry of type
// last-prompt names. If these rules disagree, one line on standard error says so. On a terminal,
// another line says how many other branches there are.
//
//	LOG                      ITS LEAF
//	of a sub-agent           the newest leaf, although all are on sidechains
//	two leaves equally old   the later in the file
//	a leaf without a time    is older than all others
//	a leaf without messages  comes after all others: no message is at the leaf or above it
//	of pi                    the last entry
//	a list, as of Codex      the last entry that was not undone
//
// # Ends
//
// An end is a leaf that no newer end has in its history, and that has a message in the part of its
// history that no newer end has. The history of an end is what jlpath --through prints. It includes
// the results of parallel calls, prompts sent while the model went on, and what is above a
// compaction, a lost parent or a plan that began afresh, so no end is among these. In a list, the
// ends are the leaf and the last entry of each stretch that was undone.
//
// Ends without a user or assistant entry at or above them come last. The edge of an end also has its
// fork, the last entry of the nearest turn that a newer end has in its history, and own, the number
// of conversation entries of its history that no newer end has. The depth of a leaf, too, counts from
// the true beginning.
package main

import (
	"jl/internal/cli"
	"jl/internal/operand"
	"jl/internal/reader"
)

const about = "Print the leaf of session logs: the entry where the conversation ends."

const details = `Examples:
  jlleaf -u session.jsonl
  jlpath -ts -l 4dfe session.jsonl | jq -r chat  # what was said on a branch
  jlleaf -a session.jsonl | jq -r '[.uuid[:8], .own, .prompt] | @tsv'

Exit status:
  0  some FILE has a leaf
  1  no FILE has a leaf, or the given entry
  2  trouble: wrong usage, an ambiguous id, unreadable input, a lost entry,
     a failed write
`

// The manual tells of each option what its comment says, or else its help.
type flags struct {
	// Print all ends, newest first; see below.
	All bool `group:"Which leaf" xor:"all-leaf,all-as" short:"a" help:"Print all ends, newest first."`

	Leaf string `group:"Which leaf" xor:"all-leaf" short:"l" placeholder:"ID" help:"Print the edge of the entry with this id, or its unique\nbeginning."`

	// Choose as another program does: claude-2.1, claude-2.0, sdk or sdk-system; see jl(7).
	As reader.Rules `group:"Which leaf" xor:"all-as" placeholder:"READER" help:"Choose as another program does:\nclaude, claude-2.1, claude-2.0, sdk or sdk-system."`

	// Print the id alone; as a JSON string if jlpath -l - would not read it back otherwise.
	UUID bool `group:"Output" xor:"uuid-named" short:"u" name:"uuid" help:"Print the id alone."`

	Named bool `group:"Output" xor:"uuid-named" short:"H" name:"with-filename" help:"Name the FILE in each record, even if it is the only one."`

	operand.Options
}

// Help returns what follows the options in the help.
func (*flags) Help() string { return details }

func main() { cli.Main("jlleaf", about, run) }

func run(c *cli.Command, f *flags) {
	p := printer{c: c, f: f, found: f.Leaf == ""}
	operand.Each(c, &f.Options, f.Named, p.log)
	if !p.found {
		operand.NoEntry(c, f.Files, f.Leaf)
	}
	if !p.printed {
		c.No()
	}
}
