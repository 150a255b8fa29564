package check

import (
	"jl/internal/entry"
	"jl/internal/log"
	"jl/internal/record"
)

// between reports a message between a call and its result, if the program sends the messages to the model in the order
// of the path. Of several such messages it reports the last.
func (l *Log) between() {
	if !l.t.Dialect.SendsInOrder() || l.t.Leaf == log.None {
		return
	}
	path := l.t.Path(l.t.Leaf, log.Options{}).Nodes
	called := map[log.Hash]int{} // where on the path
	said := -1                   // where the last message without a result is
	reported := -1
	for i, n := range path {
		results := l.t.Tree.Results(n)
		for _, id := range results {
			at, ok := called[id]
			if !ok || said <= at || said == reported {
				continue
			}
			reported = said
			between := path[said]
			if f, ok := l.finding(record.Warning, "message between call and result", l.t.Pos(between)); ok {
				l.give(record.Between{Finding: f, ID: record.Scalar(l.t.RawID(between)), With: record.Place(l.t.Pos(n))})
			}
		}
		for _, id := range l.t.Tree.Calls(n) {
			called[id] = i
		}
		if len(results) == 0 && l.isSent(n) {
			said = i
		}
	}
}

// isSent reports whether the program sends n, which has no result, to the model as a message. A user may keep from the
// model what he ran.
func (l *Log) isSent(n log.Node) bool {
	switch e := l.t.Entry(n); string(e.Get(entry.Type).Text()) {
	case "message":
		return !e.Get(entry.Message).Member("excludeFromContext").Truthy()
	case "custom_message", "branch_summary":
		return true
	}
	return false
}
