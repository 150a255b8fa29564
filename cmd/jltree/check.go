package main

import (
	"cmp"
	"hash/maphash"
	"io"
	"slices"

	"jl/internal/cli"
	"jl/internal/dialect"
	"jl/internal/entry"
	"jl/internal/line"
	"jl/internal/operand"
	"jl/internal/record"
	"jl/internal/tree"
)

// check prints what is wrong with a file, and its totals.
func check(c *cli.Command, o *flags, f *operand.File) {
	k := checker{c: c, o: o, file: f, calls: newCalls(), summaries: map[int64]bool{}, sessions: map[string]bool{}, found: map[record.Severity]int64{}}
	ok := k.read()
	defer k.t.Close()
	if !ok {
		return
	}
	k.parents()
	k.ids()
	k.clock()
	k.unmatched()
	row := k.totals() // which reads entries again, too
	k.trouble(k.t.Err())
	row.Healthy = row.Healthy && !k.unread
	k.print(row)
}

// A checker looks for what is wrong with one log.
type checker struct {
	c    *cli.Command
	o    *flags
	file *operand.File
	row  []byte // scratch

	t     *tree.Tree
	calls *calls

	summaries map[int64]bool // by offset: the entries that sum up what was compacted

	sessions map[string]bool // by id
	first    record.Place    // the first entry of the first session

	bytes, lines, entries int64
	found                 map[record.Severity]int64 // how many findings

	unfinished bool
	unread     bool // not all of the log could be read
}

// A prepared is what is known of an entry before it is added to the tree.
type prepared struct {
	facts tree.Facts
	tools []tool
}

// Walk reads the message of the entry.
func (p *prepared) Walk(c entry.Cursor) entry.Cursor { return p.facts.Walk(c) }

// listed is how many ids or lines a row lists at most.
const listed = 16

// read reads the log once: it checks each line as it comes by, and builds the tree. It
// returns false if the file is not a log.
func (k *checker) read() bool {
	r, size, err := k.file.Source.At()
	k.trouble(err)
	b := tree.NewBuilder(tree.Default, r, size)
	entries := dialect.NewReader(line.NewForward(io.NewSectionReader(r, 0, size)), entry.Decoder{Faults: true}, func(d *entry.Damage) {
		b.Skip(d)
		k.damaged(d)
	})
	prepare := func(e *entry.Entry, p *prepared) {
		b.Prepare(e, entries.Dialect(), &p.facts)
		p.tools = k.calls.appendTools(p.tools[:0], e, p.facts.Message())
	}
	for p := range entry.Ahead(entries.Reader, line.NewBlocks(r, size), prepare) {
		b.Add(entries.Entry(), entries.Dialect(), &p.facts)
		k.calls.dialect = entries.Dialect()
		if k.entry(entries.Entry(), entries.Damage(), p); k.c.Broken() {
			break
		}
	}
	k.lines, k.bytes = entries.Read()
	err = entries.Err()
	k.trouble(err)
	k.t = b.Tree()
	return err != entry.ErrNotLog
}

// trouble reports what kept the log from being read, if anything did.
func (k *checker) trouble(err error) {
	k.unread = k.unread || err != nil
	k.file.Fail(err)
}

// finding counts something at a position, and prints the row that begins with it, unless it is a
// note and notes are only counted. If the log changed while it was read, it prints nothing,
// because what was read again may be something else.
func (k *checker) finding(severity record.Severity, name string, at entry.Pos, row func(record.Finding) any) {
	k.found[severity]++
	if severity == record.Damage || severity == record.Warning && k.o.Strict {
		k.c.No()
	}
	if severity == record.Note && !k.o.Notes {
		return
	}
	r := row(record.Finding{Finding: name, Severity: severity, File: record.Text(k.file.Name), Place: record.At(at)})
	if k.t == nil || k.t.Err() == nil {
		k.print(r)
	}
}

func (k *checker) print(row any) {
	k.row = record.Append(k.row[:0], row)
	k.c.Print(k.row)
}

// entry checks an entry. d is the damage of its line, nil if the line is sound.
func (k *checker) entry(e *entry.Entry, d *entry.Damage, p *prepared) {
	k.entries++
	if d != nil {
		k.finding(record.Damage, "recovered", e.Pos, func(f record.Finding) any {
			return record.Recovered{Finding: f, ID: k.idOf(e), Reason: d.Reason()}
		})
	}
	if e.Get(entry.IsCompactSummary).Truthy() {
		k.summaries[e.Pos.Offset] = true
	}
	k.text(e)
	k.calls.add(e, d != nil, p.tools)
	k.session(e)
}

