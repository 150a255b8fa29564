package tree

import (
	"cmp"
	"slices"

	"jl/internal/shape"
)

// An sdk is a log as the Agent SDK's getSessionMessages reads it.
type sdk struct {
	*view
	written  []Node // the parents before progress entries are bridged
	progress []Node // the progress entries, which are not in the view
	beside   *gatherer
	on       nodeSet // the nodes of the present path
}

// sdkPath returns what getSessionMessages returns.
func (t *Tree) sdkPath(leaf Node, o Options) Path {
	s := t.sdk()
	if leaf == None {
		leaf = s.leaf()
	}
	if !s.holds(leaf) {
		return Path{Leaf: None}
	}
	p := Path{Leaf: leaf, Nodes: s.path(leaf, t.rules == SDKSystem)}
	if o.Parents {
		p.takeParents(s.view)
	}
	return p
}

func (t *Tree) sdk() *sdk {
	if t.asSDK == nil {
		s := &sdk{view: t.recent()}
		s.relinkAll()
		s.written = slices.Clone(s.parent)
		s.progress = s.bridgeProgress()
		s.beside = s.gatherer(s.written, false)
		t.asSDK = s
	}
	return t.asSDK
}

// fiveMiB is the size in bytes above which current programs do not read the entries before
// the last boundary.
const fiveMiB = 5 << 20

// recent returns the view of current programs. In a large log it begins at the last
// boundary, unless that preserves entries before it.
func (t *Tree) recent() *view {
	from := int64(0)
	if t.size > fiveMiB && t.boundaryAt >= 0 && !t.preserves {
		from = t.boundaryAt
	}
	first, _ := slices.BinarySearchFunc(t.order, from, func(n Node, at int64) int { return cmp.Compare(t.at(n).pos.offset(), at) })
	v := t.view(t.order[first:])
	v.from = from
	return v
}

// relinkAll relinks the preserved lists of all boundaries in file order. It ignores lists
// that cannot be resolved, but does not check segments.
func (s *sdk) relinkAll() {
	var h *hooks
	for _, n := range s.order {
		if s.at(n).flags&boundary == 0 {
			continue
		}
		p, ok := s.preserved(n)
		if !ok || p.listed && !s.resolve(&p) {
			continue
		}
		if h == nil {
			h = newHooks(s.view)
		}
		head, tail := p.ids[0], p.ids[len(p.ids)-1]
		if s.holds(head) {
			h.hang(head, p.anchor)
		}
		if p.listed {
			for k, n := range p.ids[1:] {
				h.hang(n, p.ids[k])
			}
		}
		if p.anchor == None {
			continue
		}
		stays := s.holds(head) && h.parent(head) == p.anchor
		h.move(p.anchor, tail)
		if stays {
			h.hang(head, p.anchor)
		}
	}
	if h == nil {
		return
	}
	for _, n := range s.order {
		s.parent[n] = h.parent(n)
	}
}

// hooks hold the parents of nodes such that all children of a node can be moved to another
// one at once: a node hangs on a hook of its parent, and a hook may hang on another hook.
type hooks struct {
	of   []int32 // by node: the hook that it hangs on
	on   []int32 // by hook: the hook that it hangs on, or itself
	node []Node  // by hook that hangs on itself: the parent
	top  []int32 // by parent, missing first: its hook, 0 if there is none
}

func newHooks(v *view) *hooks {
	h := &hooks{of: make([]int32, v.n), on: []int32{0}, node: []Node{None}, top: make([]int32, int(v.n)-int(missing))}
	for _, n := range v.order {
		h.hang(n, v.parent[n])
	}
	return h
}

// hook returns the hook of p. It adds one if there is none.
func (h *hooks) hook(p Node) int32 {
	if h.top[p-missing] == 0 {
		h.top[p-missing] = int32(len(h.on))
		h.on = append(h.on, int32(len(h.on)))
		h.node = append(h.node, p)
	}
	return h.top[p-missing]
}

// hang makes p the parent of n.
func (h *hooks) hang(n, p Node) { h.of[n] = h.hook(p) }

