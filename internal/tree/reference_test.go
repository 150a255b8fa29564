package tree_test

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"time"
)

// This file says the rule of default paths again, as plainly as possible and slowly. It shares
// no code with the package.

// A refEntry holds what the rule reads of an entry.
type refEntry struct {
	UUID, Type, Subtype, ParentUUID, LogicalParentUUID string

	Timestamp       string
	IsSidechain     bool
	CompactMetadata struct {
		PreservedMessages struct {
			UUIDs      []string
			AnchorUUID string
		}
		PreservedSegment struct{ HeadUUID, TailUUID, AnchorUUID string }
	}
	Message struct {
		ID      string
		Content json.RawMessage
	}
}

// A refNode is an entry with an id, or the copy of one that a compaction kept.
type refNode struct {
	refEntry
	names   []string // ids of the calls that an assistant entry makes, or that a user entry answers
	place   int      // in the file
	up      *refNode // the node that the entry names as its parent, or a copy
	copyOf  *refNode // nil unless the node is a copy
	turn    *refTurn
	group   *refGroup
	adopted bool // the node is in the turn only because it answers a call
}

func (n *refNode) conversation() bool {
	return slices.Contains([]string{"user", "assistant", "attachment", "system"}, n.Type)
}

func (n *refNode) boundary() bool { return n.Subtype == "compact_boundary" }

func (n *refNode) result() bool { return n.Type == "user" && len(n.names) > 0 }

// A speaker is an assistant node, a user node that is not a result, or a boundary.
func (n *refNode) speaker() bool {
	return n.Type == "assistant" || n.Type == "user" && !n.result() || n.boundary()
}

func (n *refNode) original() *refNode { return cmp.Or(n.copyOf, n) }

// walk returns n and the nodes above it, up to one that has none above it or to the first
// repeat.
func (n *refNode) walk() (walk []*refNode) {
	for ; n != nil && !slices.Contains(walk, n); n = n.up {
		walk = append(walk, n)
	}
	return walk
}

// above returns the nodes above n. On a cycle n is one of them.
func (n *refNode) above() []*refNode { return n.up.walk() }

// below reports whether n is b or below it.
func (n *refNode) below(b *refNode) bool { return slices.Contains(n.walk(), b) }

// A refLog is the nodes of a log.
type refLog struct {
	nodes  []*refNode // in file order, without copies
	byID   map[string]*refNode
	anchor *refNode   // what the copies are below
	cuts   []*refNode // the boundaries that are roots and have lists
	last   *refNode   // the boundary that decides
	kept   []*refNode // what a compaction kept
	copies []*refNode // of kept
	turns  []*refTurn
}

// An entry with an id is a node. Of entries with the same id, the last is the node.
func newRefLog(lines []string) *refLog {
	l := &refLog{byID: map[string]*refNode{}}
	for place, line := range lines {
		n := &refNode{place: place}
		if err := json.Unmarshal([]byte(line), &n.refEntry); err != nil {
			panic(err)
		}
		var blocks []struct {
			ID        string
			ToolUseID string `json:"tool_use_id"`
		}
		_ = json.Unmarshal(n.Message.Content, &blocks) // fails for a string, which has no blocks
		for _, b := range blocks {
			n.names = append(n.names, cmp.Or(b.ID, b.ToolUseID))
		}
		l.nodes = append(slices.DeleteFunc(l.nodes, func(o *refNode) bool { return o.UUID == n.UUID }), n)
		l.byID[n.UUID] = n
	}
	for _, n := range l.nodes {
		n.up = l.byID[n.ParentUUID]
	}
	if l.isUnchained() {
		l.chain()
		return l
	}
	l.findCuts()
	if l.last != nil {
		l.keep(l.last)
	}
	l.findTurns()
	return l
}

// The ids form no chain if several nodes converse and no node names a parent that is in the file. A boundary
// may name a logical parent or kept entries that are, if several other main nodes name nothing at all.
func (l *refLog) isUnchained() bool {
	converse, main, roots, compacted := 0, 0, 0, false
	for _, n := range l.nodes {
		if n.up != nil {
			return false
		}
		follows := l.byID[n.LogicalParentUUID] != nil
		compacted = compacted || n.boundary() && (follows || len(l.listed(n)) > 0)
		if n.conversation() {
			converse++
			if !n.IsSidechain {
				main++
				if !n.boundary() && n.ParentUUID == "" && !follows {
					roots++
				}
			}
		}
	}
	return converse > 1 && main != 1 && (!compacted || roots > 1)
}

