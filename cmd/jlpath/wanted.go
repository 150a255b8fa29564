package main

import (
	"bytes"

	"jl/internal/cli"
	"jl/internal/entry"
	"jl/internal/line"
	"jl/internal/source"
	"jl/internal/tree"
)

// A leaf is an entry that a path is asked for.
type leaf struct {
	id    string
	file  string // the log that it is in, if the edge that named it said so
	found bool
}

// wanted returns the leaves that -l names, none if it is not given.
func wanted(c *cli.Command, id *string) []*leaf {
	switch {
	case id == nil:
		return nil
	case *id != "-":
		return []*leaf{{id: *id}}
	}
	src, err := source.Open("-", c.In, c.Flush)
	if err != nil {
		c.Troublef("-: %v", err)
		return nil
	}
	defer src.Close()
	var leaves []*leaf
	var dec entry.Decoder
	lines := line.NewForward(src)
	for lines.Next() {
		first := lines.Number() == 1
		if id := bareID(lines.Bytes(), first); id != "" {
			leaves = append(leaves, &leaf{id: id})
			continue
		}
		count, damage := dec.Decode(lines.Bytes(), first)
		if damage != nil {
			// The list is finished: what is cut off in it is lost.
			trouble := c.Troublef
			if len(damage.Recovered) > 0 && !damage.Lost() && lines.Bytes()[len(lines.Bytes())-1] == '\n' {
				trouble = c.Notef
			}
			damage.Report(trouble, trouble, "-", lines.Number(), lines.Offset())
		}
		for i := range count {
			l := leafOf(dec.Entry(i))
			if l == nil {
				c.Troublef("-:%d: an entry without an id is no leaf", lines.Number())
				continue
			}
			leaves = append(leaves, l)
		}
	}
	if err := lines.Err(); err != nil {
		c.Troublef("-: %v", err)
	}
	return leaves
}

// bareID returns the id that a line holds as it is or as a JSON string, "" if it is
// blank or what it holds is an object. A byte order mark before the first line is
// none of it.
func bareID(text []byte, first bool) string {
	if first {
		text = bytes.TrimPrefix(text, []byte("\ufeff"))
	}
	text = bytes.TrimSpace(text)
	switch {
	case len(text) == 0 || text[0] == '{':
		return ""
	case text[0] == '"' && entry.Valid(text):
		return string(entry.Value(text).Text())
	}
	return string(text)
}

// leafOf returns the leaf that an entry or an edge is, nil if it has no id.
func leafOf(e *entry.Entry) *leaf {
	id := entry.DialectOf(e).IDOf(e)
	if id == nil {
		return nil
	}
	l := &leaf{id: string(id.Text())}
	if e.Get(entry.Offset) != nil { // an edge
		l.file = string(e.Get(entry.File).Text())
	}
	return l
}

// nodes looks up those of the leaves that may be in the log name. It says which
// are ambiguous.
func nodes(c *cli.Command, t *tree.Tree, name string, leaves []*leaf) []tree.Node {
	var here []*leaf
	var ids []string
	inEdge := string(entry.Value(entry.AppendString(nil, []byte(name))).Text()) // is UTF-8
	for _, l := range leaves {
		if l.file == "" || l.file == inEdge {
			here = append(here, l)
			ids = append(ids, l.id)
		}
	}
	var found []tree.Node
	for i, m := range t.Find(ids) {
		switch {
		case len(m.Candidates) > 0:
			here[i].found = true
			c.Ambiguous(name, ids[i], m.Candidates)
		case m.Node != tree.None:
			here[i].found = true
			found = append(found, m.Node)
		case t.FallsBack():
			here[i].found = true
			c.Notef("%s: no entry %q: as if none was given", name, ids[i])
			found = append(found, tree.None)
		}
	}
	return found
}
