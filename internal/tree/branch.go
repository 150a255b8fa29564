package tree

import (
	"slices"
)

// A Branch is an end, and what its path has of its own.
type Branch struct {
	End  Node
	Fork Node // the last node that the path shares with a newer end's path, None if it shares none
	Own  int  // the number of conversation nodes behind the fork, or of the path if there is none
}

// Branches returns the branch of each end that is not on the path of a newer one. The newest
// end comes first. Branches looks at each path from its end up to the turn of its fork, so
// many ends cost little more than one, unless the last compaction kept entries, or nothing but
// results of calls is above a fork.
func (t *Tree) Branches(ends []Node) []Branch {
	var branches []Branch
	var covered, climbed nodeSet // by newer paths; see partOf
	covered.clear(t.n)
	climbed.clear(t.n)
	for _, end := range ends {
		if covered.has(end) {
			continue
		}
		part, _ := t.partOf(end, &climbed)
		b := Branch{End: end, Fork: None}
		for _, n := range slices.Backward(part) {
			if covered.has(n) {
				b.Fork = n
				break
			}
			if t.Conversation(n) {
				b.Own++
			}
		}
		covered.addAll(part)
		branches = append(branches, b)
	}
	return branches
}

// Union returns the nodes of the default paths that end at leaves, in file order, and the
// remarks about these paths. It looks at each node about once, as Branches does.
func (t *Tree) Union(leaves []Node) ([]Node, []Remark) {
	var nodes []Node
	var remarks []Remark
	var covered, climbed nodeSet // see partOf
	covered.clear(t.n)
	climbed.clear(t.n)
	for _, leaf := range leaves {
		part, known := t.partOf(leaf, &climbed)
		if !known {
			remarks = append(remarks, t.Path(leaf, Options{Chain: true}).Remarks...)
		}
		for _, n := range part {
			if !covered.has(n) {
				covered.add(n)
				nodes = append(nodes, n)
			}
		}
	}
	slices.SortFunc(nodes, t.byOffset)
	return nodes, remarks
}

// partOf returns the part of the default path that ends at end which begins in the turn of
// the last node that is climbed: one from which partOf went up before, so that what is above it is
// known, as partOf reports. What a path has beside it, of its messages, need not hang below it. If
// a compaction kept nodes, partOf returns the whole path, because a newer path may have these
// nodes without those above them.
func (t *Tree) partOf(end Node, climbed *nodeSet) (part []Node, known bool) {
	var kept *preserved
	if !t.plain() {
		kept, _ = t.linked()
	}
	if kept != nil {
		part = t.defaultPath(end, Options{}).Nodes
	} else {
		part = t.all().walkUp(end, t.turnStart(climbed))
	}
	known = slices.ContainsFunc(part, climbed.has)
	climbed.addAll(part)
	if kept == nil && !t.plain() {
		part = t.all().withParallel(part, t.parallel().siblings(part))
	}
	return part, known
}

// turnStart returns a function that is asked for the nodes of a path upwards. It reports
// true for the first node that is climbed, or, because the entries and results of a turn
// stay together, for the first one above the turn of that node.
func (t *Tree) turnStart(climbed *nodeSet) func(Node) bool {
	reached := false
	message := hash(0)
	return func(n Node) bool {
		if reached = reached || climbed.has(n); !reached || t.plain() {
			return reached
		}
		switch a := t.at(n); a.kind {
		case user:
			return len(t.resultsOf(n)) == 0
		case assistant:
			m := t.messageOf(n)
			if message == 0 {
				message = m
			}
			return m == 0 || m != message
		}
		return false
	}
}
