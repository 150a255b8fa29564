package tree

import (
	"cmp"
	"slices"
)

// A turn is a message of a path, with the entries and results of it that are not on the
// path because parallel calls make branches.
type turn struct {
	message string
	entries []Node // all entries of the message, in file order
	first   Node   // the first of them on the path
	last    Node   // the last of them on the path
	calls   []Node // those that are not on the path
	results []Node // the results that are not on the path
}

// siblings returns the turns of a path: for each message its entries, and the results of
// its calls, that are not on the path. A result is a child of an entry of the message. A
// call that neither the path nor such a child answers is open; the first result in the
// file that names an open call counts too, if no other message makes the same call. parent
// has the written parent of each node. Nodes on sidechains count only if sidechains is
// set.
func (v *view) siblings(path []Node, parent []Node, sidechains bool) []*turn {
	shown := func(n Node) bool { return sidechains || v.at(n).flags&sidechain == 0 }
	taken := v.marked(path)
	turns, of := v.turns(path)
	if len(turns) == 0 {
		return nil
	}
	below := map[Node][]Node{} // by entry of a message: its children that are results
	for _, n := range v.order {
		if p := parent[n]; v.at(n).kind == user && p >= 0 && of[p] != nil && len(v.resultsOf(n)) > 0 {
			below[p] = append(below[p], n)
		}
	}
	open := v.openCalls(path, turns, below)
	calls := v.findOpen(turns, open, parent, shown)
	for i, t := range turns {
		for _, n := range t.entries {
			if !taken[n] && shown(n) {
				taken[n] = true
				t.calls = append(t.calls, n)
			}
		}
		for _, n := range t.entries {
			for _, r := range below[n] {
				if !taken[r] && shown(r) {
					taken[r] = true
					t.results = append(t.results, r)
				}
			}
		}
		for _, call := range open[i] {
			s := calls[call]
			if s.shared || !sidechains && v.at(s.caller).flags&sidechain != 0 {
				continue
			}
			for _, r := range s.results {
				if !taken[r] {
					taken[r] = true
					t.results = append(t.results, r)
					break
				}
			}
		}
	}
	return turns
}

// turns returns the messages of a path in path order, and by node the turn that it is an
// entry of.
func (v *view) turns(path []Node) (turns []*turn, of []*turn) {
	by := map[string]*turn{}
	hashes := map[uint32]bool{}
	of = make([]*turn, v.n)
	for _, n := range path {
		m := v.messageOf(n)
		if m == "" {
			continue
		}
		t := by[m]
		if t == nil {
			t = &turn{message: m, first: n}
			by[m] = t
			turns = append(turns, t)
			hashes[v.at(n).message] = true
		}
		t.last = n
	}
	for _, n := range v.order {
		if a := v.at(n); a.kind == assistant && hashes[a.message] {
			if t := by[v.messageOf(n)]; t != nil {
				t.entries = append(t.entries, n)
				of[n] = t
			}
		}
	}
	return turns, of
}

// openCalls returns for each turn the open calls in file order, each once.
func (v *view) openCalls(path []Node, turns []*turn, below map[Node][]Node) [][]string {
	onPath := callSet(slices.Values(path), v.resultsOf)
	open := make([][]string, len(turns))
	for i, t := range turns {
		var results []Node
		for _, n := range t.entries {
			results = append(results, below[n]...)
		}
		answered := callSet(slices.Values(results), v.resultsOf)
		for _, n := range t.entries {
			for _, c := range v.callsOf(n) {
				if !onPath[c] && !answered[c] {
					answered[c] = true // once
					open[i] = append(open[i], c)
				}
			}
		}
	}
	return open
}

// An openCall is what the whole log holds about an open call.
type openCall struct {
	message string // the message that makes it
	shared  bool   // another message makes it too
	caller  Node   // the last entry in the file that makes it
	results []Node // the results that name it and are not roots
}

