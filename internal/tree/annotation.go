package tree

import (
	"bytes"

	"jl/internal/entry"
)

// A note is an entry beside the tree that belongs to a node or to a session.
type annotation struct {
	ref            key // of the node, or for titles and tags the session, that it names
	line           int64
	offset, length int64
	what           annotationKind
}

type annotationKind uint8

const (
	snapshot annotationKind = iota // file-history-snapshot, file-history-delta
	summary
	customTitle // from here on notes belong to a session
	aiTitle
	tag
)

// annotate keeps an entry beside the tree if it names a node or its session.
func (t *Tree) annotate(e *entry.Entry, n node) {
	typ := e.Get(entry.Type)
	to := annotation{line: n.line, offset: n.offset, length: n.length}
	var ref entry.Value
	switch {
	case typ.Is("last-prompt"):
		if leaf := e.Get(entry.LeafUUID); leaf.IsString() {
			t.pinned, t.pin = true, t.key(leaf.Text())
		}
		return
	case typ.Is("file-history-snapshot"), typ.Is("file-history-delta"):
		to.what, ref = snapshot, e.Get(entry.MessageID)
	case typ.Is("summary"):
		to.what, ref = summary, e.Get(entry.LeafUUID)
	case typ.Is("custom-title"):
		to.what, ref = customTitle, e.Get(entry.SessionID)
	case typ.Is("ai-title"):
		to.what, ref = aiTitle, e.Get(entry.SessionID)
	case typ.Is("tag"):
		to.what, ref = tag, e.Get(entry.SessionID)
	default:
		return
	}
	if ref.IsString() {
		to.ref = t.key(ref.Text())
	} else if to.what < customTitle {
		return // it names nothing; a title without a session is the file's
	}
	t.annotations = append(t.annotations, to)
}

// Summary returns the text of the last summary entry that names n as its leaf, nil
// if there is none.
func (t *Tree) Summary(n Node) []byte {
	return t.annotationText(entry.Summary, subject{what: summary, ref: t.at(n).id})
}

// Title returns the last title of n's session that a user gave, or else the last
// that was made up; nil if there is none.
func (t *Tree) Title(n Node) []byte {
	s := t.at(n).session
	if title := t.annotationText(entry.CustomTitle, subject{what: customTitle, session: s}, subject{what: customTitle}); len(title) > 0 {
		return title
	}
	return t.annotationText(entry.AITitle, subject{what: aiTitle, session: s}, subject{what: aiTitle})
}

// A subject is what a note is about: a node, by its id, or a session. A title that
// names no session is about all in the file and has neither.
type subject struct {
	what    annotationKind
	ref     key
	session int32
}

func (t *Tree) nameOf(o annotation) subject {
	if o.what < customTitle {
		return subject{what: o.what, ref: o.ref}
	}
	if o.ref == (key{}) {
		return subject{what: o.what}
	}
	if s, ok := t.sessions[o.ref]; ok {
		return subject{what: o.what, session: s}
	}
	return subject{what: o.what, ref: o.ref} // of a session that no node is of
}

// annotationText returns the text under k of the last note that has one of the names.
func (t *Tree) annotationText(k entry.Key, names ...subject) []byte {
	if t.lastAnnotations == nil {
		t.lastAnnotations = map[subject]int{}
		for i, o := range t.annotations {
			t.lastAnnotations[t.nameOf(o)] = i + 1
		}
	}
	last := 0
	for _, name := range names {
		last = max(last, t.lastAnnotations[name])
	}
	if last == 0 {
		return nil
	}
	return bytes.Clone(t.EntryAt(t.annotations[last-1].pos()).Get(k).Text())
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
	for _, o := range t.annotations {
		name := t.nameOf(o)
		named := on[name.ref]
		if o.what >= customTitle {
			named = name == subject{what: o.what} || of[name.session] && name.session != 0
		}
		if named {
			out = append(out, o.pos())
		}
	}
	return out
}

func (o annotation) pos() entry.Pos {
	return entry.Pos{Line: o.line, Offset: o.offset, Length: o.length}
}
