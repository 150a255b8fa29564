package tree

import (
	"bytes"

	"jl/internal/entry"
	"jl/internal/shape"
)

// An annotation is an entry that has no place in the tree but belongs to a node or to a
// session.
type annotation struct {
	ref  key // the id of the node, or, of a title or tag, of the session; zero if it names none
	pos  packedPos
	what annotationKind
}

type annotationKind uint8

const (
	snapshot annotationKind = iota // file-history-snapshot, file-history-delta
	summary
	customTitle // this and the following belong to a session
	aiTitle
	tag
)

// annotate keeps e if it is an annotation, or a last-prompt entry.
func (t *Tree) annotate(e *entry.Entry) {
	a := annotation{pos: pack(e.Pos)}
	var ref entry.Value
	switch typ := e.Get(entry.Type); {
	case typ.Is("last-prompt"):
		if leaf := e.Get(entry.LeafUUID); leaf.IsString() {
			t.pinned, t.pin = true, t.key(leaf.Text())
		}
		return
	case shape.NamesBackups(e):
		a.what, ref = snapshot, e.Get(entry.MessageID)
	case typ.Is("summary"):
		a.what, ref = summary, e.Get(entry.LeafUUID)
	case typ.Is("custom-title"):
		a.what, ref = customTitle, e.Get(entry.SessionID)
	case typ.Is("ai-title"):
		a.what, ref = aiTitle, e.Get(entry.SessionID)
	case typ.Is("tag"):
		a.what, ref = tag, e.Get(entry.SessionID)
	default:
		return
	}
	if ref.IsString() {
		a.ref = t.key(ref.Text())
	} else if a.what < customTitle {
		return // but a title without a session belongs to the whole file
	}
	*t.annotations.At(t.annotations.Add(1)) = a
}

// Summary returns the text of the last summary entry that names n as its leaf, nil if
// there is none. The caller may keep it.
func (t *Tree) Summary(n Node) []byte {
	return t.annotationText(entry.Summary, subject{what: summary, ref: t.at(n).id})
}

// Title returns the last title that a user gave the session of n, or else the last that a
// program gave it; nil if there is none. The caller may keep it.
func (t *Tree) Title(n Node) []byte {
	s := t.at(n).session
	if title := t.annotationText(entry.CustomTitle, subject{what: customTitle, session: s}, subject{what: customTitle}); len(title) > 0 {
		return title
	}
	return t.annotationText(entry.AITitle, subject{what: aiTitle, session: s}, subject{what: aiTitle})
}

// A subject is what annotations of one kind are about: a node, known by its id, or a
// session, known by its ordinal, or by its id if no node is of it. A title that names no
// session is about the whole file and has neither.
type subject struct {
	what    annotationKind
	ref     hash
	session int32
}

func (t *Tree) subjectOf(a *annotation) subject {
	if a.what < customTitle {
		return subject{what: a.what, ref: a.ref.id}
	}
	if a.ref == (key{}) {
		return subject{what: a.what}
	}
	if s, ok := t.sessions[a.ref.id]; ok {
		return subject{what: a.what, session: s}
	}
	return subject{what: a.what, ref: a.ref.id}
}

// annotationText returns the text under k of the last annotation about one of subjects.
func (t *Tree) annotationText(k entry.Key, subjects ...subject) []byte {
	if t.lastAnnotations == nil {
		t.lastAnnotations = map[subject]packedPos{}
		for a := range t.annotations.All() {
			if a.what != snapshot { // which has no text, and there may be many
				t.lastAnnotations[t.subjectOf(a)] = a.pos
			}
		}
	}
	var last packedPos
	for _, s := range subjects {
		if pos, ok := t.lastAnnotations[s]; ok && (last == packedPos{} || pos.offset() > last.offset()) {
			last = pos
		}
	}
	if last == (packedPos{}) {
		return nil
	}
	return bytes.Clone(t.EntryAt(last.unpack()).Get(k).Text())
}

// Annotations returns the entries that belong to a path but have no place in the tree, in
// file order: the snapshots and summaries that name one of its nodes, and the titles and
// tags of its sessions.
func (t *Tree) Annotations(path []Node) []entry.Pos {
	var on nodeSet
	on.clear(t.n)
	sessions := map[int32]bool{}
	for _, n := range path {
		on.add(n)
		sessions[t.at(n).session] = true
	}
	var out []entry.Pos
	for a := range t.annotations.All() {
		var belongs bool
		if a.what < customTitle {
			belongs = on.has(t.find(a.ref))
		} else {
			about := t.subjectOf(a)
			belongs = about == subject{what: a.what} || about.session != 0 && sessions[about.session]
		}
		if belongs {
			out = append(out, a.pos.unpack())
		}
	}
	return out
}
