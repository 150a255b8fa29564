package reader

import (
	"cmp"
	"math"
	"slices"

	"jl/internal/entry"
	"jl/internal/forest"
	"jl/internal/log"
	"jl/internal/shape"
)

// none is the parent of a root.
const none = log.None

// A view is a log as a program reads it: some of its nodes, with the parents that the program
// gives them.
type view struct {
	*log.Log
	*forest.Forest            // as parent, made by link
	nodes          []log.Node // in file order
	in             []bool     // by node: whether it is one of them
	parent         []log.Node // by node: none for a root; not one of nodes for an orphan
	from           int64      // the offset of the first entry that the program reads
	missing        log.Node   // the node of an id that no entry of the log has or names
}

// newView returns a view of the nodes whose kind the rules know, with the parents that they name.
func newView(t *log.Log, r Rules) *view {
	n := t.Cap + 1
	v := &view{Log: t, in: make([]bool, n), parent: slices.Repeat([]log.Node{none}, n), missing: log.Node(t.Cap)}
	if r != Claude20 {
		v.from = firstRead(t)
	}
	for n := range t.Count {
		if r.knows(t.Kinds[n]) && t.Pos(n).Offset >= v.from {
			v.nodes = append(v.nodes, n)
			v.in[n], v.parent[n] = true, t.Written[n]
		}
	}
	return v
}

// fiveMiB is the size in bytes above which current programs do not read the entries before the
// last boundary.
const fiveMiB = 5 << 20

// firstRead returns the offset of the first entry that current programs read. In a large log that
// is the last boundary, unless it preserves entries before it.
func firstRead(t *log.Log) int64 {
	at := t.LastBoundary
	if t.Size <= fiveMiB || at.Length == 0 || shape.HasPreserved(t.EntryAt(at)) {
		return 0
	}
	return at.Offset
}

// link makes the forest of the nodes.
func (v *view) link() {
	v.Forest = &forest.Forest{Up: slices.Clone(v.parent)}
	for n, up := range v.Up {
		if !v.in[n] || !v.holds(up) {
			v.Up[n] = none
		}
	}
}

// holds reports whether n, which may be none, is one of the nodes.
func (v *view) holds(n log.Node) bool { return n >= 0 && v.in[n] }

// drop removes the nodes for which gone reports true.
func (v *view) drop(gone func(log.Node) bool) {
	v.nodes = slices.DeleteFunc(v.nodes, func(n log.Node) bool {
		v.in[n] = !gone(n)
		return !v.in[n]
	})
}

// messageOf returns the message that n is an entry of, 0 if it has none or is not an assistant entry.
func (v *view) messageOf(n log.Node) log.Hash {
	if m := v.Tree.Message[n]; m > 0 && v.Kinds[n] == log.Assistant {
		return v.Tree.Messages[m-1].ID
	}
	return 0
}

func (v *view) isMessage(n log.Node) bool { return v.Kinds[n].Message() }

// lookUp returns the node of an id, or none if the id is not a string.
func (v *view) lookUp(id entry.Value) log.Node {
	if n := v.LookUp(id); n != none || !id.IsString() {
		return n
	}
	return v.missing
}

// bridge gives each child of a progress entry the parent that the progress entries above it lead
// to, and drops the progress entries.
func (v *view) bridge() {
	isProgress := func(n log.Node) bool { return v.holds(n) && v.Kinds[n] == log.Progress }
	v.link()
	if !slices.ContainsFunc(v.nodes, isProgress) {
		return
	}
	top := v.Nearest(func(n log.Node) bool { return !isProgress(v.parent[n]) })
	for _, n := range v.nodes {
		if up := v.parent[n]; isProgress(up) {
			if t := top(up); t != none { // else a cycle, which is dropped
				v.parent[n] = v.parent[t]
			}
		}
	}
	v.drop(isProgress)
	v.link()
}

// direct reports whether no progress entry is between n and its parent.
func (v *view) direct(n log.Node) bool {
	up := v.Written[n]
	return !v.Has(up) || v.Kinds[up] != log.Progress
}

// A preserved list names the nodes that a compaction kept and the node that became their ancestor.
type preserved struct {
	ids    []log.Node // if listed, all of them; else the head and the tail of a segment, or all of it
	listed bool       // the parent of each of ids is the one before it
	anchor log.Node
}

// preserved reads the preserved list of the boundary n, and all of a segment if whole is set. It reports
// false if there is none, a list is empty or names what is not a node of the view, or the tail of a
// whole segment does not lead up to its head.
func (v *view) preserved(n log.Node, whole bool) (p preserved, ok bool) {
	kept, ok := shape.PreservedBy(v.Entry(n))
	if p.listed, p.anchor = kept.Listed, v.lookUp(kept.Anchor); !p.listed {
		kept.IDs = []entry.Value{kept.Head, kept.Tail}
	}
	for _, id := range kept.IDs {
		p.ids = append(p.ids, v.lookUp(id))
	}
	switch {
	case p.listed:
		return p, len(p.ids) > 0 && !slices.ContainsFunc(p.ids, func(n log.Node) bool { return !v.holds(n) })
	case !ok || !whole:
		return p, ok
	case !v.holds(p.ids[1]):
		return p, false
	}
	head := p.ids[0]
	p.ids = v.Walk(p.ids[1], func(n log.Node) bool { return n == head })
	return p, p.ids[0] == head
}

// ends returns the nodes among nodes that none of them names as its parent. Only nodes for which names
// reports true count as naming one.
func (v *view) ends(nodes []log.Node, names func(log.Node) bool) []log.Node {
	named := make([]bool, len(v.in))
	for _, n := range nodes {
		if up := v.Up[n]; up != none && names(n) {
			named[up] = true
		}
	}
	return slices.DeleteFunc(slices.Clone(nodes), func(n log.Node) bool { return named[n] })
}

func all(log.Node) bool { return true }

// pathOf returns a path that was made of a walk. If parents is set, Taken has the nearest other node of the
// path above each of its nodes, unless that is the parent that it names.
func (v *view) pathOf(leaf log.Node, path, walk []log.Node, parents bool) log.Path {
	p := log.Path{Leaf: leaf, Nodes: path}
	if !parents {
		return p
	}
	f := forest.Forest{Up: slices.Clone(v.Up)}
	up := none
	for _, n := range walk {
		f.Up[n], up = up, n
	}
	on := forest.NewSet(v.Cap)
	on.AddAll(path)
	above := f.Nearest(on.Has)
	p.Taken = map[log.Node]log.Node{}
	for _, n := range path {
		if up := above(f.Up[n]); up != none && up != n && up != v.Written[n] {
			p.Taken[n] = up
		}
	}
	return p
}

// undated is the date of a node without one.
const undated = math.MinInt64

// date returns the timestamp of n as a JavaScript Date has it, in whole milliseconds since 1970, or
// undated if n has none that is readable.
func (v *view) date(n log.Node) int64 {
	at := v.Tree.Time[n]
	if at == log.NoTime {
		return undated
	}
	return int64(math.Floor(float64(at) / 1000))
}

func (v *view) byDate(a, b log.Node) int { return cmp.Compare(v.date(a), v.date(b)) }
