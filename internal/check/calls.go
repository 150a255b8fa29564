package check

import (
	"cmp"
	"slices"

	"jl/internal/entry"
	"jl/internal/log"
	"jl/internal/record"
)

// The two kinds of tools.
const (
	call = iota
	result
)

// unmatchedNames are the findings about one kind without the other.
var unmatchedNames = [...]string{call: "tool_use without tool_result", result: "tool_result without tool_use"}

// A matcher matches the calls and the results of a log by their ids. A result answers the call with its id: in a
// [list] wherever the two are, in a [tree] if the call is above it on a path. Of several of a kind with one id the
// first counts.
type matcher struct {
	pairs map[log.Hash]*pair
	apart [2]map[log.Hash]place // of each kind in a tree, those whose counterpart is only on other paths
}

// A pair is the calls and the results with one id.
type pair struct {
	first  [2]place // of each kind, or nowhere
	shared bool     // another entry has one of a kind, too

	// Only a tree has these.
	answered bool  // on the path of the leaf
	matched  bool  // some result has a call above it on its path
	above    int32 // how many of the calls are on the present path
}

// A place is where a call or a result is.
type place struct {
	entry log.Node // of a list, the index in list.at
	index int32    // among the calls and results of the entry
}

var nowhere = place{entry: log.None}

func newMatcher() matcher {
	return matcher{map[log.Hash]*pair{}, [2]map[log.Hash]place{{}, {}}}
}

// add adds a call or a result.
func (m matcher) add(kind int, id log.Hash, at place) {
	p := m.pairs[id]
	if p == nil {
		p = &pair{first: [2]place{nowhere, nowhere}}
		m.pairs[id] = p
	}
	if p.first[kind] == nowhere {
		p.first[kind] = at
	} else if p.first[kind].entry != at.entry {
		p.shared = true
	}
}

// A stray is a call or a result without a counterpart in the log, or on its path.
type stray struct {
	place
	with   log.Node // the counterpart on another path, or log.None
	shared bool     // another entry has it, too
}

// strays returns the strays of a kind, in the order of the log.
func (m matcher) strays(kind int) (strays []stray) {
	for id, p := range m.pairs {
		at, ok := m.apart[kind][id]
		if p.first[1-kind] == nowhere {
			at, ok = p.first[kind], true
		}
		if ok {
			strays = append(strays, stray{at, p.first[1-kind].entry, p.shared})
		}
	}
	slices.SortFunc(strays, func(a, b stray) int {
		return cmp.Or(cmp.Compare(a.entry, b.entry), cmp.Compare(a.index, b.index))
	})
	return strays
}

// A holder is a [list] or a [tree] of entries with calls and results.
type holder interface {
	match() matcher
	pos(n log.Node) entry.Pos
	tools(n log.Node) []tool // of an entry, which it reads again
	row(o stray, t tool) record.Unmatched
}

// A tool is a call or a result as its entry has it.
type tool struct {
	id, name record.Raw
	alone    bool // the content of the entry has no other element
}

// unmatched reports the calls without a result and the results without a call, in the log or on their paths.
func (l *Log) unmatched() {
	var h holder = &tree{Log: l}
	if l.list != nil {
		h = l.list
	}
	m := h.match()
	for kind, name := range unmatchedNames {
		var tools []tool // of the entry that is last, because many of it may be strays
		last := log.None
		for _, o := range m.strays(kind) {
			f, ok := l.finding(record.Warning, name, h.pos(o.entry))
			if !ok {
				continue
			}
			if o.entry != last {
				last, tools = o.entry, h.tools(o.entry)
			}
			var t tool
			if int(o.index) < len(tools) { // else the file changed
				t = tools[o.index]
			}
			row := h.row(o, t)
			row.Finding = f
			l.give(row)
		}
	}
}
