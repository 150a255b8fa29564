package check

import (
	"cmp"
	"slices"

	"jl/internal/entry"
	"jl/internal/log"
	"jl/internal/record"
	"jl/internal/shape"
)

// orphans reports the nodes whose parent is not in the log. Three cases are notes: an entry that a
// compaction kept, because readers tie it to the compaction; one under which no conversation hangs;
// and one of an agent that wrote a summary, because the client gives it a part of its session.
func (l *Log) orphans() {
	isOrphan := func(n log.Node) bool {
		p := l.t.Written[n]
		return p != log.None && !l.t.Has(p)
	}
	if !slices.ContainsFunc(l.nodes, isOrphan) {
		return
	}
	kept := map[log.Node]bool{}
	for _, c := range l.t.Tree.Compactions {
		for _, n := range c.Kept {
			kept[n] = true
		}
	}
	above, talks := l.written.Nearest(isOrphan), map[log.Node]bool{}
	for n := range l.t.Count {
		if l.t.Tree.Is(n, log.Talks) {
			talks[above(n)] = true
		}
	}
	for n := range l.t.Count {
		if !isOrphan(n) {
			continue
		}
		severity := record.Damage
		if kept[n] || !talks[n] || shape.IsSummarizer(l.t.Entry(n)) {
			severity = record.Note
		}
		if f, ok := l.finding(severity, "orphan", l.t.Pos(n)); ok {
			e := l.t.Entry(n)
			l.give(record.Orphan{Finding: f, ID: l.idOf(e), Parent: record.Scalar(l.dialect.ParentOf(e))})
		}
	}
}

// kept reports the boundaries that name entries which are not in the log: those that the compaction
// kept, and where the conversation goes on above it.
func (l *Log) kept() {
	if l.t.Dialect.IsList() {
		return // its boundaries name no ids
	}
	for n := range l.t.Count {
		if !l.t.Tree.Is(n, log.Boundary) {
			continue
		}
		lost, count := []record.Raw{}, 0
		for _, id := range append(shape.KeptIDs(l.t.Entry(n)), l.dialect.LogicalParentOf(l.t.Entry(n))) {
			if id.IsEmpty() || l.t.Has(l.t.LookUp(id)) {
				continue
			}
			if count++; len(lost) < listMost {
				lost = append(lost, record.Scalar(id))
			}
		}
		if count > 0 {
			if f, ok := l.finding(record.Warning, "kept id not in the file", l.t.Pos(n)); ok {
				l.give(record.LostIDs{Finding: f, ID: record.Raw(l.t.RawID(n)), IDs: lost, Count: count})
			}
		}
	}
}

// beside reports that most of the conversation is beside the path, at its leaf.
func (l *Log) beside() {
	count, all := Beside(l.t)
	if count == 0 {
		return
	}
	leaf := l.t.Leaf
	if f, ok := l.finding(record.Warning, "entries beside the path", l.t.Pos(leaf)); ok {
		l.give(record.Beside{Finding: f, ID: record.Raw(l.t.RawID(leaf)), Beside: count, All: all})
	}
}

// attached reports the turns that hang beside another one and belong to its paths: an answer that the
// conversation went on from elsewhere, and prompts that were sent while the model went on. Some readers
// take them for other branches.
func (l *Log) attached() {
	below := make([]int32, l.t.Count) // by turn: how many turns are below it
	for _, turn := range l.t.Tree.Order {
		if up := l.t.Tree.Above[turn]; up != log.None {
			below[up]++
		}
	}
	for n := range l.t.Count {
		if l.t.Tree.Turn[n] != n || !l.t.Tree.IsAttached(n) || below[l.t.Tree.Above[n]] < 2 {
			continue
		}
		name := "prompt beside the path"
		if l.t.Kinds[n] == log.Assistant {
			name = "answer beside the path"
		}
		if f, ok := l.finding(record.Warning, name, l.t.Pos(n)); ok {
			l.give(record.Orphan{Finding: f, ID: record.Raw(l.t.RawID(n)), Parent: record.Scalar(l.t.RawParent(n))})
		}
	}
}

