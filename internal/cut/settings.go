package cut

import (
	"cmp"
	"slices"

	"jl/internal/entry"
	"jl/internal/forest"
	"jl/internal/log"
)

// piNodes is nodes for a pi log: its last compaction and what that kept.
func (c *Cut) piNodes() ([]log.Node, bool) {
	p := c.tail
	f, last := forest.Of(p.Tree.Up), p.End
	if last == log.None || p.more() && p.Tree.Is(last, log.Sidechain) {
		return nil, false
	}
	nodes := f.Walk(last, func(n log.Node) bool { return p.Tree.Is(n, log.Boundary) })
	top := nodes[0]
	if !p.Tree.Is(top, log.Boundary) {
		return nil, !p.lost(top)
	}
	if id := p.Entry(top).Member("firstKeptEntryId"); !id.IsEmpty() {
		head := p.LookUp(id)
		kept := f.Walk(top, func(n log.Node) bool { return n == head })
		if kept[0] == head {
			nodes = append(nodes, kept...)
		} else if p.more() {
			return nil, false
		}
	}
	c.Compaction, c.at = p.RawID(top), p.Pos(top)
	return nodes, true
}

// A Linked is the place of an entry and the parent that it gets.
type Linked struct {
	entry.Pos
	Parent entry.Value // nil if the entry keeps its parent
}

// Settings returns the settings of a pi log that are above the cut but still hold, in file
// order: the last model and the last thinking level on the live path, and the last name in
// the file, because these are the ones that pi takes. Those on the live path become a
// chain, and first, the uppermost entry of the live path below the cut, becomes a child of
// the last of them; if it needs no other parent, first has none. Settings reads the log
// upwards until it has found all three, so to the beginning if one is missing. If it finds there that the live
// path repeats what is above it, the cut moves up to that.
func (c *Cut) Settings() (settings []Linked, first Linked, err error) {
	if c.Head == 0 || c.Offset == c.Head || c.Compaction == nil {
		return nil, Linked{}, nil
	}
	p := c.tail
	var path, name log.Node
	var chain []log.Node
	for whole := false; !whole; {
		if p.NodeAt(c.at) == log.None { // a copy of what is above it, which counts
			nodes, ok := c.piNodes()
			if !ok && p.grow() {
				continue
			}
			if len(nodes) == 0 {
				c.Offset = c.Head
				return nil, Linked{}, p.failed()
			}
			c.Offset = p.extend(nodes)
		}
		name = p.last(func(n log.Node) bool { return p.Pos(n).Offset < c.Offset && p.setting(n) == nameSetting })
		path, chain, whole = p.settingsAbove(p.NodeAt(c.at), name, c.Offset)
		whole = whole && name != log.None || !p.grow()
	}
	if p.err != nil {
		return nil, Linked{}, p.err // the nodes are those of another log
	}
	slices.Sort(chain) // in file order
	last := log.None
	for _, n := range chain {
		settings = append(settings, p.below(last, n))
		last = n
	}
	if name != log.None && !slices.Contains(chain, name) {
		settings = append(settings, Linked{Pos: p.Pos(name)})
		slices.SortFunc(settings, func(a, b Linked) int { return cmp.Compare(a.Offset, b.Offset) })
	}
	return settings, p.below(last, path), p.failed()
}

// below returns n as a child of parent, unless that is None.
func (p *tail) below(parent, n log.Node) Linked {
	if parent == log.None || p.Tree.Up[n] == parent {
		return Linked{Pos: p.Pos(n)}
	}
	return Linked{p.Pos(n), p.RawID(parent)}
}

// nameSetting is the type of an entry that names a session.
const nameSetting = "session_info"

// setting returns the type of n if it sets what pi goes on with: the model, the thinking level or
// the name of the session. An entry that is not valid JSON inside sets nothing.
func (p *tail) setting(n log.Node) string {
	e := p.Entry(n)
	t := e.Get(entry.Type)
	if (t.Is("model_change") || t.Is("thinking_level_change") || t.Is(nameSetting)) && entry.Valid(e.Bytes) {
		return string(t.Text())
	}
	return ""
}

// settingsAbove goes up from a node on the live path. It returns the last node that it passes
// before it is above an offset, and what is above it of these: the first model, the first
// thinking level, and name. Whole reports whether it had no need to go on above the tail.
func (p *tail) settingsAbove(n, name log.Node, cut int64) (first log.Node, found []log.Node, whole bool) {
	types := map[string]bool{}
	above := false
	walk := forest.Of(p.Tree.Up).Walk(n, nil)
	for _, n := range slices.Backward(walk) {
		if len(types) == 2 && (name == log.None || p.Pos(n).Offset < p.Pos(name).Offset) {
			return first, found, true
		}
		if above = above || p.Pos(n).Offset < cut; !above {
			first = n
			continue
		}
		t := p.setting(n)
		if t == "" || p.Pos(n).Offset >= cut {
			continue
		}
		if n == name {
			found = append(found, n)
		} else if t != nameSetting && !types[t] {
			types[t] = true
			found = append(found, n)
		}
	}
	return first, found, !p.lost(walk[0])
}
