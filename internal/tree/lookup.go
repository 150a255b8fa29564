package tree

import (
	"bytes"
	"strconv"
	"strings"

	"jl/internal/entry"
	"jl/internal/shape"
)

// ID returns the id of n.
func (t *Tree) ID(n Node) string {
	if t.numbered {
		return string(t.lineID(n))
	}
	return string(t.idValue(t.entry(n)).Text())
}

// lineID is the id of n in a log whose entries have none.
func (t *Tree) lineID(n Node) []byte {
	at := t.at(n)
	id := strconv.AppendInt([]byte{'#'}, at.line, 10)
	if t.key(id) == at.id {
		return id
	}
	return strconv.AppendInt(append(id, '+'), at.offset, 10)
}

// A Match is what an id, or the beginning of one, stands for.
type Match struct {
	Node       Node     // None if there is none, or more than one
	Candidates []string // the ids that begin so, if there is more than one
}

// Find looks up ids as they are given on a command line: in full, or by a
// beginning that only one id has. Ids that are there in full cost nothing; for
// the others the log is read once more.
func (t *Tree) Find(ids []string) []Match {
	found := make([]Match, len(ids))
	open := false
	for i, id := range ids {
		found[i].Node = t.find(t.key([]byte(id)))
		if !t.has(found[i].Node) {
			found[i].Node = None
			open = open || id != ""
		}
	}
	if !open {
		return found
	}
	begin := make([]Match, len(ids))
	for i := range begin {
		begin[i].Node = None
	}
	for _, n := range t.order {
		full := t.ID(n)
		for i, id := range ids {
			if found[i].Node != None || id == "" || !strings.HasPrefix(full, id) {
				continue
			}
			begin[i].Node = n
			begin[i].Candidates = append(begin[i].Candidates, full)
		}
	}
	for i, m := range begin {
		switch {
		case found[i].Node != None || m.Node == None:
		case len(m.Candidates) == 1:
			found[i].Node = m.Node
		default:
			found[i].Candidates = m.Candidates
		}
	}
	return found
}

// Summary returns the text of the last summary entry that names n as its leaf, nil
// if there is none.
func (t *Tree) Summary(n Node) []byte {
	return t.noteText(entry.Summary, noteName{what: summary, ref: t.at(n).id})
}

// Title returns the last title of n's session that a user gave, or else the last
// that was made up; nil if there is none.
func (t *Tree) Title(n Node) []byte {
	s := t.at(n).session
	if title := t.noteText(entry.CustomTitle, noteName{what: customTitle, session: s}, noteName{what: customTitle}); len(title) > 0 {
		return title
	}
	return t.noteText(entry.AITitle, noteName{what: aiTitle, session: s}, noteName{what: aiTitle})
}

// A noteName is what a note is about: a node, by its id, or a session. A title that
// names no session is about all in the file and has neither.
type noteName struct {
	what    noteKind
	ref     key
	session int32
}

func (t *Tree) nameOf(o note) noteName {
	if o.what < customTitle {
		return noteName{what: o.what, ref: o.ref}
	}
	if o.ref == (key{}) {
		return noteName{what: o.what}
	}
	if s, ok := t.sessions[o.ref]; ok {
		return noteName{what: o.what, session: s}
	}
	return noteName{what: o.what, ref: o.ref} // of a session that no node is of
}

// noteText returns the text under k of the last note that has one of the names.
func (t *Tree) noteText(k entry.Key, names ...noteName) []byte {
	if t.lastNotes == nil {
		t.lastNotes = map[noteName]int{}
		for i, o := range t.notes {
			t.lastNotes[t.nameOf(o)] = i + 1
		}
	}
	last := 0
	for _, name := range names {
		last = max(last, t.lastNotes[name])
	}
	if last == 0 {
		return nil
	}
	return bytes.Clone(t.note(t.notes[last-1]).Get(k).Text())
}

// note reads the entry of o.
func (t *Tree) note(o note) *entry.Entry { return t.EntryAt(o.pos()) }