// findOpen searches the whole log for the open calls. It reads nothing if there are none.
func (v *view) findOpen(turns []*turn, open [][]string, parent []Node, shown func(Node) bool) map[string]*openCall {
	found := map[string]*openCall{}
	for i, calls := range open {
		for _, c := range calls {
			if found[c] == nil {
				found[c] = &openCall{message: turns[i].message}
			}
		}
	}
	if len(found) == 0 {
		return nil
	}
	for _, n := range v.order {
		switch v.at(n).kind {
		case assistant:
			k := v.peek(n)
			for _, c := range k.calls {
				if s := found[c]; s != nil && k.id != "" {
					s.shared = s.shared || s.message != k.id
					s.caller = n
				}
			}
		case user:
			if parent[n] == None || !shown(n) {
				continue
			}
			for _, c := range v.peek(n).results {
				if s := found[c]; s != nil && (len(s.results) == 0 || s.results[len(s.results)-1] != n) {
					s.results = append(s.results, n)
				}
			}
		}
	}
	return found
}

// peek is message, but does not keep what it reads. It is for a pass over the whole log.
func (v *view) peek(n Node) *message {
	if k, ok := v.messages[n]; ok {
		return k
	}
	return v.readMessage(n)
}

// withSiblings returns a path with the siblings inserted after the last entry of each
// message: first its other entries, then the results, both by time. Those without a time
// come first.
func (v *view) withSiblings(path []Node, turns []*turn) []Node {
	extra := map[Node][]Node{}
	for _, t := range turns {
		slices.SortStableFunc(t.calls, v.byTime)
		slices.SortStableFunc(t.results, v.byTime)
		if len(t.calls)+len(t.results) > 0 {
			extra[t.last] = slices.Concat(t.calls, t.results)
		}
	}
	if len(extra) == 0 {
		return path
	}
	var out []Node
	for _, n := range path {
		out = append(append(out, n), extra[n]...)
	}
	return out
}

// withParallel is withSiblings for a default path. If only the results of its calls follow
// a message, all of them are the end of the conversation: their order does not depend on
// which of them is the leaf, and the links between them are kept, so that the path of a
// printed path is the same path.
func (v *view) withParallel(path []Node, turns []*turn) []Node {
	end, last := v.openEnd(path, turns)
	out := v.withSiblings(path[:end], turns)
	if last != nil {
		out = append(slices.Clip(out), v.ending(path, end, last)...)
	}
	return out
}

func (v *view) byTime(a, b Node) int { return cmp.Compare(v.at(a).timeOrZero(), v.at(b).timeOrZero()) }

// openEnd returns the turn that the path ends with, and where it begins on the path, if
// nothing follows its message but results of its calls; else nil and the length of the
// path.
func (v *view) openEnd(path []Node, turns []*turn) (int, *turn) {
	if len(turns) == 0 {
		return len(path), nil
	}
	t := turns[len(turns)-1]
	if len(t.calls)+len(t.results) == 0 {
		return len(path), nil
	}
	calls := callSet(slices.Values(t.entries), v.callsOf)
	start := slices.Index(path, t.first)
	for _, n := range path[start:] {
		switch {
		case !v.Conversation(n), v.messageOf(n) == t.message:
		case v.at(n).kind == user && slices.ContainsFunc(v.resultsOf(n), func(r string) bool { return calls[r] }):
		default:
			return len(path), nil
		}
	}
	return start, t
}

// ending returns the nodes of the turn that the path ends with, from start on: the
// entries of the message in file order, then the results by time, each after the links
// that lead to it.
func (v *view) ending(path []Node, start int, t *turn) []Node {
	done := setOf(path[:start])
	path = path[start:]
	var entries, results []Node
	for _, n := range slices.Concat(path, t.calls, t.results) {
		switch {
		case !v.Conversation(n):
		case v.at(n).kind == assistant:
			entries = append(entries, n)
		default:
			results = append(results, n)
		}
	}
	slices.SortFunc(entries, v.byOffset)
	slices.SortFunc(results, func(a, b Node) int { return cmp.Or(v.byTime(a, b), v.byOffset(a, b)) })
	var out []Node
	for _, n := range slices.Concat(entries, results) {
		var links []Node
		for up, ok := n, true; ok && !done[up] && (up == n || !v.Conversation(up)); up, ok = v.up(up) {
			done[up] = true
			links = append(links, up)
		}
		slices.Reverse(links)
		out = append(out, links...)
	}
	for _, n := range path { // a link may be the leaf
		if !done[n] {
			out = append(out, n)
		}
	}
	return out
}

func (n *node) timeOrZero() int64 {
	if n.flags&timed == 0 {
		return 0
	}
	return n.time
}
