package main

import (
	"cmp"
	"hash/maphash"
	"io"
	"slices"

	"jl/internal/cli"
	"jl/internal/entry"
	"jl/internal/line"
	"jl/internal/operand"
	"jl/internal/record"
	"jl/internal/tree"
)

// check prints what is wrong with a file, and its totals.
func check(c *cli.Command, f *operand.File) {
	k := checker{c: c, file: f, calls: newCalls(), summaries: map[int64]bool{}}
	k.read()
	k.parents()
	k.ids()
	k.clock()
	k.unmatched()
	k.trouble(k.t.Err())
	k.print(k.totals())
}

// A checker looks for what is wrong with one log.
type checker struct {
	c    *cli.Command
	file *operand.File
	row  []byte // scratch

	t     *tree.Tree
	calls *calls

	summaries map[int64]bool // by offset: the entries that sum up what was compacted

	bytes, lines, entries, findings, notes int64

	unfinished bool
	unread     bool // not all of the log could be read
}

// listed is how many ids or lines a row lists at most.
const listed = 16

// read reads the log once: it checks each line as it comes by, and builds the tree.
func (k *checker) read() {
	r, size, err := k.file.Source.At()
	k.trouble(err)
	b := tree.NewBuilder(tree.Default)
	entries := entry.NewReader(line.NewForward(io.NewSectionReader(r, 0, size)), entry.Decoder{}, func(d *entry.Damage) {
		b.Skip(d)
		k.damaged(d)
	})
	for !k.c.Broken() && entries.Next() {
		e := entries.Entry()
		b.Add(e)
		k.entry(e, entries.Damage())
	}
	k.lines, k.bytes = entries.Read()
	err = entries.Err()
	if err == nil && k.bytes < size && !k.c.Broken() {
		err = tree.ErrShrank
	}
	k.trouble(err)
	k.t = b.Tree(r, size)
}

// trouble reports what kept the log from being read, if anything did.
func (k *checker) trouble(err error) {
	k.unread = k.unread || err != nil
	k.file.Fail(err)
}

// finding begins a row about a fault at a position.
func (k *checker) finding(name string, at entry.Pos) record.Finding {
	k.findings++
	k.c.No()
	return record.Finding{Finding: name, File: k.file.Name, Place: record.At(at)}
}

// note begins a row about something that is worth knowing but not wrong.
func (k *checker) note(name string, at entry.Pos) record.Finding {
	k.notes++
	return record.Finding{Finding: name, File: k.file.Name, Place: record.At(at), Note: true}
}

// begin begins a note or a finding.
func (k *checker) begin(isNote bool, name string, at entry.Pos) record.Finding {
	if isNote {
		return k.note(name, at)
	}
	return k.finding(name, at)
}

// print prints a row. If the log changed while it was read, it prints only totals, because
// what was read again may be something else.
func (k *checker) print(row any) {
	if _, totals := row.(record.Totals); k.t != nil && k.t.Err() != nil && !totals {
		return
	}
	k.row = record.Append(k.row[:0], row)
	k.c.Print(k.row)
}

// entry checks an entry. d is the damage of its line, nil if the line is sound.
func (k *checker) entry(e *entry.Entry, d *entry.Damage) {
	k.entries++
	if k.entries == 1 {
		k.calls.dialect = entry.DialectOf(e)
	}
	if d != nil {
		k.print(record.Recovered{Finding: k.finding("recovered", e.Pos), ID: k.idOf(e), Reason: d.Reason()})
	}
	if e.Get(entry.IsCompactSummary).Truthy() {
		k.summaries[e.Pos.Offset] = true
	}
	k.text(e)
	k.calls.add(e, d != nil)
}

// idOf returns the id of e as it is written.
func (k *checker) idOf(e *entry.Entry) record.Raw { return record.Scalar(k.calls.dialect.IDOf(e)) }

// parentOf returns the id of the parent of e as it is written.
func (k *checker) parentOf(e *entry.Entry) record.Raw {
	return record.Scalar(k.calls.dialect.ParentOf(e))
}

// damaged reports a line of which something is lost. An unfinished line is not a finding:
// the log is being written.
func (k *checker) damaged(d *entry.Damage) {
	switch {
	case d.Lost():
		k.print(record.Malformed{Finding: k.finding("malformed", d.Pos), Reason: d.Reason()})
	case d.Unfinished():
		k.unfinished = true
		k.file.Damaged(d)
	case len(d.Recovered) == 0: // a byte order mark and nothing else
		k.print(record.Malformed{Finding: k.note("malformed", d.Pos), Reason: d.Reason()})
	}
}

