// Package bridge guesses what came before an orphan, an entry whose parent is not in the log.
package bridge

import (
	"cmp"
	"iter"
	"slices"

	"jl/internal/forest"
	"jl/internal/tree"
)

// A class is what an orphan and the node before it have in common.
type class struct {
	session   int
	sidechain bool
}

// A Bridge finds the nodes that most likely came before orphans. Apart from sorting, any number of
// orphans of one path takes time linear in the number of nodes.
type Bridge struct {
	t        *tree.Tree
	ranked   bool                  // the lists are made
	byTime   map[class][]tree.Node // the newest first
	byOffset map[class][]tree.Node // the last first
	children func(tree.Node) iter.Seq[tree.Node]
	below    forest.Set    // the orphans and what descends from them
	skips    map[place]int // by entry of a list that is excluded: the next index to look at
}

// A place is an index in a list, known by its first element.
type place struct {
	list *tree.Node
	i    int
}

// New returns a Bridge for paths of t.
func New(t *tree.Tree) *Bridge { return &Bridge{t: t} }

// Path returns a function for [tree.Options.Tie] of one path, which must be asked for orphans in the
// order of a walk upwards. It is valid until the next call of Path.
func (b *Bridge) Path() func(orphan tree.Node) tree.Node {
	b.below.Clear(b.t.Cap())
	b.skips = map[place]int{}
	return b.before
}

// rank makes the lists.
func (b *Bridge) rank() {
	t := b.t
	b.ranked, b.children = true, t.Children()
	b.byTime, b.byOffset = map[class][]tree.Node{}, map[class][]tree.Node{}
	for _, n := range slices.Backward(t.Nodes()) {
		c := b.class(n)
		b.byOffset[c] = append(b.byOffset[c], n)
		if _, timed := t.Time(n); timed {
			b.byTime[c] = append(b.byTime[c], n)
		}
	}
	for _, l := range b.byTime {
		slices.SortStableFunc(l, func(x, y tree.Node) int { return cmp.Compare(b.time(y), b.time(x)) })
	}
}

func (b *Bridge) class(n tree.Node) class { return class{b.t.Session(n), b.t.Sidechain(n)} }

func (b *Bridge) time(n tree.Node) int64 {
	at, _ := b.t.Time(n)
	return at
}

// before returns the node that most likely came before an orphan: the newest of its session, on a
// sidechain or not as the orphan is, that is not younger than it, and among equals the last in the
// file; or, if times do not decide, the last before it in the file. Neither descends from the
// orphan. It returns None if there is none.
func (b *Bridge) before(orphan tree.Node) tree.Node {
	if !b.ranked {
		b.rank()
	}
	b.mark(orphan)
	c := b.class(orphan)
	if when, timed := b.t.Time(orphan); timed {
		l := b.byTime[c]
		i, _ := slices.BinarySearchFunc(l, when, func(n tree.Node, when int64) int {
			if b.time(n) > when {
				return -1
			}
			return 1
		})
		if n := b.first(l, i); n != tree.None {
			return n
		}
	}
	l := b.byOffset[c]
	i, _ := slices.BinarySearchFunc(l, b.t.Pos(orphan).Offset, func(n tree.Node, at int64) int {
		if b.t.Pos(n).Offset >= at {
			return -1
		}
		return 1
	})
	return b.first(l, i)
}

// mark excludes n and its descendants. Those of an orphan that was tied before stay excluded,
// because they now descend from n too.
func (b *Bridge) mark(n tree.Node) {
	b.below.Add(n)
	for todo := []tree.Node{n}; len(todo) > 0; {
		n := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for k := range b.children(n) {
			if !b.below.Has(k) {
				b.below.Add(k)
				todo = append(todo, k)
			}
		}
	}
}

// first returns the first node of a list from i on that is not excluded, or None. It skips a run
// of excluded nodes in nearly constant time.
func (b *Bridge) first(list []tree.Node, i int) tree.Node {
	for i < len(list) {
		at := place{&list[0], i}
		next, ok := b.skips[at]
		switch {
		case !ok && !b.below.Has(list[i]):
			return list[i]
		case !ok:
			b.skips[at] = i + 1
		default:
			if further, ok := b.skips[place{&list[0], next}]; ok {
				b.skips[at] = further // halves the way for the next orphan
			}
		}
		i = b.skips[at]
	}
	return tree.None
}
