package check

import (
	"cmp"
	"slices"

	"jl/internal/dialect"
	"jl/internal/entry"
	"jl/internal/record"
	"jl/internal/says"
)

// A listTool is a call or a result in a list.
type listTool struct {
	at             entry.Pos
	id, call, name record.Raw
}

// matched is what is left of a call with its result: their places do not matter any more.
var matched = [2]*listTool{new(listTool), new(listTool)}

// listTools follows the calls and the results of a list. A result answers the call with its id, wherever the two are;
// of several with one id the first counts. A client that was killed leaves a call without a result, and some servers
// then refuse the next request.
func (l *Log) listTools(e *entry.Entry) {
	if !l.dialect.IsList() || l.dialect.IsClaude() {
		return
	}
	says.Tell(l.dialect, e, &l.told)
	for i := range l.told.Things {
		x := &l.told.Things[i]
		side := call
		if x.Is == says.Result {
			side = result
		}
		if x.Is != says.Call && x.Is != says.Result || x.Call == nil {
			continue
		}
		key := x.Call.Key()
		found := l.listed[key]
		if found[side] != nil {
			continue
		}
		if found[1-side] != nil {
			found = matched
		} else {
			id := l.dialect.IDOf(e)
			if id == nil {
				id = dialect.PlaceIDs(e.Pos)[0]
			}
			found[side] = &listTool{e.Pos, record.Scalar(id), record.Scalar(x.Call), record.Scalar(x.Name)}
		}
		l.listed[key] = found
	}
}

// unlisted reports the calls of a list that have no result, and the results that have no call.
func (l *Log) unlisted() {
	for side, name := range unmatchedNames {
		var strays []*listTool
		for _, found := range l.listed {
			if found[side] != nil && found[1-side] == nil {
				strays = append(strays, found[side])
			}
		}
		slices.SortFunc(strays, func(a, b *listTool) int {
			return cmp.Or(cmp.Compare(a.at.Offset, b.at.Offset), slices.Compare(a.call, b.call))
		})
		for _, c := range strays {
			if f, ok := l.finding(record.Warning, name, c.at); ok {
				l.give(record.Unmatched{Finding: f, ID: c.id, Call: c.call, Tool: c.name, Children: []int64{}})
			}
		}
	}
}
