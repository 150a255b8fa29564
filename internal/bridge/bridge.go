// Package bridge guesses what came before an orphan, an entry whose parent is not in the log.
package bridge

import (
	"cmp"
	"iter"
	"slices"
	"sort"

	"jl/internal/forest"
	"jl/internal/log"
)

// A Bridge finds the nodes that most likely came before orphans. Apart from sorting, any number of
// orphans of one path takes time linear in the number of nodes.
type Bridge struct {
	t        *log.Log
	byTime   map[int32][]log.Node // by strand, the newest first; nil until an orphan needs the lists
	byOffset map[int32][]log.Node // by strand, the last first
	children func(turn log.Node) iter.Seq[log.Node]
	below    forest.Set // the orphans and what descends from them
	skips    forest.Skips
}

// New returns a Bridge for paths of t.
func New(t *log.Log) *Bridge { return &Bridge{t: t} }

// Path returns a function for [log.Options.Tie] of one path, which must be asked for orphans in the
// order of a walk upwards. It is valid until the next call of Path.
func (b *Bridge) Path() func(orphan log.Node) log.Node {
	b.below.Clear(b.t.Cap)
	b.skips = forest.Skips{}
	return b.before
}

// rank makes the lists.
func (b *Bridge) rank() {
	t := b.t
	b.byTime, b.byOffset = map[int32][]log.Node{}, map[int32][]log.Node{}
	for n := t.Count - 1; n >= 0; n-- {
		s := t.Strand[n]
		b.byOffset[s] = append(b.byOffset[s], n)
		if t.Time[n] != log.NoTime {
			b.byTime[s] = append(b.byTime[s], n)
		}
	}
	for _, l := range b.byTime {
		slices.SortStableFunc(l, func(x, y log.Node) int { return cmp.Compare(t.Time[y], t.Time[x]) })
	}
	b.children = forest.Of(t.Above).Children(t.Order)
}

// before returns the node that most likely came before an orphan, or None: of those on its strand
// that do not descend from it, the newest that is not younger, and among equals the last in the
// file; if times do not decide, the last before it in the file.
func (b *Bridge) before(orphan log.Node) log.Node {
	if b.byTime == nil {
		b.rank()
	}
	b.mark(orphan)
	strand := b.t.Strand[orphan]
	if when := b.t.Time[orphan]; when != log.NoTime {
		l := b.byTime[strand]
		i := sort.Search(len(l), func(i int) bool { return b.t.Time[l[i]] <= when })
		if n := b.below.FirstOut(l, i, b.skips); n != log.None {
			return n
		}
	}
	l := b.byOffset[strand]
	i := sort.Search(len(l), func(i int) bool { return l[i] < orphan })
	return b.below.FirstOut(l, i, b.skips)
}

// mark excludes the turn of n and all turns below it. Those of an orphan that was tied before stay
// excluded, because they now descend from n too.
func (b *Bridge) mark(n log.Node) {
	for todo := []log.Node{b.t.Turn[n]}; len(todo) > 0; {
		turn := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if !b.below.Has(turn) {
			for m := turn; m != log.None; m = b.t.Next[m] {
				b.below.Add(m)
			}
			todo = slices.AppendSeq(todo, b.children(turn))
		}
	}
}