// withoutID reports that messages have no id, at the first of them.
func (l *Log) withoutID() {
	if l.t.NoIDCount > 0 {
		if f, ok := l.finding(record.Warning, "message without an id", l.t.NoID); ok {
			l.give(record.WithoutID{Finding: f, Count: l.t.NoIDCount})
		}
	}
}

// cycles reports the entries that close cycles of parents, and those that are their own parents.
func (l *Log) cycles() {
	var cycles [][]log.Node
	for top := range l.written.Tops(l.nodes) {
		if l.written.Up[top[0]] != log.None {
			slices.Reverse(top) // upwards, from the last in the file on, which closes the cycle
			last := slices.Index(top, slices.Max(top))
			cycles = append(cycles, slices.Concat(top[last:], top[:last]))
		}
	}
	slices.SortFunc(cycles, func(a, b []log.Node) int { return cmp.Compare(a[0], b[0]) })
	for _, cycle := range cycles {
		at := l.t.Pos(cycle[0])
		if len(cycle) == 1 {
			if f, ok := l.finding(record.Damage, "self parent", at); ok {
				l.give(record.SelfParent{Finding: f, ID: record.Raw(l.t.RawID(cycle[0]))})
			}
			continue
		}
		if f, ok := l.finding(record.Damage, "cycle", at); ok {
			var ids []record.Raw
			for _, n := range cycle[:min(len(cycle), listMost)] {
				ids = append(ids, record.Raw(l.t.RawID(n)))
			}
			l.give(record.Cycle{Finding: f, ID: ids[0], IDs: ids, Nodes: len(cycle)})
		}
	}
}

// clock reports the nodes that are older than their parents. Six cases are notes: less than a
// second, as between entries written at the same time; a link, because its time is the start of
// what it reports; an attachment, because a queued prompt has the time at which it was queued;
// an entry below a meta entry, because the client writes its caveat when a command has ended;
// an entry below the summary of a compaction, because the command that asked for the
// compaction is written after it; and a label of pi, which a fork writes again with its old time.
func (l *Log) clock() {
	const second = 1e6 // microseconds
	for n := range l.t.Count {
		up := l.written.Up[n]
		if up == log.None {
			continue
		}
		is, was := l.t.Tree.Time[n], l.t.Tree.Time[up]
		by := was - is
		if is == log.NoTime || was == log.NoTime || by <= 0 {
			continue
		}
		severity := record.Note
		if k := l.t.Kinds[n]; by >= second && k.Conversation() && k != log.Attachment {
			isLabel := l.t.Entry(n).Get(entry.Type).Is("label")
			if e := l.t.Entry(up); !isLabel && !e.Get(entry.IsMeta).Truthy() && !e.Get(entry.IsCompactSummary).Truthy() {
				severity = record.Warning
			}
		}
		if f, ok := l.finding(severity, "clock going back", l.t.Pos(n)); ok {
			l.give(record.ClockSkew{
				Finding: f, ID: record.Raw(l.t.RawID(n)), Parent: record.Raw(l.t.RawParent(n)),
				With: record.Place(l.t.Pos(up)), Seconds: float64(by) / second,
			})
		}
	}
}

// reachable returns the number of nodes whose parents lead to a root, or, if the parents of leaf
// do not, to the same end.
func (l *Log) reachable(leaf log.Node) int {
	isEnd := func(n log.Node) bool { return l.t.Written[n] == log.None }
	if leaf != log.None {
		if top := l.written.Walk(leaf, nil)[0]; !isEnd(top) {
			isEnd = func(n log.Node) bool { return n == top }
		}
	}
	end, reached := l.written.Nearest(isEnd), 0
	for n := range l.t.Count {
		if end(n) != log.None {
			reached++
		}
	}
	return reached
}
