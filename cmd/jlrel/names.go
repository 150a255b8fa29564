package main

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"jl/internal/cli"
	"jl/internal/entry"
	"jl/internal/line"
	"jl/internal/operand"
	"jl/internal/session"
	"jl/internal/source"
)

// A namer finds the sessions that operands name.
type namer struct {
	c    *cli.Command
	h    *session.Home
	home string // for messages
	seen map[string]bool
	each func(id string) error // is called once for each session

	none map[query]bool // without an answer, which is said once
}

// A query is a name that a session is looked for by; exact if it is no beginning.
type query struct {
	name  string
	exact bool
}

// all finds the sessions of all operands, in their order.
func (n *namer) all(operands []string) error {
	n.seen, n.none = map[string]bool{}, map[query]bool{}
	for _, name := range operands {
		var err error
		switch {
		case name == "-":
			err = n.stdin()
		case isFile(name):
			err = n.file(name)
		default:
			err = n.id(name)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// isFile reports whether an operand is meant as a file and not as an id.
func isFile(name string) bool {
	if strings.ContainsRune(name, filepath.Separator) {
		return true
	}
	_, err := os.Lstat(name)
	return err == nil
}

func (n *namer) take(id string) error {
	if n.seen[id] {
		return nil
	}
	n.seen[id] = true
	return n.each(id)
}

// id finds a session by its id or the beginning of it.
func (n *namer) id(name string) error { return n.find(name, false) }

// exact finds a session by the id that a log or a file says: it is no beginning.
func (n *namer) exact(id string) error { return n.find(id, true) }

func (n *namer) find(name string, exact bool) error {
	if n.seen[name] || n.none[query{name, exact}] {
		return nil
	}
	found, err := n.h.Find(name)
	if exact && !slices.Contains(found, name) {
		found = nil
	}
	switch len(found) {
	case 0:
		n.none[query{name, exact}] = true
		if err != nil {
			sayError(n.c, n.h.Path("projects"), err)
		}
		n.c.Note("", "no session %q in %s", name, n.home)
		n.c.No()
		return nil
	case 1:
		return n.take(found[0])
	}
	n.c.Ambiguous("", name, found)
	return nil
}

// file finds the session that a file is the log or a member of.
func (n *namer) file(name string) error {
	if _, err := os.Lstat(name); err != nil {
		n.c.Fail(name, cause(err))
		return nil
	}
	ids, err := n.ownersOf(name)
	if err != nil {
		n.c.Fail(name, err)
		return nil
	}
	if len(ids) == 0 {
		n.c.No()
	}
	for _, id := range ids {
		if err := n.exact(id); err != nil {
			return err
		}
	}
	return nil
}

// stdin finds the sessions that entries, or ids one a line, on standard input name.
func (n *namer) stdin() error {
	src, err := source.Open("-", n.c.In, n.c.Flush)
	if err != nil {
		n.c.Fail("-", err)
		return nil
	}
	defer src.Close()
	var dec entry.Decoder
	last := ""
	lines := line.NewForward(src)
	for lines.Next() {
		text := bytes.TrimSpace(lines.Bytes())
		if id := bareID(text); id != "" {
			if err := n.id(id); err != nil {
				return err
			}
			continue
		}
		count, damage := dec.Decode(lines.Bytes(), lines.Number(), lines.Offset())
		report(n.c, "-", lines, damage)
		for i := range count {
			id := sessionOf(dec.Entry(i))
			if id == "" || id == last {
				continue
			}
			last = id
			if err := n.exact(id); err != nil {
				return err
			}
		}
	}
	if err := lines.Err(); err != nil {
		n.c.Fail("-", err)
	}
	return nil
}

// bareID returns the id that a line is, in quotes or not, "" if it may be anything
// else, like a torn entry.
func bareID(text []byte) string {
	const longest = 100
	if len(text) > 0 && text[0] == '"' && entry.Valid(text) {
		return string(entry.Value(text).Text())
	}
	if len(text) > longest || bytes.ContainsAny(text, "{}[]\" \x00") {
		return ""
	}
	return string(text)
}

// report says what is wrong with a line, if anything is.
func report(c *cli.Command, name string, at *line.Forward, d *entry.Damage) {
	if d == nil {
		return
	}
	operand.Report(c, name, d)
}

// cause returns err without the operation and the path that package os put
// before it.
func cause(err error) error {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return e.Err
	}
	return err
}
