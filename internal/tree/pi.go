package tree

import "jl/internal/entry"

// piState is what pi's rules must know while a log is read. In a log of version 1
// entries have no ids: each gets the id #LINE and the entry before it as parent.
type piState struct {
	foreign  bool // a line so far holds a JSON value that is not an entry
	headed   bool // the first entry is the header of a session
	headless bool // a header stands elsewhere: pi does not open the file
	numbered bool
	last     Node // the last entry, the leaf; None if it has no id
}

// begin takes in the first entry of the file.
func (p *piState) begin(e *entry.Entry) {
	p.last = None
	p.headed = e.IsHeader() && !p.foreign
	p.numbered = entry.Numbered(e)
}

// skip takes in a line that is not an entry. A JSON value is an entry to pi, though
// one without an id, unless it is null; in version 1 pi would give it one, but as
// it cannot be printed the entry behind it hangs below the one before it.
func (p *piState) skip(d *entry.Damage) {
	if !isForeign(d) {
		return
	}
	p.foreign = true
	if !p.numbered {
		p.last = None
	}
}

// isForeign reports whether a damaged line is an entry to pi.
func isForeign(d *entry.Damage) bool {
	return d != nil && d.Value != nil && string(d.Value) != "null"
}

// addPi takes in an entry of a pi log.
func (t *Tree) addPi(e *entry.Entry, n node) {
	if e.Get(entry.Type).Is("session") {
		t.pi.headless = t.pi.headless || !t.pi.headed
		return
	}
	n.kind = other
	t.fill(&n, e)
	if t.pi.numbered {
		n.parent = t.pi.last
		t.numbered = true
		k := t.lineKey(n.line, n.offset)
		t.insert(k, n)
		t.pi.last = t.find(k)
		return
	}
	id := e.Get(entry.ID)
	if id.IsEmpty() {
		t.pi.last = None
		return
	}
	if p := t.dialect.ParentOf(e); p != nil {
		n.parent = t.intern(t.key(p.Text()))
	}
	k := t.key(id.Text())
	t.insert(k, n)
	t.pi.last = t.find(k)
}
