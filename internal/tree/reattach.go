package tree

import (
	"cmp"
	"slices"
)

// ties finds, for orphans of one path from its end upwards, what most likely came
// before each. Any number of questions takes time linear in the number of nodes,
// but for sorting them once.
type reattacher struct {
	v        *view
	kids     family
	below    []bool // the orphans that were asked for and all that hangs below them
	byTime   map[class]*list
	byOffset map[class]*list
}

// A class is what an entry and the one before it have in common.
type class struct {
	session   int32
	sidechain bool
}

// Which of entries with the same time is taken.
const (
	firstInFile = 1
	lastInFile  = -1
)

// newReattacher prepares the nodes of v for which can reports true, each in its class.
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
			if x, y := v.at(a), v.at(b); x.time != y.time {
				return cmp.Compare(y.time, x.time)
			} else {
				return tie * cmp.Compare(x.offset, y.offset)
			}
		})
	}
	return t
}

// newest returns of a class the newest entry that is not younger than the orphan
// and does not hang below it, None if there is none. Orphans have to be asked for
// in the order of a walk upwards.
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

// lastBefore returns of a class the last entry before the orphan in the file that
// does not hang below it, None if there is none. The orphan is of the class, and
// newest was asked before.
func (t *reattacher) lastBefore(c class, orphan Node) Node {
	l := t.byOffset[c]
	i, _ := slices.BinarySearchFunc(l.nodes, t.v.at(orphan).offset, func(n Node, at int64) int {
		if t.v.at(n).offset >= at {
			return -1
		}
		return 1
	})
	return l.first(i, t.below)
}

// mark rules out n and all that hangs below it. What hangs below an orphan that
// was tied before stays ruled out: it now hangs below this one too.
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

// A list holds nodes in the order in which they are wanted. Some are ruled out as
// time goes by; a chain of them is passed over at once.
type list struct {
	nodes []Node
	skip  []int // by index: where to look instead, once the node is ruled out
}

// first returns the first node from i on that is not out, None if there is none.
// What was out stays out.
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