// Then each node is below the last conversation node before it, each on a sidechain below the
// last node before it on one.
func (l *refLog) chain() {
	var last, side *refNode
	for _, n := range l.nodes {
		switch {
		case n.IsSidechain:
			n.up, side = side, n
		case n.conversation():
			n.up, last = last, n
		default:
			n.up = last
		}
	}
}

// A boundary decides if its parent is not in the file, and the list of no such boundary above it in
// the file names it, the last of them. Those that have lists cut the log.
func (l *refLog) findCuts() {
	named := map[string]bool{}
	for _, b := range l.nodes {
		if !b.boundary() || b.up != nil {
			continue
		}
		ids, segment := b.CompactMetadata.PreservedMessages.UUIDs, b.CompactMetadata.PreservedSegment
		if !named[b.UUID] {
			l.last = b
			if ids != nil || segment.HeadUUID != "" {
				l.cuts = append(l.cuts, b)
			}
		}
		for _, id := range append(slices.Clone(ids), segment.HeadUUID, segment.TailUUID) {
			named[id] = true
		}
	}
}

// root returns the node above n that has none above it, or nil if there is a cycle.
func (n *refNode) root() *refNode {
	walk := n.walk()
	if top := walk[len(walk)-1]; top.up == nil {
		return top
	}
	return nil
}

// era returns the number of cuts above the root of n in the file. What was kept, and has
// its root after the compaction, has an era of its own.
func (l *refLog) era(n *refNode) int {
	era := 0
	for _, b := range l.cuts {
		if root := n.root(); root != nil && root.place >= b.place {
			era++
		}
	}
	if era == len(l.cuts) && slices.Contains(l.kept, n) {
		return -1
	}
	return era
}

// listed returns the nodes that the list of a boundary names. Those of a segment are on the
// walk from its tail up to its head. There are none if one is missing. But a log that is
// itself a path may not have all of them: those that it has are after the boundary.
func (l *refLog) listed(b *refNode) (listed []*refNode) {
	ids, segment := b.CompactMetadata.PreservedMessages.UUIDs, b.CompactMetadata.PreservedSegment
	if tail := l.byID[segment.TailUUID]; tail != nil {
		walk := tail.walk()
		walk = walk[:slices.Index(walk, l.byID[segment.HeadUUID])+1]
		slices.Reverse(walk)
		return walk
	} else if ids == nil {
		ids = []string{segment.HeadUUID, segment.TailUUID}
	}
	missing := false
	for _, id := range ids {
		n := l.byID[id]
		missing = missing || n == nil
		if n != nil && !slices.Contains(listed, n) {
			listed = append(listed, n)
		}
	}
	if missing && slices.ContainsFunc(listed, func(n *refNode) bool { return n.place < b.place }) {
		return nil
	}
	return listed
}

// The boundary that decides keeps the nodes of its list if its anchor is the boundary or below it, and no node
// of the list is. The first copy is below the anchor, each other one below the copy before it.
// What hangs on the anchor then hangs on the last copy. What hangs on a kept node, and is after
// the boundary in the file, or has its root there now, hangs on the copy. Kept nodes stay where
// they are.
func (l *refLog) keep(b *refNode) {
	anchor := l.byID[cmp.Or(b.CompactMetadata.PreservedMessages.AnchorUUID, b.CompactMetadata.PreservedSegment.AnchorUUID)]
	kept := l.listed(b)
	if anchor == nil || !anchor.below(b) || len(kept) == 0 ||
		slices.ContainsFunc(kept, func(n *refNode) bool { return n.below(b) }) {
		return
	}
	l.anchor, l.kept = anchor, kept
	last := anchor
	for _, n := range kept {
		c := *n
		c.copyOf, c.up = n, last
		last = &c
		l.copies = append(l.copies, last)
	}
	late := map[*refNode]bool{}
	move := func() {
		for _, n := range l.nodes {
			i := slices.Index(kept, n.up)
			switch {
			case slices.Contains(kept, n):
			case n.up == anchor:
				n.up = last
			case i >= 0 && (n.place > b.place || late[n.up]):
				n.up = l.copies[i]
			}
		}
	}
	move()
	for _, n := range kept {
		late[n] = n.root() != nil && n.root().place >= b.place
	}
	move()
}

// WithCopies returns the nodes and copies in the order of their entries in the file.
func (l *refLog) WithCopies() []*refNode {
	return slices.SortedStableFunc(slices.Values(slices.Concat(l.nodes, l.copies)), byPlace)
}

