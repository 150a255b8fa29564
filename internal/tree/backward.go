package tree

import (
	"io"
	"iter"
	"slices"

	"jl/internal/dialect"
	"jl/internal/entry"
	"jl/internal/line"
)

// An unread is the part of a log that a view which is read backwards has not seen yet.
// Such a view reads on whenever it is asked for a node that it does not hold. Its nodes
// are in the order in which they were read, and the line of a node is not the number
// of the line but its offset.
type unread struct {
	lines    *line.Backward
	dec      entry.Decoder
	facts    Facts           // scratch
	settings map[Node]string // by node of a pi log that is a setting: its type
}

// newUnread returns a view of the first size bytes of a log in the dialect d, which begins with the
// entry first and is read backwards.
func newUnread(first *entry.Entry, d dialect.Dialect, log io.ReaderAt, size int64) *view {
	t := NewBuilder(Default, log, size).t
	t.begin(first, d)
	return &view{Tree: t, unread: &unread{lines: line.NewBackward(log, size), dec: dialect.NewDecoder(), settings: map[Node]string{}}}
}

// backward yields the nodes of v from the last in the log to the first.
func (v *view) backward() iter.Seq[Node] {
	return func(yield func(Node) bool) {
		if v.unread == nil {
			for _, n := range slices.Backward(v.order) {
				if !yield(n) {
					return
				}
			}
			return
		}
		for i := 0; ; i++ {
			for i == len(v.order) {
				if !v.readLine() {
					return
				}
			}
			if !yield(v.order[i]) {
				return
			}
		}
	}
}

// readTo reads lines until v holds n. It reports false if it comes to the beginning of
// the log without.
func (v *view) readTo(n Node) bool {
	for !v.in[n] {
		if !v.readLine() {
			return false
		}
	}
	return true
}

// readLine adds the entries of the next line up. It reports false if there is none, or
// after an error, which is kept for Err.
func (v *view) readLine() bool {
	count, damage, ok := v.decode(v.unread.lines)
	if !ok {
		return false
	}
	if isForeign(damage) {
		v.entries++
	}
	for i := count - 1; i >= 0; i-- {
		v.addAbove(v.unread.dec.Entry(i))
	}
	return true
}

// decode steps to the next of lines and decodes it. It reports false if there is none,
// or after an error, which is kept for Err.
func (v *view) decode(lines *line.Backward) (int, *entry.Damage, bool) {
	if v.err != nil || !lines.Next() {
		v.fail(lines.Err())
		return 0, nil, false
	}
	b, err := lines.Bytes()
	if err != nil {
		v.fail(err)
		return 0, nil, false
	}
	count, damage := v.unread.dec.Decode(b, lines.Offset(), lines.Offset()+lines.Dropped())
	return count, damage, true
}

// addAbove adds an entry that is above all those added before it.
func (v *view) addAbove(e *entry.Entry) {
	if !v.dialect.IsNode(e) {
		return
	}
	v.entries++
	id := v.dialect.IDOf(e)
	if id == nil {
		v.pi.hasMain = v.pi.hasMain || v.entries == 1 // the log ends at no node
		return
	}
	n := v.node(id)
	if v.in[n] {
		return // of duplicate ids the last one wins
	}
	f := &v.unread.facts
	v.facts(e, v.dialect, f)
	at := v.nodeOf(e, f)
	if up := v.dialect.ParentOf(e); up != nil {
		at.parent = v.node(up)
	}
	at.id = v.at(n).id
	*v.at(n) = at
	v.in[n], v.parent[n] = true, at.parent
	v.order = append(v.order, n)
	if isSetting(e) {
		v.unread.settings[n] = string(e.Get(entry.Type).Text())
	}
	if isMain := at.flags&sidechain == 0; !v.pi.hasMain && (isMain || v.pi.last == None) {
		v.pi.last, v.pi.hasMain = n, isMain
	}
}

// node returns the node of an id, which may be one that v does not hold yet.
func (v *view) node(id entry.Value) Node {
	n := v.intern(v.key(id.Text()))
	for len(v.in) < int(v.n) {
		v.in, v.parent = append(v.in, false), append(v.parent, None)
	}
	return n
}
