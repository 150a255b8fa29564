// Package rule is the rule of a path: which entries of a log are the conversation that ends at a leaf.
//
// A Table has a row for each node, in file order; the number of a node is its row. A reader
// fills some columns. Make fills the others, one pass after another, each from those before it:
//
//	keep     Up                      the parent that the rule uses
//	group    Turn, Next              the first node of the turn, and the next node of the turn
//	climb    Above, Order            the turn above a turn; the turns, each after the one above it
//	speech   asked, replied          in which turns somebody asked and was answered, or below which
//	attach   Attached, NextAttached  the turns that belong to the paths through the turn above
//	cross    crossing                where a path goes on above a root: see Crossing
//	pasts    over, spoken, past      what is no leaf
//	living   Leaves                  the leaves, newest first
//	end      End                     where the live conversation ends
//
// A turn is known by its first node: its columns are valid at the row of that.
//
// The package knows no text and reads nothing. Every pass is a loop over the rows, or over an order of
// them in which each comes after the one above it, up or down. So Make ends on any graph, and takes time
// and memory linear in the log, apart from sorting the leaves. A cycle of parents is cut at one place in
// the order; a path that comes back to where it was ends there, see [Climb.Loops].
package rule

import (
	"slices"

	"jl/internal/forest"
)

// A Node is the number of a row.
type Node = forest.Node

// None means no node: the parent of a root.
const None = forest.None

// Flags are facts about a node.
type Flags uint16

const (
	Talks     Flags = 1 << iota // a conversation node
	Speaks                      // of the user or the model
	Answer                      // of the model, and no error of a request
	Prompt                      // a person typed it
	Sidechain                   // on a sidechain
	Boundary                    // a compaction wrote it
	User                        // of the type user
	Results                     // what its message holds are results, not calls
	Lost                        // it names a parent that is not in the log
	Plan                        // a root that tells the model to carry out an approved plan, with the context cleared
)

// A Message is what a node says.
type Message struct {
	ID    uint64 // of an answer of the model, which may have several entries; 0 if there is none
	First int32  // where its calls, or else its results, are in Table.Tools
	Count int32  // how many they are
}

// A Compaction is what a boundary tells.
type Compaction struct {
	Kept    []Node // what it kept, in file order, all before the boundary
	Summary Node   // below which what follows hangs: the summary, or the boundary itself
	Logical Node   // the entry that it names as the one above it, None if that is not in the log
	From    bool   // the user summarised what comes after Logical, so Kept is what was before
}

// A Table is a table of nodes.
type Table struct {
	// A reader fills these columns, and does not change them after Make.

	Plain       bool   // each node is a turn of its own, and belongs to no other one
	Parent      []Node // the one that the node names, None if it names none or that is not in the log
	Flags       []Flags
	Strand      []int32 // equal if the session and the sidechain are
	Time        []int64 // math.MinInt64 if there is none
	Message     []int32 // 1 + the index in Messages, 0 if the node has none
	Messages    []Message
	Tools       []uint64            // the ids of calls and results
	Compactions map[Node]Compaction // by boundary, or by another node above which a path goes on

	// Make fills these columns. They do not change any more.

	Up           []Node // what follows a boundary and names what that kept has its summary as the parent
	Turn         []Node // the turn of the node
	Next         []Node // the next node of the turn in the file, or None
	Above        []Node // by turn: the turn above, or None
	Attached     []Node // by turn: the first of the turns that hang below it and belong to it, or None; nil if there are none
	NextAttached []Node // by such a turn: the next one, or None; nil as Attached
	Leaves       []Node // newest first: the last conversation node of each turn that is a leaf, and of what belongs to it
	// Where the live conversation ends: the last conversation node in the file at or above which the user or the model
	// speaks, so no boundary that a crash left without its summary; if nobody speaks, the last conversation node. Nodes
	// on sidechains count only if all are on one. None if there is no conversation node.
	End Node

	Order    []Node    // the turns, each after the one above it
	crossing []Node    // by turn; nil if there are none: see Crossing
	state    []state   // by turn
	walks    walks     // of Path
	scratch  [2][]Node // of the passes, see blank
}

// A state is what is known of a turn.
type state uint16

