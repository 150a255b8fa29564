package log

import (
	"bytes"
	"cmp"
	"iter"
	"slices"

	"jl/internal/dialect"
	"jl/internal/entry"
	"jl/internal/forest"
	"jl/internal/shape"
)

// An annotation is an entry that has no place in the tree but belongs to a node or to a session.
type annotation struct {
	what annotationKind
	ref  Hash // the id of the node, or, of a title or tag, of the session; 0 if it names none
	pos  packedPos
}

type annotationKind uint8

const (
	snapshot annotationKind = iota // file-history-snapshot, file-history-delta
	summary
	nodeTitle // of the user; belongs to a session, and is a node itself
	userTitle // this and the following belong to a session, or, if they name none, to the file
	clientTitle
	tag
	annotationKinds
)

// annotate keeps e if it is an annotation, or a last-prompt entry.
func (t *Log) annotate(e *entry.Entry) {
	a := annotation{pos: pack(e.Pos)}
	ref := e.Get(entry.SessionID)
	_, rank := t.Dialect.Title(e)
	switch typ := e.Get(entry.Type); {
	case typ.Is("last-prompt"):
		if leaf := e.Get(entry.LeafUUID); leaf.IsString() {
			t.pin = t.hash(leaf.Text())
		}
		return
	case shape.NamesBackups(e):
		a.what, ref = snapshot, e.Get(entry.MessageID)
	case typ.Is("system") && rank == dialect.ByUser:
		a.what = nodeTitle
	case rank == dialect.ByUser:
		a.what = userTitle
	case rank == dialect.ByClient:
		a.what = clientTitle
	case rank == dialect.BySummary:
		a.what, ref = summary, e.Get(entry.LeafUUID)
	case typ.Is("tag"):
		a.what = tag
	default:
		return
	}
	if a.ref = t.hashOf(ref); a.ref != 0 || a.what >= userTitle {
		t.annotations = append(t.annotations, a)
	}
}

// Summary returns the text of the last summary entry that names n as its leaf, or nil. The caller
// may keep it.
func (t *Log) Summary(n Node) []byte {
	return t.lastTitle(summary, nodeTitle, t.ids[n])
}

// Title returns the last title that a user gave the session of n, or else the last that a
// program gave it, or nil. The caller may keep it.
func (t *Log) Title(n Node) []byte {
	id := t.sessionIDs[t.Tree.Strand[n]/2]
	if title := t.lastTitle(nodeTitle, clientTitle, id, 0); len(title) > 0 {
		return title
	}
	return t.lastTitle(clientTitle, tag, id, 0)
}

// lastTitle returns the text of the last title that has one of some refs, of the kinds from first to before end, or
// nil.
func (t *Log) lastTitle(first, end annotationKind, refs ...Hash) []byte {
	var last packedPos
	for what := first; what < end; what++ {
		for _, ref := range refs {
			if like := t.annotated(ref, what, what+1); len(like) > 0 && like[len(like)-1].pos.offset() >= last.offset() {
				last = like[len(like)-1].pos
			}
		}
	}
	if last == (packedPos{}) {
		return nil
	}
	title, _ := t.Dialect.Title(t.EntryAt(last.unpack()))
	return bytes.Clone(title.Text())
}

// compareRefs orders annotations by what they belong to.
func compareRefs(a, b annotation) int {
	return cmp.Or(cmp.Compare(a.ref, b.ref), cmp.Compare(a.what, b.what))
}

// annotated returns the annotations that have a ref, of the kinds from first to before end, those of
// each kind in file order.
func (t *Log) annotated(ref Hash, first, end annotationKind) []annotation {
	i, _ := slices.BinarySearchFunc(t.byRef, annotation{what: first, ref: ref}, compareRefs)
	j, _ := slices.BinarySearchFunc(t.byRef, annotation{what: end, ref: ref}, compareRefs)
	return t.byRef[i:j]
}

// Snapshots yields the entries that tell of file backups, in file order, each with the node that its
// messageId names. The node may be one that is not in the log; it is None if no entry has or names the id.
func (t *Log) Snapshots() iter.Seq2[Node, entry.Pos] {
	return func(yield func(Node, entry.Pos) bool) {
		for _, a := range t.annotations {
			if a.what == snapshot && !yield(t.find(a.ref), a.pos.unpack()) {
				return
			}
		}
	}
}

// Annotations returns the entries that belong to a path but have no place in the tree, in
// file order: the snapshots and summaries that name one of its nodes, and the titles and
// tags of its sessions.
func (t *Log) Annotations(path []Node) []entry.Pos {
	found := slices.Clone(t.annotated(0, userTitle, annotationKinds))
	sessions := map[int32]bool{0: true}
	for _, n := range path {
		found = append(found, t.annotated(t.ids[n], snapshot, nodeTitle)...)
		if s := t.Tree.Strand[n] / 2; !sessions[s] {
			sessions[s] = true
			found = append(found, t.annotated(t.sessionIDs[s], userTitle, annotationKinds)...)
		}
	}
	var out []entry.Pos
	for _, a := range found {
		out = append(out, a.pos.unpack())
	}
	slices.SortFunc(out, func(a, b entry.Pos) int { return cmp.Compare(a.Offset, b.Offset) })
	return out
}

// Prompts returns a function from a node to its prompt: the last one in the turn of the node, else in the nearest turn
// above that has one, else nil. In returns the prompt in an entry, nil if it has none.
func (t *Log) Prompts(in func(*entry.Entry) []byte) func(Node) []byte {
	last := func(turn Node) (prompt []byte) {
		for n := turn; n != None; n = t.Tree.Next[n] {
			if k := t.Kinds[n]; t.Dialect.IsClaude() && k != User && k != Attachment {
				continue
			}
			if p := in(t.Entry(n)); len(p) > 0 {
				prompt = bytes.Clone(p)
			}
		}
		return prompt
	}
	turns := forest.Forest{Up: t.Tree.Above}
	nearest := turns.Nearest(func(turn Node) bool { return last(turn) != nil })
	return func(n Node) []byte { return last(nearest(t.Tree.Turn[n])) }
}
