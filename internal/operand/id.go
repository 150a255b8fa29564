package operand

import (
	"bytes"
	"fmt"
	"strings"

	"jl/internal/cli"
	"jl/internal/entry"
	"jl/internal/tree"
)

// An Answer is the meaning of a given id in one log.
type Answer struct {
	// Known reports whether the log has the id, or ids that begin with it. Find has
	// reported an ambiguous one. It is also true if not all of the log could be read: what
	// cannot be read may have the id.
	Known bool

	// Chosen reports whether Node can be used. [tree.None] is the leaf that the rules
	// choose, because some treat an unknown id as if none was given.
	Chosen bool
	Node   tree.Node
}

// Find looks up ids in the tree of f: whole ids, or prefixes that only one id has.
func (f *File) Find(t *tree.Tree, ids ...string) []Answer {
	answers := make([]Answer, len(ids))
	found := t.Find(ids)
	var hashed []string // what may have lost its # to the shell
	places := map[int]int{}
	for i, m := range found {
		if m.Count == 0 {
			places[i] = len(hashed)
			hashed = append(hashed, "#"+ids[i])
		}
	}
	isPlace := t.Find(hashed)
	for i, m := range found {
		switch {
		case m.Count > 1:
			Ambiguous(f.c, f.Name, ids[i], m.Candidates, m.Count)
			answers[i].Known = true
		case m.Node != tree.None:
			answers[i] = Answer{Known: true, Chosen: true, Node: m.Node}
		case f.failed != "", t.Err() != nil:
			answers[i].Known = true // the caller reports the error of t
		case isPlace[places[i]].Node != tree.None:
			f.Note("no entry %s, but there is '#%s'", entry.Quote(ids[i]), ids[i])
			f.c.No()
			answers[i].Known = true
		case f.FallsBack:
			f.Note("no entry %s: ignored", entry.Quote(ids[i]))
			answers[i] = Answer{Known: true, Chosen: true, Node: tree.None}
		}
	}
	return answers
}

// Ambiguous reports that id is a prefix of count ids at a place, and makes the exit status
// 2. It names the first few of them, which candidates begins with.
func Ambiguous(c *cli.Command, place, id string, candidates []string, count int) {
	const most = 5
	var list strings.Builder
	for i, candidate := range candidates[:min(len(candidates), most)] {
		if i > 0 {
			list.WriteString(", ")
		}
		list.WriteString(entry.Quote(candidate))
	}
	if count > most {
		fmt.Fprintf(&list, " and %d more", count-most)
	}
	c.Fail(cli.File(place), fmt.Errorf("%s is ambiguous: %s", entry.Quote(id), list.String()))
}

// NoEntry prints the note that no operand has an entry with the id, and makes the answer
// "none".
func NoEntry(c *cli.Command, names []string, id string) {
	if names = Names(names); len(names) == 1 {
		c.Note(cli.File(names[0]), "no entry %s", entry.Quote(id))
	} else {
		c.Note(cli.Place{}, "no FILE has an entry %s", entry.Quote(id))
	}
	c.No()
}

// ParseID returns the id on a line of a list of ids: bare or as a JSON string, with
// optional white space around it. It reports false if the line is blank, or may be
// something else, such as an entry or a part of one. A byte order mark before the first
// line of a list is not part of the id.
func ParseID(line []byte, first bool) (string, bool) {
	const longest = 1 << 10
	if first {
		line = bytes.TrimPrefix(line, []byte(entry.BOM))
	}
	line = bytes.TrimSpace(line)
	switch {
	case len(line) == 0:
		return "", false
	case line[0] == '"' && entry.Valid(line):
		return string(entry.Value(line).Text()), true
	case len(line) > longest, bytes.ContainsAny(line, "{}[]\"\x00"):
		return "", false
	}
	return string(line), true
}

// AppendID appends an id as a line of a list, without a '\n', so that [ParseID] reads it
// back: bare if possible, else as a JSON string.
func AppendID(dst []byte, id string) []byte {
	control := func(r rune) bool { return r < 0x20 || r == 0x7f }
	if same, ok := ParseID([]byte(id), true); ok && same == id && !strings.ContainsFunc(id, control) {
		return append(dst, id...)
	}
	return entry.AppendString(dst, []byte(id))
}