// parents reports the nodes whose parents lead nowhere.
func (k *checker) parents() {
	for _, n := range k.t.Orphans() {
		e := k.t.Entry(n)
		k.print(record.Orphan{Finding: k.finding("orphan", k.t.Pos(n)), ID: k.idOf(e), Parent: k.parentOf(e)})
	}
	for _, cycle := range k.t.Cycles() {
		id, at := record.Raw(k.t.RawID(cycle[0])), k.t.Pos(cycle[0])
		if len(cycle) == 1 {
			k.print(record.SelfParent{Finding: k.finding("self parent", at), ID: id})
			continue
		}
		var ids []record.Raw
		for _, n := range cycle[:min(len(cycle), listed)] {
			ids = append(ids, record.Raw(k.t.RawID(n)))
		}
		k.print(record.Cycle{Finding: k.finding("cycle", at), ID: id, IDs: ids, Nodes: len(cycle)})
	}
}

// ids reports the ids that more than one entry has. A snapshot has the id of the entry
// that it was taken at in every sound log, but readers that look entries up by messageId
// lose that entry.
func (k *checker) ids() {
	// Reading the entries in file order decompresses an archive at most twice, in
	// whatever order the ids return.
	duplicates, seed := k.t.Duplicates(), maphash.MakeSeed()
	order, sums := make([]int, len(duplicates)), make([]uint64, len(duplicates))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Compare(duplicates[a].Earlier.Offset, duplicates[b].Earlier.Offset)
	})
	for _, i := range order {
		sums[i] = maphash.Bytes(seed, k.t.EntryAt(duplicates[i].Earlier).Bytes)
	}
	for i, d := range duplicates {
		e := k.t.EntryAt(d.Later)
		k.print(record.Duplicate{
			Finding: k.finding("duplicate id", d.Later), ID: k.idOf(e),
			With: record.At(d.Earlier), Same: maphash.Bytes(seed, e.Bytes) == sums[i],
		})
	}
	for _, s := range k.t.IDCollisions() {
		e := k.t.EntryAt(s.Snapshot)
		k.print(record.SnapshotID{
			Finding: k.note("id equal to a snapshot messageId", s.Snapshot),
			ID:      record.Scalar(e.Get(entry.MessageID)), With: record.At(k.t.Pos(s.Node)),
		})
	}
}

// clock reports the nodes that are older than their parents. Three cases are notes: less
// than a second, as between entries written at the same time; a link, because its time is
// the start of what it reports; and an entry below the summary of a compaction, because
// the command that asked for the compaction is written after it.
func (k *checker) clock() {
	const second = 1e6 // microseconds
	for _, s := range k.t.ClockSkews() {
		up := k.t.Parent(s.Node)
		isNote := s.By < second || !k.t.Conversation(s.Node) || k.summaries[k.t.Pos(up).Offset]
		k.print(record.ClockSkew{
			Finding: k.begin(isNote, "clock going back", k.t.Pos(s.Node)),
			ID:      record.Raw(k.t.RawID(s.Node)), Parent: record.Raw(k.t.RawParent(s.Node)),
			With: record.At(k.t.Pos(up)), Seconds: float64(s.By) / second,
		})
	}
}

// totals returns the closing row.
func (k *checker) totals() record.Totals {
	leaf, _ := k.t.Leaf(tree.None)
	row := record.Totals{
		Totals: true, File: k.file.Name, Bytes: k.bytes, Lines: k.lines, Entries: k.entries,
		Nodes: k.t.Len(), Roots: k.t.Roots(), Leaves: len(k.t.Leaves()),
		Path: len(k.t.Path(leaf, tree.Options{Chain: true}).Nodes), Reachable: k.t.Reachable(leaf),
		Findings: k.findings, Notes: k.notes, Unfinished: k.unfinished,
		Healthy: k.findings == 0 && !k.unread,
	}
	if row.Nodes > 0 { // rounded down: 1 is all
		share := float64(int64(row.Reachable)*10000/int64(row.Nodes)) / 10000
		row.Share = &share
	}
	return row
}
