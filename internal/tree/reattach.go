package tree

import (
	"cmp"
	"slices"
)

// A ranking holds the nodes that may have come before orphans, in the order in which one
// that looks for its predecessor prefers them.
type ranking struct {
	byTime   map[class][]Node // the newest first
	byOffset map[class][]Node // the last first
	kids     family
	below    nodeSet
}

// A reattacher finds the nodes that most likely came before the orphans of one path. It must
// be asked for orphans in the order of a walk upwards. Apart from sorting, any number of
// orphans takes time linear in the number of nodes.
type reattacher struct {
	v *view
	*ranking
	skips map[skipped]int // by entry of a list that is ruled out: the next index to look at
}

// A skipped is an index in a list, known by its first element.
type skipped struct {
	list *Node
	i    int
}

// A class is what an orphan and its predecessor have in common.
type class struct {
	session   int32
	sidechain bool
}

// class returns the class of n. All nodes have one.
func (v *view) class(n Node) (class, bool) {
	return class{v.at(n).session, v.at(n).flags&sidechain != 0}, true
}

// The values of tie: which of several nodes with the same time counts.
const (
	firstInFile = 1
	lastInFile  = -1
)

// newReattacher returns a reattacher that chooses among the nodes of v for which can reports
// true, each in its class. Among equal times, tie decides. A view must always be given the
// same can and tie. There can be one reattacher of a view at a time.
func (v *view) newReattacher(tie int, can func(Node) (class, bool)) *reattacher {
	if v.ranked == nil {
		r := &ranking{byTime: map[class][]Node{}, byOffset: map[class][]Node{}, kids: v.family(v.parent, &v.stock)}
		for _, n := range slices.Backward(v.order) {
			c, ok := can(n)
			if !ok {
				continue
			}
			r.byOffset[c] = append(r.byOffset[c], n)
			if v.at(n).flags&timed != 0 {
				r.byTime[c] = append(r.byTime[c], n)
			}
		}
		for _, l := range r.byTime {
			slices.SortFunc(l, func(a, b Node) int {
				return cmp.Or(cmp.Compare(v.at(b).time, v.at(a).time), tie*v.byOffset(a, b))
			})
		}
		v.ranked = r
	}
	v.ranked.below.clear(v.n)
	return &reattacher{v, v.ranked, map[skipped]int{}}
}

// newest returns the newest node of a class that is not younger than the orphan and does
// not descend from it, or None.
func (t *reattacher) newest(c class, orphan Node) Node {
	t.mark(orphan)
	l, at := t.byTime[c], t.v.at(orphan)
	if at.flags&timed == 0 {
		return None
	}
	i, _ := slices.BinarySearchFunc(l, at.time, func(n Node, when int64) int {
		if t.v.at(n).time > when {
			return -1
		}
		return 1
	})
	return t.first(l, i)
}

// before returns the node that most likely came before an orphan: the newest of its class
// that is not younger, or, if times do not decide, the last before it in the file. Neither
// descends from the orphan. It returns None if there is none.
func (t *reattacher) before(orphan Node) Node {
	c, _ := t.v.class(orphan)
	if n := t.newest(c, orphan); n != None {
		return n
	}
	l := t.byOffset[c]
	i, _ := slices.BinarySearchFunc(l, t.v.at(orphan).pos.offset(), func(n Node, at int64) int {
		if t.v.at(n).pos.offset() >= at {
			return -1
		}
		return 1
	})
	return t.first(l, i)
}

// mark rules out n and its descendants. Those of an orphan that was tied before stay ruled
// out, because they now descend from n too.
func (t *reattacher) mark(n Node) {
	t.below.add(n)
	for todo := []Node{n}; len(todo) > 0; {
		n := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for k := range t.kids.of(n) {
			if !t.below.has(k) {
				t.below.add(k)
				todo = append(todo, k)
			}
		}
	}
}

// first returns the first node of a list from i on that is not ruled out, or None. It skips
// a run of nodes that are in nearly constant time.
func (t *reattacher) first(list []Node, i int) Node {
	for i < len(list) {
		at := skipped{&list[0], i}
		next, ok := t.skips[at]
		switch {
		case !ok && !t.below.has(list[i]):
			return list[i]
		case !ok:
			t.skips[at] = i + 1
		default:
			if further, ok := t.skips[skipped{&list[0], next}]; ok {
				t.skips[at] = further // halves the way for the next orphan
			}
		}
		i = t.skips[at]
	}
	return None
}
