package main

import (
	"bytes"
	"cmp"
	"hash/maphash"
	"io"
	"slices"
	"unicode/utf8"

	"jl/internal/cli"
	"jl/internal/entry"
	"jl/internal/line"
	"jl/internal/source"
	"jl/internal/tree"
)

// check prints what is wrong with the logs of the operands, and the totals of each.
// Only a failed write stops it.
func check(c *cli.Command, f flags) error {
	for _, name := range c.Operands(f.Files) {
		k := checker{c: c, name: name, calls: newCalls(), summaries: map[int64]bool{}}
		if err := k.log(); err != nil {
			return err
		}
	}
	return nil
}

// A checker looks for what is wrong with one log.
type checker struct {
	c    *cli.Command
	name string // as the user typed it

	lines   *line.Forward
	dec     entry.Decoder
	dialect entry.Dialect
	calls   *calls
	t       *tree.Tree

	summaries map[int64]bool // by offset: the entries that sum up what was compacted

	entries, findings, notes int64
	unfinished               bool
	unread                   bool  // not all of the log could be read
	err                      error // the first failed write
}

// log checks one log. It returns a failed write only.
func (k *checker) log() error {
	src, err := source.Open(k.name, k.c.In, k.c.Flush)
	if err != nil {
		k.c.Troublef("%s: %v", k.name, err)
		return nil
	}
	defer src.Close()
	r, size, err := src.At()
	k.trouble(err)
	k.lines = line.NewForward(io.NewSectionReader(r, 0, size))
	k.t, err = tree.Read(k, r, size, tree.Default, func(int64, int64, *entry.Damage) {})
	if k.err != nil {
		return k.err
	}
	k.trouble(err)
	k.parents()
	k.ids()
	k.clock()
	k.unmatched()
	k.trouble(k.t.Err())
	k.totals()
	return k.err
}

// trouble says what kept the log from being read, if anything did.
func (k *checker) trouble(err error) {
	if err != nil {
		k.unread = true
		k.c.Troublef("%s: %v", k.name, err)
	}
}

// report prints a finding.
func (k *checker) report(r row) {
	if r.note {
		k.notes++
	} else {
		k.findings++
		k.c.No()
	}
	k.print(r)
}

func (k *checker) print(r row) {
	if k.err == nil {
		_, k.err = k.c.Out.Write(append(r.text, '}', '\n'))
	}
}

// ---- line by line

// A checker is the [tree.Lines] that its tree is read from: so each line is looked
// at as it comes by, and the log read once.

func (k *checker) Bytes() []byte { return k.lines.Bytes() }
func (k *checker) Number() int64 { return k.lines.Number() }
func (k *checker) Offset() int64 { return k.lines.Offset() }
func (k *checker) Err() error    { return k.lines.Err() }

// Next steps to the next line and checks it. It reports false, too, when a write
// failed.
func (k *checker) Next() bool {
	if k.err != nil || !k.lines.Next() {
		return false
	}
	b := k.lines.Bytes()
	line := tree.Extent{Line: k.lines.Number(), Offset: k.lines.Offset(), Length: int64(len(b))}
	count, damage := k.dec.Decode(b, line.Line == 1)
	if damage != nil {
		k.damage(damage, line)
	}
	for i := range count {
		e := k.dec.Entry(i)
		if k.entries++; k.entries == 1 {
			k.dialect = entry.DialectOf(e)
		}
		at := tree.Extent{Line: line.Line, Offset: line.Offset + int64(e.At), Length: int64(e.Len)}
		if damage != nil {
			k.report(k.row("recovered", at).value("id", k.dialect.IDOf(e)).string("reason", damage.Reason()))
		}
		if e.Get(entry.IsCompactSummary).Truthy() {
			k.summaries[at.Offset] = true
		}
		k.inside(e, at, at.Offset+int64(bytes.IndexByte(b[e.At:], '{')))
		k.calls.take(e, k.dialect, at, damage != nil)
	}
	return k.err == nil
}

// damage reports what a line has lost. What is not finished is no finding: it is a
// log that is being written.
func (k *checker) damage(d *entry.Damage, line tree.Extent) {
	switch {
	case d.Lost():
		k.report(k.row("malformed", line).string("reason", d.Reason()))
	case d.Unfinished():
		k.unfinished = true
		d.Report(k.c.Notef, k.c.Troublef, k.name, line.Line, line.Offset)
	case len(d.Recovered) == 0: // a byte order mark and nothing else
		k.report(k.noteRow("malformed", line).string("reason", d.Reason()))
	}
}

// inside checks the text of an entry, whose '{' stands at start.
func (k *checker) inside(e *entry.Entry, at tree.Extent, start int64) {
	v := entry.Value(e.Bytes)
	if bad := entry.Fault(v); bad >= 0 {
		k.report(k.row("malformed", at).value("id", k.dialect.IDOf(e)).
			string("reason", "not JSON by the full grammar").number("at", start+int64(bad)))
	}
	for _, f := range []struct {
		finding string
		row     func(string, tree.Extent) row
		at      int
	}{
		{"invalid UTF-8", k.row, invalidUTF8(v)},
		{"lone surrogate", k.row, v.LoneSurrogate()},
		{"NUL character", k.noteRow, escapedNUL(v)}, // binary output, which some servers refuse
	} {
		if f.at >= 0 {
			k.report(f.row(f.finding, at).value("id", k.dialect.IDOf(e)).
				number("at", start+int64(f.at)).string("where", pathTo(v, f.at)))
		}
	}
}

