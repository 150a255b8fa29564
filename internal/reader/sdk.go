package reader

import (
	"slices"

	"jl/internal/forest"
	"jl/internal/log"
	"jl/internal/shape"
)

// An sdk is a log as the Agent SDK's getSessionMessages reads it.
type sdk struct {
	*view
	beside   *gatherer
	answered func(log.Node) log.Node // the nearest message at or above a node
	on       forest.Set              // the nodes of the present path
}

func (r *Reader) asSDK() *sdk {
	if r.sdk == nil {
		s := &sdk{view: newView(r.t, SDK)}
		s.relinkAll()
		s.bridge()
		s.beside = newGatherer(s.view, false)
		s.answered = s.Nearest(s.answers)
		r.sdk = s
	}
	return r.sdk
}

// answer returns what getSessionMessages returns.
func (s *sdk) answer(leaf log.Node, withSystem, parents bool) log.Path {
	if leaf == none {
		leaf = s.leaf()
	}
	if !s.holds(leaf) {
		return log.Path{Leaf: none}
	}
	walk := s.Walk(leaf, nil)
	return s.pathOf(leaf, s.path(walk, withSystem), walk, parents)
}

// relinkAll relinks the preserved lists of all boundaries in file order. It ignores a list that
// names a missing node, but does not check segments. It looks at all nodes for each boundary.
func (s *sdk) relinkAll() {
	for _, n := range s.nodes {
		if !s.Tree.Is(n, log.Boundary) {
			continue
		}
		p, ok := s.preserved(n, false)
		if !ok {
			continue
		}
		head, tail := p.ids[0], p.ids[len(p.ids)-1]
		if s.holds(head) {
			s.parent[head] = p.anchor
		}
		if p.listed {
			for k, n := range p.ids[1:] {
				s.parent[n] = p.ids[k]
			}
		}
		if p.anchor == none || p.anchor == tail {
			continue
		}
		for _, child := range s.nodes {
			if s.parent[child] == p.anchor && child != head {
				s.parent[child] = tail
			}
		}
	}
}

// leaf returns the leaf, or none: the message at or above the last end in the file. Ends that are
// shown go before the others, and if there are none, what is above progress entries counts.
func (s *sdk) leaf() log.Node {
	shown := slices.DeleteFunc(slices.Clone(s.nodes), func(n log.Node) bool { return s.Tree.Is(n, log.Sidechain) || s.Marks[n]&log.Team != 0 })
	var above []log.Node
	for n := range s.Log.Count {
		if up := s.parent[n]; s.Kinds[n] == log.Progress && s.holds(up) {
			above = append(above, up)
		}
	}
	slices.Sort(above)
	for _, ends := range [][]log.Node{s.ends(shown, s.direct), s.ends(s.nodes, s.direct), above} {
		for _, n := range slices.Backward(ends) {
			if m := s.answered(n); m != none {
				return m
			}
		}
	}
	return none
}

// path returns the conversation of a walk to a leaf.
func (s *sdk) path(walk []log.Node, withSystem bool) []log.Node {
	path := s.beside.withSiblings(walk)
	s.on.Clear(s.Cap)
	s.on.AddAll(path)
	queued := map[string]bool{}
	return slices.DeleteFunc(path, func(n log.Node) bool {
		k := s.Kinds[n]
		if k == log.Attachment {
			return s.Tree.Is(n, log.Sidechain) || s.Marks[n]&log.Team != 0 || !s.returnsQueued(n, queued)
		}
		return !k.Message() && !(withSystem && k == log.System) || s.Marks[n]&log.Meta != 0 || s.Tree.Is(n, log.Sidechain) || s.Marks[n]&log.Team != 0
	})
}

// returnsQueued reports whether the attachment n is a queued prompt that is returned as a message:
// one whose own message is not on the path, and that was not returned before.
func (s *sdk) returnsQueued(n log.Node, before map[string]bool) bool {
	prompt, source := shape.QueuedPrompt(s.Entry(n))
	if prompt == nil || source == nil {
		return prompt != nil
	}
	k := string(source.Text())
	if m := s.LookUp(source); m != n && s.on.Has(m) || before[k] {
		return false
	}
	before[k] = true
	return true
}

// answers reports whether n is a message to the SDK: a user or assistant entry or a queued prompt.
func (s *sdk) answers(n log.Node) bool {
	if s.Kinds[n] != log.Attachment {
		return s.isMessage(n)
	}
	prompt, _ := shape.QueuedPrompt(s.Entry(n))
	return prompt != nil
}
