package tree

import (
	"cmp"
	"slices"
)

// A turn is what belongs to the tool calls of one message of a path but hangs
// siblings it, because parallel calls make branches.
type turn struct {
	message string
	entries []Node // all entries of the message, in the order of the file
	first   Node   // the first of them on the path
	last    Node   // the last
	calls   []Node // those that are not on the path
	results []Node // the results that are not on the path
}

// siblings finds, for each message of a path, its entries and the results of its
// calls that are not on the path. A result is found by hanging below an entry of
// the message; or by the call that it names, if that is open: the path and what
// hangs below the message do not answer it, no other message makes the same call,
// and the last entry in the file that makes it is on no sidechain. parent is the
// parent of each node as it is written. Entries on a sidechain count only if
// sidechains is set.
func (v *view) siblings(path []Node, parent []Node, sidechains bool) []*turn {
	shown := func(n Node) bool { return sidechains || v.at(n).flags&sidechain == 0 }
	taken := make([]bool, v.n)
	for _, n := range path {
		taken[n] = true
	}
	turns, of := v.turns(path)
	if len(turns) == 0 {
		return nil
	}
	below := map[Node][]Node{} // by entry of a message: the results that hang there
	for _, n := range v.order {
		if p := parent[n]; v.at(n).kind == user && p >= 0 && of[p] != nil && len(v.resultsOf(n)) > 0 {
			below[p] = append(below[p], n)
		}
	}
	open := v.openCalls(path, turns, below)
	strays := v.strays(turns, open, parent, shown)
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
			s := strays[call]
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

// turns returns the messages of a path in its order, and by node the turn whose
// message it is an entry of.
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

// openCalls returns for each turn the calls that neither the path nor a result
// below the message answers, in the order of the file.
func (v *view) openCalls(path []Node, turns []*turn, below map[Node][]Node) [][]string {
	onPath := map[string]bool{}
	for _, n := range path {
		for _, r := range v.resultsOf(n) {
			onPath[r] = true
		}
	}
	open := make([][]string, len(turns))
	for i, t := range turns {
		answered := map[string]bool{}
		for _, n := range t.entries {
			for _, r := range below[n] {
				for _, c := range v.resultsOf(r) {
					answered[c] = true
				}
			}
		}
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

// A stray is what the whole log knows of an open call.
type stray struct {
	message string
	shared  bool   // more than one message makes the call
	caller  Node   // the last entry that makes it
	results []Node // the results that name it and have a parent
}

// strays looks through the log for the calls in open; it reads nothing if there
// are none.
func (v *view) strays(turns []*turn, open [][]string, parent []Node, shown func(Node) bool) map[string]*stray {
	found := map[string]*stray{}
	for i, calls := range open {
		for _, c := range calls {
			if found[c] == nil {
				found[c] = &stray{message: turns[i].message}
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

// peek is talk for a pass over the whole log: what it reads it does not keep.
func (v *view) peek(n Node) *message {
	if k, ok := v.messages[n]; ok {
		return k
	}
	return v.readMessage(n)
}

// withSiblings returns a path with what hangs beside it put in: behind the last entry
// of each message its other entries, then the results, both by time; those without
// a time come first.
func (v *view) withSiblings(path []Node, turns []*turn) []Node {
	extra := map[Node][]Node{}
	byTime := func(a, b Node) int { return cmp.Compare(v.at(a).timeOrZero(), v.at(b).timeOrZero()) }
	for _, t := range turns {
		slices.SortStableFunc(t.calls, byTime)
		slices.SortStableFunc(t.results, byTime)
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

func (n *node) timeOrZero() int64 {
	if n.flags&timed == 0 {
		return 0
	}
	return n.time
}