// escapedNUL returns the place of the first escape of NUL in a value, -1 if there is
// none.
func escapedNUL(v entry.Value) int {
	for i := 0; ; {
		n := bytes.Index(v[i:], []byte(`\u0000`))
		if n < 0 {
			return -1
		}
		i += n
		before := v[:i]
		if slashes := len(before) - len(bytes.TrimRight(before, `\`)); slashes%2 == 0 {
			return i
		}
		i += len(`\u0000`)
	}
}

// invalidUTF8 returns the place of the first byte that is no UTF-8, -1 if there is
// none.
func invalidUTF8(b []byte) int {
	if utf8.Valid(b) {
		return -1
	}
	i := 0
	for {
		r, n := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && n == 1 {
			return i
		}
		i += n
	}
}

// ---- the tree

// listed is how many ids or lines a row lists at most.
const listed = 16

// parents reports the nodes whose parents lead nowhere.
func (k *checker) parents() {
	for _, n := range k.t.Orphans() {
		e := k.t.Entry(n)
		k.report(k.row("orphan", k.t.Extent(n)).value("id", k.dialect.IDOf(e)).value("parent", k.dialect.ParentOf(e)))
	}
	for _, ring := range k.t.Rings() {
		if len(ring) == 1 {
			k.report(k.row("self parent", k.t.Extent(ring[0])).value("id", k.id(ring[0])))
			continue
		}
		ids := make([]entry.Value, 0, listed)
		for _, n := range ring[:min(len(ring), listed)] {
			ids = append(ids, bytes.Clone(k.id(n)))
		}
		if k.t.Err() != nil {
			return // the log changed: what is left of the ids would make no row
		}
		k.report(k.row("cycle", k.t.Extent(ring[0])).value("id", ids[0]).values("ids", ids).number("nodes", int64(len(ring))))
	}
}

// ids reports the ids that stand for more than one thing. That a snapshot has the
// id of the entry that it was taken at is how these logs are written, but readers
// that know entries by messageId lose them.
func (k *checker) ids() {
	// Twice in the order of the file, and each entry once: an archive is decompressed
	// twice then, whatever the order in which ids come back.
	repeats, seed := k.t.Repeats(), maphash.MakeSeed()
	order, sums := make([]int, len(repeats)), make([]uint64, len(repeats))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(repeats[a].Earlier.Offset, repeats[b].Earlier.Offset) })
	for _, i := range order {
		sums[i] = maphash.Bytes(seed, bytes.TrimSpace(k.t.Read(repeats[i].Earlier)))
	}
	var e entry.Entry
	for i, r := range repeats {
		text := bytes.TrimSpace(k.t.Read(r.Later))
		e.Scan(text)
		k.report(k.row("duplicate id", r.Later).value("id", k.dialect.IDOf(&e)).with(r.Earlier).
			bool("same", maphash.Bytes(seed, text) == sums[i]))
	}
	for _, s := range k.t.Namesakes() {
		e.Scan(bytes.TrimSpace(k.t.Read(s.Snapshot)))
		k.report(k.noteRow("id equal to a snapshot messageId", s.Snapshot).value("id", e.Get(entry.MessageID)).with(k.t.Extent(s.Node)))
	}
}

// clock reports the nodes that are older than their parents. Less than a second, as
// between entries written at the same time, is a note; so is a link, which has the
// time when what it tells of began, and what stands below the summary of a compaction:
// the command that asked for it is written behind it.
func (k *checker) clock() {
	const second = 1e6 // microseconds
	for _, s := range k.t.Setbacks() {
		r := k.row
		up := k.t.Parent(s.Node)
		if s.By < second || !k.t.Conversation(s.Node) || k.summaries[k.t.Extent(up).Offset] {
			r = k.noteRow
		}
		id, parent := k.names(s.Node)
		k.report(r("clock going back", k.t.Extent(s.Node)).value("id", id).value("parent", parent).
			with(k.t.Extent(up)).float("seconds", float64(s.By)/second))
	}
}

// id returns the id of n as it is written; it is valid until the next call.
func (k *checker) id(n tree.Node) entry.Value {
	if k.t.Numbered() {
		return entry.AppendString(nil, []byte(k.t.ID(n)))
	}
	return k.dialect.IDOf(k.t.Entry(n))
}

// names returns the ids of n and its parent as jltree prints them.
func (k *checker) names(n tree.Node) (id, parent entry.Value) {
	if !k.t.Numbered() {
		e := k.t.Entry(n)
		return k.dialect.IDOf(e), k.dialect.ParentOf(e)
	}
	if up := k.t.Parent(n); up != tree.None {
		parent = k.id(up)
	}
	return k.id(n), parent
}

// totals prints the closing row.
func (k *checker) totals() {
	leaves := k.t.Leaves()
	leaf, _ := k.t.Leaf(tree.None)
	nodes, path, reachable := k.t.Len(), k.t.Path(leaf, tree.Options{Chain: true}).Nodes, k.t.Reachable(leaf)
	r := row{text: []byte(`{"totals":true`)}.string("file", k.name).
		number("bytes", k.lines.Offset()).number("lines", k.lines.Number()).number("entries", k.entries).
		number("nodes", int64(nodes)).number("roots", int64(k.t.Roots())).number("leaves", int64(len(leaves))).
		number("path", int64(len(path))).number("reachable", int64(reachable))
	if nodes > 0 { // rounded down: 1 is all
		r = r.float("share", float64(int64(reachable)*10000/int64(nodes))/10000)
	}
	r = r.number("findings", k.findings).number("notes", k.notes)
	if k.unfinished {
		r = r.bool("unfinished", true)
	}
	k.print(r.bool("healthy", k.findings == 0 && !k.unread))
}