// EntryAt reads the entry at a position. It is valid until the next call of any
// method. After an error, which is kept for Err, it is empty.
func (t *Tree) EntryAt(p entry.Pos) *entry.Entry {
	t.e.Pos = p
	if b := t.read(p.Offset, p.Length); b == nil || !t.e.Scan(trim(b)) {
		t.fail(errChanged)
		t.e = entry.Entry{}
	}
	return &t.e
}

// Annotations returns the entries that belong to a path but have no place in the tree,
// in the order of the file: the snapshots and summaries that name one of its
// nodes, and the titles and tags of its sessions.
func (t *Tree) Annotations(path []Node) []entry.Pos {
	on, of := map[key]bool{}, map[int32]bool{}
	for _, n := range path {
		on[t.at(n).id] = true
		of[t.at(n).session] = true
	}
	var out []entry.Pos
	for _, o := range t.notes {
		name := t.nameOf(o)
		named := on[name.ref]
		if o.what >= customTitle {
			named = name == noteName{what: o.what} || of[name.session] && name.session != 0
		}
		if named {
			out = append(out, o.pos())
		}
	}
	return out
}

func (n *node) pos() entry.Pos { return entry.Pos{Line: n.line, Offset: n.offset, Length: n.length} }

// entry.Pos returns where n stands.
func (t *Tree) Pos(n Node) entry.Pos {
	return t.at(n).pos()
}

// Read returns the bytes of x, which are an entry's, valid until the next call of
// any method; nil if they are no longer there: see [Tree.Err].
func (t *Tree) Read(x entry.Pos) []byte {
	b := t.read(x.Offset, x.Length)
	if b != nil && !t.e.Scan(trim(b)) {
		t.fail(errChanged)
	}
	if t.err != nil {
		return nil
	}
	return b
}

// Prompt returns what the user wrote last at or above n, nil if nothing.
func (t *Tree) Prompt(n Node) []byte {
	if t.prompts == nil {
		t.prompts = map[Node]Node{}
	}
	v := t.all()
	found := None
	var way []Node
	for m, ok := n, true; ok; m, ok = v.up(m) {
		at, known := t.prompts[m]
		if !known && t.isPrompt(m) {
			at, known = m, true
		}
		if known {
			found = at
			break
		}
		t.prompts[m] = None // should the way come round in a ring
		way = append(way, m)
	}
	for _, m := range way {
		t.prompts[m] = found
	}
	if found == None {
		return nil
	}
	return bytes.Clone(shape.Prompt(t.entry(found)))
}

// isPrompt reports whether n is something that the user wrote.
func (t *Tree) isPrompt(n Node) bool {
	if t.dialect == entry.Claude && t.at(n).kind != user || t.at(n).flags&meta != 0 {
		return false
	}
	return len(shape.Prompt(t.entry(n))) > 0
}

// Bytes returns what is printed for n: its line, or, if it was recovered from a
// damaged one, its object. They are valid until the next call of any method, and
// empty if the entry is no longer there: see [Tree.Err].
func (t *Tree) Bytes(n Node) []byte {
	if t.entry(n); t.err != nil {
		return nil
	}
	return t.buf[:t.at(n).length]
}

// RawID returns the id of n as JSON, byte for byte as its entry has it. In a log
// whose entries have no ids it is the string "#LINE".
func (t *Tree) RawID(n Node) entry.Value {
	if t.numbered {
		return entry.AppendString(nil, t.lineID(n))
	}
	return bytes.Clone(t.idValue(t.entry(n)))
}

// RawParent returns the id of the parent that n names as JSON, as [Tree.RawID] returns
// an id; nil if n is a root.
func (t *Tree) RawParent(n Node) entry.Value {
	if !t.numbered {
		return bytes.Clone(t.dialect.ParentOf(t.entry(n)))
	}
	if up := t.at(n).parent; up != None {
		return t.RawID(up)
	}
	return nil
}

// AppendEdge appends the edge of n, without its closing '}', to dst.
func (t *Tree) AppendEdge(dst []byte, n Node, file string) []byte {
	e := t.entry(n)
	id, parent := t.idValue(e), t.dialect.ParentOf(e)
	if t.numbered {
		id, parent = t.RawID(n), t.RawParent(n)
	}
	return e.AppendEdge(dst, t.dialect, id, parent, file)
}