const (
	prompted      state = 1 << iota // somebody asked in it
	answered                        // the model answered in it
	asked                           // prompted in it or below, on no sidechain
	replied                         // answered in it or below, on no sidechain
	nextAsked                       // along the newest line, a prompt comes first
	attached                        // it belongs to the turn above: see attach
	underAttached                   // it or a turn above it does
	talks                           // it has a conversation node, on no sidechain unless all are
	over                            // a turn that talks is below
	past                            // in the history of a compaction, or kept by it
	spoken                          // somebody speaks in it or above
	onMain                          // a node of it is on no sidechain
	spokenIn                        // the user or the model speaks in it or below, on no sidechain
	talksIn                         // it or a turn below has a conversation node on no sidechain
)

// Make fills the columns that follow from those of the reader.
func (l *Table) Make() {
	l.keep()
	order := topDown(l.Up, make([]Node, 0, len(l.Up)))
	l.group(order)
	l.climb(order)
	l.speech()
	if !l.Plain {
		l.attach()
	}
	l.cross()
	l.pasts()
	l.living()
	l.End = l.end()
	l.scratch = [2][]Node{}
}

// Is reports whether a node has one of some flags.
func (l *Table) Is(n Node, f Flags) bool { return l.Flags[n]&f != 0 }

// side returns 1 for a node on a sidechain, or else 0.
func (l *Table) side(n Node) int {
	if l.Is(n, Sidechain) {
		return 1
	}
	return 0
}

// Calls returns the calls that a node makes. The caller must not change the slice.
func (l *Table) Calls(n Node) []uint64 { return l.tools(n, 0) }

// Results returns the calls that a node answers. The caller must not change the slice.
func (l *Table) Results(n Node) []uint64 { return l.tools(n, Results) }

func (l *Table) tools(n Node, kind Flags) []uint64 {
	if l.Message[n] == 0 || l.Flags[n]&Results != kind {
		return nil
	}
	m := &l.Messages[l.Message[n]-1]
	return l.Tools[m.First : m.First+m.Count]
}

// hasTools reports whether a node has calls or results.
func (l *Table) hasTools(n Node) bool {
	return l.Message[n] != 0 && l.Messages[l.Message[n]-1].Count > 0
}

// message returns the id of the message of an answer, or 0.
func (l *Table) message(n Node) uint64 {
	if l.Message[n] == 0 {
		return 0
	}
	return l.Messages[l.Message[n]-1].ID
}

// column returns a column without nodes.
func (l *Table) column() []Node { return slices.Repeat([]Node{None}, len(l.Parent)) }

// blank returns a column without nodes that is valid until the next call with the same i, 0 or 1, in memory that
// the passes share.
func (l *Table) blank(i int) []Node {
	if l.scratch[i] == nil {
		l.scratch[i] = make([]Node, len(l.Parent))
	}
	for n := range l.scratch[i] {
		l.scratch[i][n] = None
	}
	return l.scratch[i]
}

// topDown returns all rows, each after up of it, unless these make a cycle, in the memory of order.
func topDown(up, order []Node) []Node {
	seen, walk := make([]bool, len(up)), []Node(nil)
	for n := range Node(len(up)) {
		if p := up[n]; p == None || seen[p] { // as nearly always
			if !seen[n] {
				seen[n], order = true, append(order, n)
			}
			continue
		}
		for x := n; x != None && !seen[x]; x = up[x] {
			seen[x], walk = true, append(walk, x)
		}
		slices.Reverse(walk)
		order, walk = append(order, walk...), walk[:0]
	}
	return order
}

// at returns the value of a node in a column, None for None.
func at(column []Node, n Node) Node {
	if n == None {
		return None
	}
	return column[n]
}

// keep hangs what follows a boundary, and names an entry that it kept, on its summary. A boundary that kept
// something is a root, although the client's /branch gives it a parent.
func (l *Table) keep() {
	l.Up = l.Parent
	var hook []Node // by node: the summary of the last boundary so far that kept it
	for n := range Node(len(l.Up)) {
		if p := l.Up[n]; hook != nil && p != None && hook[p] != None && hook[p] != n {
			l.Up[n] = hook[p]
		}
		c, ok := l.Compactions[n]
		if !ok || len(c.Kept) == 0 {
			continue
		}
		if hook == nil {
			hook, l.Up = l.blank(0), slices.Clone(l.Parent)
		}
		l.Up[n] = None
		for _, k := range c.Kept {
			hook[k] = c.Summary
		}
	}
}