// move makes to the parent of all children of from.
func (h *hooks) move(from, to Node) {
	if from == to {
		return
	}
	f, t := h.hook(from), h.hook(to)
	h.on[f] = t
	h.top[from-missing] = 0
}

// parent returns the parent of n.
func (h *hooks) parent(n Node) Node {
	k := h.of[n]
	for h.on[k] != k {
		h.on[k] = h.on[h.on[k]]
		k = h.on[k]
	}
	return h.node[k]
}

// bridgeProgress gives each child of a progress entry the parent that the progress entries
// above it lead to. It drops the progress entries from the view and returns them.
func (v *view) bridgeProgress() []Node {
	isProgress := func(n Node) bool { return v.holds(n) && v.at(n).kind == progress }
	tops := v.nearest(func(n Node) bool { return !isProgress(v.parent[n]) })
	var taken []Node
	for _, n := range v.order {
		if up := v.parent[n]; isProgress(up) {
			if top := tops.of(up); top != None { // else a cycle, which the view drops
				v.parent[n] = v.parent[top]
			}
		}
		if v.at(n).kind == progress {
			taken = append(taken, n)
		}
	}
	v.drop(func(n Node) bool { return v.at(n).kind == progress })
	return taken
}

// leaf returns the leaf, which is the message at or above the last end in the file, or None.
func (s *sdk) leaf() Node {
	hidden := func(n Node) bool { return s.at(n).flags&(sidechain|team) != 0 }
	if n := s.lastEnd(func(n Node) bool { return !hidden(n) }); n != None {
		return n
	}
	if n := s.lastEnd(func(Node) bool { return true }); n != None {
		return n
	}
	answers := s.nearest(s.answers)
	wanted := make([]bool, s.n)
	for _, n := range s.progress {
		if p := s.parent[n]; s.holds(p) {
			wanted[p] = true
		}
	}
	for _, n := range slices.Backward(s.order) {
		if wanted[n] {
			if up := answers.of(n); up != None {
				return up
			}
		}
	}
	return None
}

// lastEnd returns the message at or above the last node that no other names as its parent,
// or None. It considers only the nodes for which of reports true.
func (s *sdk) lastEnd(of func(Node) bool) Node {
	named := make([]bool, s.n)
	for _, n := range s.order {
		if p := s.written[n]; of(n) && p >= 0 {
			named[p] = true
		}
	}
	answers := s.nearest(s.answers)
	for _, n := range slices.Backward(s.order) {
		if of(n) && !named[n] {
			if up := answers.of(n); up != None {
				return up
			}
		}
	}
	return None
}

// path returns the conversation that ends at leaf.
func (s *sdk) path(leaf Node, withSystem bool) []Node {
	path := s.chain(leaf)
	path = s.withSiblings(path, s.beside.siblings(path))
	s.on.clear(s.n)
	s.on.addAll(path)
	queued := map[key]bool{}
	return slices.DeleteFunc(path, func(n Node) bool {
		a := s.at(n)
		if a.kind == attachment {
			return a.flags&(sidechain|team) != 0 || !s.returnsQueued(n, queued)
		}
		return !a.kind.isMessage() && !(withSystem && a.kind == system) || a.flags&(meta|sidechain|team) != 0
	})
}

// returnsQueued reports whether the attachment n is a queued prompt that is returned as a
// message: one whose own message is not on the path, and that was not returned before.
func (s *sdk) returnsQueued(n Node, before map[key]bool) bool {
	prompt, source := shape.QueuedPrompt(s.Entry(n))
	if prompt == nil || source == nil {
		return prompt != nil
	}
	k := s.key(source.Text())
	if m := s.find(k); m != n && s.on.has(m) || before[k] {
		return false
	}
	before[k] = true
	return true
}

// answers reports whether n is a message to the SDK: a user or assistant entry or a
// queued prompt.
func (s *sdk) answers(n Node) bool {
	if s.at(n).kind != attachment {
		return s.isMessage(n)
	}
	prompt, _ := shape.QueuedPrompt(s.Entry(n))
	return prompt != nil
}
