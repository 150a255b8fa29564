package check

import (
	"slices"

	"jl/internal/dialect"
	"jl/internal/entry"
	"jl/internal/record"
	"jl/internal/says"
)

// A listCall is a call in a list that has no result yet.
type listCall struct {
	at             entry.Pos
	id, call, name record.Raw
}

// listTools follows the calls of a list, whose results name them wherever they are. A call that the client did not end, because it
// was killed, never gets a result, and some servers refuse the next request.
func (l *Log) listTools(e *entry.Entry) {
	if !l.dialect.IsList() || l.dialect.IsClaude() || l.dialect == dialect.Unknown {
		return
	}
	says.Tell(l.dialect, e, &l.told)
	for i := range l.told.Things {
		x := &l.told.Things[i]
		if x.Call == nil {
			continue
		}
		switch key := x.Call.Key(); x.Is {
		case says.Call:
			if !l.answered[key] {
				id := l.dialect.IDOf(e)
				if id == nil {
					id = dialect.PlaceIDs(e.Pos)[0]
				}
				l.open[key] = listCall{e.Pos, record.Scalar(id), record.Scalar(x.Call), record.Scalar(x.Name)}
			}
		case says.Result:
			delete(l.open, key)
			l.answered[key] = true
		}
	}
}

// unanswered reports the calls of a list that have no result.
func (l *Log) unanswered() {
	var calls []listCall
	for _, c := range l.open {
		calls = append(calls, c)
	}
	slices.SortFunc(calls, func(a, b listCall) int {
		if a.at.Offset != b.at.Offset {
			return int(a.at.Offset - b.at.Offset)
		}
		return slices.Compare(a.call, b.call)
	})
	for _, c := range calls {
		l.report(record.Warning, "tool_use without tool_result", c.at, func(f record.Finding) any {
			return record.Unmatched{Finding: f, ID: c.id, Call: c.call, Tool: c.name, Children: []int64{}}
		})
	}
}