func byPlace(a, b *refNode) int { return cmp.Compare(a.place, b.place) }

// A refTurn is the entries of a message and what belongs to them, each in file order.
type refTurn struct{ entries, rest []*refNode }

// A refGroup is the turns that are above each other, and what is between their nodes.
type refGroup struct{ nodes []*refNode }

func (t *refTurn) makes(call string) bool {
	return slices.ContainsFunc(t.entries, func(n *refNode) bool { return slices.Contains(n.names, call) })
}

func (l *refLog) findTurns() {
	l.findEntries()
	l.findResults()
	l.findBetween()
	l.adopt()
	for _, n := range l.WithCopies() {
		if n.turn != nil && n.Type != "assistant" {
			n.turn.rest = append(n.turn.rest, n)
		}
	}
	l.tie()
	all := l.WithCopies()
	for _, n := range all {
		if n.own() != nil && n.group == nil {
			g := &refGroup{nodes: n.block(all)}
			for _, x := range g.nodes {
				x.group = g
			}
		}
	}
}

// What is in a turn with copies, and neither below their boundary nor below a node of the turn, hangs
// on one of the copies.
func (l *refLog) tie() {
	for _, c := range l.copies {
		for _, n := range l.nodes {
			if c.turn != nil && n.own() == c.turn && (n.up == nil || n.up.own() != c.turn) && n.root() != l.last {
				n.up = c
			}
		}
	}
}

// reach returns those of some nodes that are above n, or above a node of a turn that has a node in
// reach; n, and all of such turns, too.
func (n *refNode) reach(some []*refNode) map[*refNode]bool {
	seen := map[*refNode]bool{}
	for todo := []*refNode{n}; len(todo) > 0; todo = todo[1:] {
		x := todo[0]
		if !slices.Contains(some, x) || seen[x] {
			continue
		}
		seen[x] = true
		todo = append(todo, x.up)
		if t := x.own(); t != nil {
			todo = append(append(todo, t.entries...), t.rest...)
			todo = slices.DeleteFunc(todo, func(y *refNode) bool { return y != nil && y.adopted && y.turn == t })
		}
	}
	return seen
}

// block returns those of some nodes that are in reach of n and have n in reach.
func (n *refNode) block(some []*refNode) (block []*refNode) {
	for x := range n.reach(some) {
		if x.reach(some)[n] {
			block = append(block, x)
		}
	}
	slices.SortStableFunc(block, byPlace)
	return block
}

// belongs returns the group of n, or, if n is adopted, of the turn that adopted it.
func (n *refNode) belongs() *refGroup {
	if n.adopted {
		return n.turn.entries[0].group
	}
	return n.group
}

// The entries of a message are one turn, but those on sidechains and those of other eras are not in it.
func (l *refLog) findEntries() {
	type name struct {
		message string
		side    bool
		era     int
	}
	turns := map[name]*refTurn{}
	for _, n := range l.WithCopies() {
		if n.Type == "assistant" && n.Message.ID != "" {
			k := name{n.Message.ID, n.IsSidechain, l.era(n)}
			if turns[k] == nil {
				turns[k] = &refTurn{}
			}
			n.turn = turns[k]
			n.turn.entries = append(n.turn.entries, n)
		}
	}
	l.turns = slices.Collect(maps.Values(turns))
}

// speakerAbove returns the nearest speaker above n, and the nodes between the two.
func (n *refNode) speakerAbove() (speaker *refNode, between []*refNode) {
	for _, up := range n.above() {
		if up.speaker() {
			return up, between
		}
		between = append(between, up)
	}
	return nil, nil
}

// A result is in a turn if its parent is an entry of the turn, or if the nearest speaker above
// it is one and the result names a call of the turn.
func (l *refLog) findResults() {
	for _, n := range l.WithCopies() {
		s, _ := n.speakerAbove()
		if n.result() && s != nil && s.turn != nil && (s == n.up || slices.ContainsFunc(n.names, s.turn.makes)) {
			n.turn = s.turn
		}
	}
}

// What is between an entry or result of a turn and the nearest speaker above it is in the
// turn, if the speaker is.
func (l *refLog) findBetween() {
	for _, n := range l.WithCopies() {
		if s, between := n.speakerAbove(); s != nil && n.turn != nil && s.turn == n.turn {
			for _, b := range between {
				b.turn = n.turn
			}
		}
	}
}

