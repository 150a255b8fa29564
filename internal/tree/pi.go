package tree

import "jl/internal/entry"

// A piState is what pi's rules remember while a log is read. In a log of version 1 the
// entries have no ids: each gets the id #LINE and the entry before it as its parent.
type piState struct {
	foreign  bool // there was a foreign line
	headed   bool // the file begins with the header of a session
	headless bool // a header is elsewhere, so pi does not open the file
	numbered bool // the log is of version 1
	last     Node // the last entry, which is the leaf; None if it has no id
}

// begin notes the first entry of the file.
func (p *piState) begin(e *entry.Entry) {
	p.last = None
	p.headed = e.IsHeader() && !p.foreign
	p.numbered = entry.Numbered(e)
}

// skip notes a line that is not one whole entry. pi takes a foreign line for an entry
// without an id. In version 1 pi would number it; but it cannot be printed, so the parent
// of the entry behind it is the entry before it.
func (p *piState) skip(d *entry.Damage) {
	if !isForeign(d) {
		return
	}
	p.foreign = true
	if !p.numbered {
		p.last = None
	}
}

// isForeign reports whether a line, if it is damaged, is a JSON value but neither an object
// nor null.
func isForeign(d *entry.Damage) bool {
	return d != nil && d.Value != nil && string(d.Value) != "null"
}

// addPi adds an entry of a pi log.
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