// session reports the first entry of each session but the first. An entry without an id may
// be about another session.
func (k *checker) session(e *entry.Entry) {
	id := e.Get(entry.SessionID)
	if id.IsEmpty() || k.calls.dialect.IDOf(e) == nil || k.sessions[string(id.Text())] {
		return
	}
	k.sessions[string(id.Text())] = true
	if len(k.sessions) == 1 {
		k.first = record.At(e.Pos)
		return
	}
	k.finding(record.Warning, "another session", e.Pos, func(f record.Finding) any {
		return record.AnotherSession{Finding: f, ID: k.idOf(e), SessionID: record.Scalar(id), With: k.first}
	})
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
		k.finding(record.Damage, "malformed", d.Pos, func(f record.Finding) any {
			return record.Malformed{Finding: f, Reason: d.Reason()}
		})
	case d.Unfinished():
		k.unfinished = true
		k.file.Damaged(d)
	case len(d.Recovered) == 0: // a byte order mark and nothing else
		k.finding(record.Note, "malformed", d.Pos, func(f record.Finding) any {
			return record.Malformed{Finding: f, Reason: d.Reason()}
		})
	}
}

// parents reports the nodes whose parents lead nowhere.
func (k *checker) parents() {
	for _, n := range k.t.Orphans() {
		severity := record.Damage
		if k.t.Kept(n) {
			severity = record.Note
		}
		k.finding(severity, "orphan", k.t.Pos(n), func(f record.Finding) any {
			e := k.t.Entry(n)
			return record.Orphan{Finding: f, ID: k.idOf(e), Parent: k.parentOf(e)}
		})
	}
	for _, cycle := range k.t.Cycles() {
		id, at := record.Raw(k.t.RawID(cycle[0])), k.t.Pos(cycle[0])
		if len(cycle) == 1 {
			k.finding(record.Damage, "self parent", at, func(f record.Finding) any {
				return record.SelfParent{Finding: f, ID: id}
			})
			continue
		}
		var ids []record.Raw
		for _, n := range cycle[:min(len(cycle), listed)] {
			ids = append(ids, record.Raw(k.t.RawID(n)))
		}
		k.finding(record.Damage, "cycle", at, func(f record.Finding) any {
			return record.Cycle{Finding: f, ID: id, IDs: ids, Nodes: len(cycle)}
		})
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
		severity, same := record.Damage, maphash.Bytes(seed, e.Bytes) == sums[i]
		if same {
			severity = record.Warning
		}
		k.finding(severity, "duplicate id", d.Later, func(f record.Finding) any {
			return record.Duplicate{Finding: f, ID: k.idOf(e), With: record.At(d.Earlier), Same: same}
		})
	}
	for _, s := range k.t.IDCollisions() {
		k.finding(record.Note, "id equal to a snapshot messageId", s.Snapshot, func(f record.Finding) any {
			id := record.Scalar(k.t.EntryAt(s.Snapshot).Get(entry.MessageID))
			return record.SnapshotID{Finding: f, ID: id, With: record.At(k.t.Pos(s.Node))}
		})
	}
}

// clock reports the nodes that are older than their parents. Five cases are notes: less
// than a second, as between entries written at the same time; a link, because its time is
// the start of what it reports; an attachment, because a queued prompt has the time at which
// it was queued; an entry below a meta entry, because the client writes its caveat when a
// command has ended; and an entry below the summary of a compaction, because the command that
// asked for the compaction is written after it.
func (k *checker) clock() {
	const second = 1e6 // microseconds
	for _, s := range k.t.ClockSkews() {
		up := k.t.Parent(s.Node)
		severity := record.Warning
		if s.By < second || !k.t.Conversation(s.Node) || k.summaries[k.t.Pos(up).Offset] ||
			k.t.Entry(s.Node).Get(entry.Type).Is("attachment") || k.t.Entry(up).Get(entry.IsMeta).Truthy() {
			severity = record.Note
		}
		k.finding(severity, "clock going back", k.t.Pos(s.Node), func(f record.Finding) any {
			return record.ClockSkew{
				Finding: f, ID: record.Raw(k.t.RawID(s.Node)), Parent: record.Raw(k.t.RawParent(s.Node)),
				With: record.At(k.t.Pos(up)), Seconds: float64(s.By) / second,
			}
		})
	}
}

// totals returns the closing row.
func (k *checker) totals() record.Totals {
	leaf, _ := k.t.Leaf(tree.None)
	row := record.Totals{
		Totals: true, File: record.Text(k.file.Name), Bytes: k.bytes, Lines: k.lines, Entries: k.entries,
		Nodes: k.t.Len(), Roots: k.t.Roots(), Leaves: len(k.t.Leaves()),
		OnPath: len(k.t.Path(leaf, tree.Options{Chain: true}).Nodes), Reachable: k.t.Reachable(leaf),
		Damage: k.found[record.Damage], Warnings: k.found[record.Warning], Notes: k.found[record.Note],
		Unfinished: k.unfinished, Healthy: k.found[record.Damage] == 0 && (k.found[record.Warning] == 0 || !k.o.Strict) && !k.unread,
	}
	if row.Nodes > 0 { // rounded down: 1 is all
		share := float64(int64(row.Reachable)*10000/int64(row.Nodes)) / 10000
		row.Share = &share
	}
	return row
}