// A turn adopts a result that is in no turn, was not kept, and has no conversation node above
// it. The first call decides that the result names, that one turn alone makes, of those that
// are of its era, on sidechains like the result or not, and that no other node of the turn names. No
// node of the turn is below the result.
func (l *refLog) adopt() {
	adopted := map[*refNode]*refTurn{}
	for _, n := range l.nodes {
		lost := !slices.ContainsFunc(n.above(), (*refNode).conversation)
		if !n.result() || n.turn != nil || slices.Contains(l.kept, n) || !lost {
			continue
		}
		for _, call := range n.names {
			makers := slices.Clone(l.turns)
			makers = slices.DeleteFunc(makers, func(t *refTurn) bool {
				e := t.entries[0]
				return l.era(e) != l.era(n) || e.IsSidechain != n.IsSidechain || !t.makes(call)
			})
			if adopted[n] == nil && len(makers) == 1 && !slices.ContainsFunc(l.nodes, func(r *refNode) bool {
				return r.turn == makers[0] && (r.result() && slices.Contains(r.names, call) || r.below(n))
			}) {
				adopted[n] = makers[0]
			}
		}
	}
	for n, t := range adopted {
		n.turn, n.adopted = t, true
	}
}

// own returns the turn of n, nil if n is only adopted.
func (n *refNode) own() *refTurn {
	if n.adopted {
		return nil
	}
	return n.turn
}

// start returns where the walk to a leaf starts: that to the anchor has all that was kept.
func (l *refLog) start(leaf *refNode) *refNode {
	if leaf == l.anchor {
		return l.copies[len(l.copies)-1]
	}
	return leaf
}

// The path to a leaf is the walk, root first, with the turns on it, in blocks: what is in reach of each
// other there. A block that is a turn has its entries first, any other is in file order. An entry is on
// the path once.
func (l *refLog) path(leaf *refNode) (path []*refNode) {
	walk := l.start(leaf).walk()
	slices.Reverse(walk)
	defer func(top, up *refNode) { top.up = up }(walk[0], walk[0].up)
	walk[0].up = nil // a path ends where a cycle begins again
	some := slices.Clone(walk)
	for _, n := range walk {
		if t := n.own(); t != nil {
			some = append(append(some, t.entries...), t.rest...)
		}
	}
	for _, n := range walk {
		if slices.Contains(path, n.original()) {
			continue
		}
		block, t := n.block(some), n.own()
		if t != nil && !slices.ContainsFunc(block, func(x *refNode) bool { return x.own() != t }) {
			block = slices.Concat(t.entries, t.rest)
		} else {
			for _, x := range block {
				if t := x.own(); t != nil {
					block = append(append(block, t.entries...), t.rest...)
				}
			}
			slices.SortStableFunc(block, byPlace)
		}
		for _, x := range block {
			if !slices.Contains(path, x.original()) {
				path = append(path, x.original())
			}
		}
	}
	return path
}

// A main node is a conversation node that is on no sidechain. If all conversation nodes are on
// sidechains, all of them are main nodes. Copies are not.
func (l *refLog) isMain(n *refNode) bool {
	main := func(n *refNode) bool { return n.conversation() && !n.IsSidechain }
	return n.copyOf == nil && n.conversation() && (main(n) || !slices.ContainsFunc(l.nodes, main))
}

// A leaf is a main node that is not the nearest main node above a main node. The newest is
// first.
func (l *refLog) leaves() []*refNode {
	inner := map[*refNode]bool{}
	for _, n := range l.nodes {
		above := n.above()
		if i := slices.IndexFunc(above, l.isMain); i >= 0 && l.isMain(n) {
			inner[above[i]] = true
		}
	}
	leaves := slices.Clone(l.nodes)
	leaves = slices.DeleteFunc(leaves, func(n *refNode) bool { return !l.isMain(n) || inner[n] })
	slices.SortFunc(leaves, newer)
	return leaves
}

// Of two leaves that one is newer which has a user or assistant node at or above it, if the
// other has not; then the one with the later time; then the later in the file. No or an
// unreadable time is the oldest.
func newer(a, b *refNode) int {
	silent := func(n *refNode) int {
		said := func(n *refNode) bool { return n.Type == "user" || n.Type == "assistant" }
		if slices.ContainsFunc(n.walk(), said) {
			return 0
		}
		return 1
	}
	at, _ := time.Parse(time.RFC3339, a.Timestamp)
	bt, _ := time.Parse(time.RFC3339, b.Timestamp)
	return cmp.Or(cmp.Compare(silent(a), silent(b)), bt.Compare(at), byPlace(b, a))
}

