package check

import (
	"hash/maphash"
	"iter"

	"jl/internal/dialect"
	"jl/internal/entry"
	"jl/internal/log"
	"jl/internal/record"
	"jl/internal/says"
)

// A list has the calls and the results of a list. The columns of its log have none, so it takes them from what the
// entries say, as they are read. A client that was killed leaves a call without a result, and some servers then refuse
// the next request.
type list struct {
	*Log
	matcher
	at   []entry.Pos // of the entries that have any
	seed maphash.Seed
	told says.Telling // by the last entry
}

// listed adds what an entry of a list says.
func (l *Log) listed(e *entry.Entry) {
	if l.list == nil {
		l.list = &list{Log: l, matcher: newMatcher(), seed: maphash.MakeSeed()}
	}
	s := l.list
	at := place{entry: log.Node(len(s.at))}
	for x := range s.said(e) {
		kind := call
		if x.Is == says.Result {
			kind = result
		}
		s.add(kind, maphash.String(s.seed, x.Call.Key()), at)
		at.index++
	}
	if at.index > 0 {
		s.at = append(s.at, e.Pos)
	}
}

// said yields the calls and the results with an id that an entry says.
func (s *list) said(e *entry.Entry) iter.Seq[*says.Thing] {
	return func(yield func(*says.Thing) bool) {
		says.Tell(s.dialect, e, &s.told)
		for i := range s.told.Things {
			x := &s.told.Things[i]
			if (x.Is == says.Call || x.Is == says.Result) && x.Call != nil && !yield(x) {
				return
			}
		}
	}
}

func (s *list) match() matcher { return s.matcher }

func (s *list) pos(n log.Node) entry.Pos { return s.at[n] }

func (s *list) tools(n log.Node) (tools []tool) {
	for x := range s.said(s.t.EntryAt(s.at[n])) {
		tools = append(tools, tool{id: record.Scalar(x.Call), name: record.Scalar(x.Name)})
	}
	return tools
}

func (s *list) row(o stray, x tool) record.Unmatched {
	id := s.dialect.IDOf(s.t.EntryAt(s.at[o.entry]))
	if id == nil {
		id = dialect.PlaceIDs(s.at[o.entry])[0]
	}
	return record.Unmatched{ID: record.Scalar(id), Call: x.id, Tool: x.name, Children: []int64{}}
}
