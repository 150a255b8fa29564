package tree

import (
	"slices"

	"jl/internal/dialect"
	"jl/internal/entry"
)

// A piState is what pi's rules remember while a log is read.
type piState struct {
	foreign  bool // there was a foreign line
	headed   bool // the file begins with the header of a session
	headless bool // a header is elsewhere, so pi does not open the file
	last     Node // the last entry, which is the leaf; None if it has no id
	hasMain  bool // some entry is not on a sidechain, as in the edges of other agents
}

// begin notes the first entry of the file.
func (p *piState) begin(e *entry.Entry, d dialect.Dialect) {
	p.last = None
	p.headed = d.IsHeader(e) && !p.foreign
}

// skip notes a line that is not one whole entry. pi takes a foreign line for an entry
// without an id. In a straight log the parent of the entry behind it is still the entry
// before it, because the line cannot be printed.
func (p *piState) skip(d *entry.Damage) {
	if isForeign(d) {
		p.foreign, p.last = true, None
	}
}

// aside notes an entry that is not a node.
func (p *piState) aside(d dialect.Dialect) {
	p.headless = p.headless || d.NeedsHeader() && !p.headed
}

// isForeign reports whether a line, if it is damaged, is a JSON value but neither an object
// nor null.
func isForeign(d *entry.Damage) bool {
	return d != nil && d.Value != nil && string(d.Value) != "null"
}

// addPi adds an entry of a pi log.
func (t *Tree) addPi(e *entry.Entry, f *Facts) {
	if !t.dialect.IsNode(e) {
		t.pi.aside(t.dialect)
		return
	}
	n := t.nodeOf(e, f)
	if !f.hasID {
		t.pi.last = None
		return
	}
	if f.parent != (key{}) {
		n.parent = t.intern(f.parent)
	}
	t.insert(f.id, n)
	if isMain := n.flags&sidechain == 0; isMain || !t.pi.hasMain {
		t.pi.last, t.pi.hasMain = t.find(f.id), isMain
	}
}

// isSetting reports whether e is an entry that sets what pi goes on with: the model, the
// thinking level or the name of the session. An entry that is not valid JSON inside sets
// nothing.
func isSetting(e *entry.Entry) bool {
	t := e.Get(entry.Type)
	return (t.Is("model_change") || t.Is("thinking_level_change") || t.Is(nameSetting)) && entry.Valid(e.Bytes)
}

// nameSetting is the type of an entry that names a session.
const nameSetting = "session_info"

// A Linked is the place of an entry and the parent that it gets.
type Linked struct {
	entry.Pos
	Parent entry.Value // nil if the entry keeps its parent
}

// Settings returns the settings of a pi log that are above the cut but still hold, in file
// order: the last model and the last thinking level on the live path, and the last name in
// the file, because these are the ones that pi takes. Those on the live path become a
// chain, and first, the uppermost entry of the live path below the cut, becomes a child of
// the last of them; if that needs no other parent, first has none. Settings reads the log
// upwards as far as it takes to find all three, so if one is missing, to the beginning.
func (l *Live) Settings() (settings []Linked, first Linked, err error) {
	if l.Head == 0 || l.Cut == l.Head || l.Compaction == nil {
		return nil, Linked{}, nil
	}
	v := l.view
	name := v.nameAbove(l.Cut)
	path, chain := v.settingsAbove(l.first, name, l.Cut)
	all := slices.Clone(chain)
	if name != None && !slices.Contains(chain, name) {
		all = append(all, name)
		slices.SortFunc(all, v.byOffset)
	}
	last := None
	for _, n := range all {
		s := Linked{Pos: v.Pos(n)}
		if slices.Contains(chain, n) {
			if last != None && v.parent[n] != last {
				s.Parent = v.RawID(last)
			}
			last = n
		}
		settings = append(settings, s)
	}
	if last != None && v.parent[path] != last {
		first = Linked{v.Pos(path), v.RawID(last)}
	}
	return settings, first, v.err
}

// nameAbove returns the last name of the session above an offset.
func (v *view) nameAbove(cut int64) Node {
	for n := range v.backward() {
		if v.unread.settings[n] == nameSetting && v.at(n).pos.offset() < cut {
			return n
		}
	}
	return None
}

// settingsAbove goes up from a node on the live path. It returns the last node that it
// passes before it is above an offset, and what is above it of these: the first model,
// the first thinking level, and name; in file order.
func (v *view) settingsAbove(n, name Node, cut int64) (first Node, found []Node) {
	seen := nodeSet{}
	types := map[string]bool{}
	above := false
	for first = n; ; {
		seen.add(n)
		up, ok := v.up(n)
		if !ok || seen.has(up) || len(types) == 2 && (name == None || v.at(up).pos.offset() < v.at(name).pos.offset()) {
			break
		}
		n = up
		if above = above || v.at(n).pos.offset() < cut; !above {
			first = n
			continue
		}
		switch t := v.unread.settings[n]; {
		case t == "" || v.at(n).pos.offset() >= cut:
		case n == name:
			found = append(found, n)
		case t != nameSetting && !types[t]:
			types[t] = true
			found = append(found, n)
		}
	}
	slices.SortFunc(found, v.byOffset)
	return first, found
}