// The conversation goes on above a boundary without a parent at its logical parent, or, if that is not in
// the log, at the newest conversation node above it in the file, on a sidechain if the boundary is.
func (l *refLog) logical(b *refNode) (to *refNode) {
	if b.up != nil {
		return nil
	}
	for _, n := range l.nodes {
		if b.LogicalParentUUID != "" && n.UUID == b.LogicalParentUUID {
			return n
		}
	}
	at := func(n *refNode) int64 {
		if t, err := time.Parse(time.RFC3339, n.Timestamp); err == nil {
			return t.UnixMicro()
		}
		return 0
	}
	for _, n := range l.nodes {
		if n.conversation() && n.IsSidechain == b.IsSidechain && n.place < b.place && (to == nil || at(n) >= at(to)) {
			to = n
		}
	}
	return to
}

// A leaf is history if a compaction kept it, or if it, or a node of the turn that it belongs to, is the
// nearest main node from which the conversation goes on below a boundary that is not a leaf; both are on
// sidechains, or neither. In the copy of a path what was kept is below its boundary.
func (l *refLog) isHistory(leaf *refNode) bool {
	leaves := l.leaves()
	return slices.Contains(l.kept, leaf) || slices.ContainsFunc(l.nodes, func(b *refNode) bool {
		n := l.logical(b)
		if !b.boundary() || n == nil || n.IsSidechain != b.IsSidechain || slices.Contains(leaves, b) ||
			l.comesFrom(n, b) {
			return false
		}
		walk := n.walk()
		i := slices.IndexFunc(walk, func(n *refNode) bool {
			return slices.Contains(leaves, n) || n.conversation() && !n.IsSidechain && n.copyOf == nil
		})
		return i >= 0 && (walk[i] == leaf || walk[i].group != nil && walk[i].group == leaf.belongs())
	})
}

// comesFrom reports whether n, or something of its group, hangs below the boundary b, as in a path.
func (l *refLog) comesFrom(n, b *refNode) bool {
	return slices.ContainsFunc(l.WithCopies(), func(x *refNode) bool {
		return (x == n || n.belongs() != nil && x.belongs() == n.belongs()) &&
			(x.root() == b && n.place > b.place || slices.Contains(l.kept, b) && x.root() == l.last)
	})
}

// The ends are the leaves that are not history; in place of a leaf in a group, the end of the
// group. If this gives none, all leaves are ends.
func (l *refLog) ends() (ends []*refNode) {
	f := &refEnds{refLog: l, known: map[*refGroup]*refNode{}}
	for _, n := range l.leaves() {
		if l.isHistory(n) {
			f.history = append(f.history, n)
		} else {
			f.living = append(f.living, n)
		}
	}
	for _, n := range f.living {
		end := n
		if g := n.belongs(); g != nil {
			end = f.endOf(g)
		}
		if end != nil && !slices.Contains(ends, end) {
			ends = append(ends, end)
		}
	}
	if ends == nil {
		return l.leaves()
	}
	return ends
}

// A refEnds finds the ends of groups.
type refEnds struct {
	*refLog
	living, history []*refNode // the leaves
	known           map[*refGroup]*refNode
}

// The end of a group is given by the newest leaf that is below it, but not in it: the leaf, or, if it
// is in another group, the end of that. There is none if the leaf is history, which comes last. If
// nothing continues from the group, the end is the best leaf in it.
func (f *refEnds) endOf(g *refGroup) *refNode {
	if end, ok := f.known[g]; ok {
		return end
	}
	end := f.best(g)
	continues := func(n *refNode) bool { return n.group != g && slices.ContainsFunc(g.nodes, f.start(n).below) }
	if i := slices.IndexFunc(f.living, continues); i >= 0 {
		end = f.living[i]
		if end.group != nil {
			end = f.endOf(end.group)
		}
	} else if slices.ContainsFunc(f.history, continues) {
		end = nil
	}
	f.known[g] = end
	return end
}

// best returns the leaf in a group whose walk passes the most turns and single nodes, the newest of
// them, or nil.
func (f *refEnds) best(g *refGroup) (best *refNode) {
	most := -1
	for _, n := range f.leaves() {
		passed := map[any]bool{}
		for _, x := range n.walk() {
			if t := x.own(); t != nil {
				passed[t] = true
			} else {
				passed[x] = true
			}
		}
		if n.group == g && len(passed) > most {
			best, most = n, len(passed)
		}
	}
	return best
}
