package tree

import (
	"cmp"
	"slices"
)

// A reattacher finds the nodes that most likely came before the orphans of one path. It must
// be asked for orphans in the order of a walk upwards. Apart from sorting, any number of
// orphans takes time linear in the number of nodes.
type reattacher struct {
	v        *view
	kids     family
	below    []bool // the orphans that were asked for and their descendants
	byTime   map[class]*list
	byOffset map[class]*list
}

// A class is what an orphan and its predecessor have in common.
type class struct {
	session   int32
	sidechain bool
}

func (v *view) class(n Node) class {
	return class{v.at(n).session, v.at(n).flags&sidechain != 0}
}

// The values of tie: which of several nodes with the same time counts.
const (
	firstInFile = 1
	lastInFile  = -1
)

// newReattacher returns a reattacher that chooses among the nodes of v for which can reports
// true, each in its class. Among equal times, tie decides.
func (v *view) newReattacher(tie int, can func(Node) (class, bool)) *reattacher {
	t := &reattacher{
		v: v, kids: v.family(), below: make([]bool, v.n),
		byTime: map[class]*list{}, byOffset: map[class]*list{},
	}
	for _, n := range slices.Backward(v.order) {
		c, ok := can(n)
		if !ok {
			continue
		}
		if t.byTime[c] == nil {
			t.byTime[c], t.byOffset[c] = new(list), new(list)
		}
		t.byOffset[c].nodes = append(t.byOffset[c].nodes, n)
		if v.at(n).flags&timed != 0 {
			t.byTime[c].nodes = append(t.byTime[c].nodes, n)
		}
	}
	for _, l := range t.byTime {
		slices.SortFunc(l.nodes, func(a, b Node) int {
			return cmp.Or(cmp.Compare(v.at(b).time, v.at(a).time), tie*v.byOffset(a, b))
		})
	}
	return t
}

// newest returns the newest node of a class that is not younger than the orphan and does
// not descend from it, or None.
func (t *reattacher) newest(c class, orphan Node) Node {
	t.mark(orphan)
	l, at := t.byTime[c], t.v.at(orphan)
	if l == nil || at.flags&timed == 0 {
		return None
	}
	i, _ := slices.BinarySearchFunc(l.nodes, at.time, func(n Node, when int64) int {
		if t.v.at(n).time > when {
			return -1
		}
		return 1
	})
	return l.first(i, t.below)
}

// before returns the node that most likely came before an orphan: the newest of its class
// that is not younger, or, if times do not decide, the last before it in the file. Neither
// descends from the orphan. It returns None if there is none.
func (t *reattacher) before(orphan Node) Node {
	c := t.v.class(orphan)
	if n := t.newest(c, orphan); n != None {
		return n
	}
	l := t.byOffset[c]
	i, _ := slices.BinarySearchFunc(l.nodes, t.v.at(orphan).offset, func(n Node, at int64) int {
		if t.v.at(n).offset >= at {
			return -1
		}
		return 1
	})
	return l.first(i, t.below)
}

// mark rules out n and its descendants. Those of an orphan that was tied before stay ruled
// out, because they now descend from n too.
func (t *reattacher) mark(n Node) {
	t.below[n] = true
	for todo := []Node{n}; len(todo) > 0; {
		n := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for k := range t.kids.of(n) {
			if !t.below[k] {
				t.below[k] = true
				todo = append(todo, k)
			}
		}
	}
}

// A list holds nodes in order of preference. It skips runs of nodes that are ruled out in
// nearly constant time.
type list struct {
	nodes []Node
	skip  []int // by index: the next index to look at; the same index until the node is ruled out
}

// first returns the first node from i on that is not out, or None. Nodes that are out
// must stay out.
func (l *list) first(i int, out []bool) Node {
	if l.skip == nil {
		l.skip = make([]int, len(l.nodes)+1)
		for i := range l.skip {
			l.skip[i] = i
		}
	}
	for {
		for l.skip[i] != i {
			l.skip[i] = l.skip[l.skip[i]]
			i = l.skip[i]
		}
		if i == len(l.nodes) {
			return None
		}
		if !out[l.nodes[i]] {
			return l.nodes[i]
		}
		l.skip[i] = i + 1
	}
}
