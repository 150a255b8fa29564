package main

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"jl/internal/cli"
	"jl/internal/entry"
	"jl/internal/line"
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
		n.c.Notef("no session %q in %s", name, n.home)
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
		n.c.Troublef("%s: %v", name, cause(err))
		return nil
	}
	id, err := n.ownerOf(name)
	if err != nil {
		n.c.Troublef("%s: %v", name, err)
		return nil
	}
	if id == "" {
		n.c.Notef("%s: belongs to no session", name)
		n.c.No()
		return nil
	}
	return n.exact(id)
}

// ownerOf returns the id of the session that owns a file: by its place in the home;
// by its name, wherever it lies; by what is in it.
func (n *namer) ownerOf(name string) (string, error) {
	inside := n.h.Name(name)
	if inside == "" {
		if real, err := filepath.EvalSymlinks(name); err == nil {
			inside = n.h.Name(real)
		}
	}
	if inside != "" {
		if plan, ok := strings.CutPrefix(inside, "plans/"); ok {
			return n.planner(session.PlanSlug(plan)), nil
		}
		return n.h.OwnerOf(inside), nil
	}
	abs, err := filepath.Abs(name)
	if err != nil {
		return "", err
	}
	for at := filepath.ToSlash(abs); at != "/" && at != "."; at = path.Dir(at) {
		if id := session.Owner(path.Base(at)); id != "" {
			return id, nil
		}
	}
	return firstSession(name)
}

// planner returns the id of the session whose entries have a slug, as far as the
// ends of the logs tell; of several that with the smallest id.
func (n *namer) planner(slug string) string {
	folders, _ := n.h.Projects()
	r := ends{h: n.h, head: make([]byte, endSize), tail: make([]byte, endSize)}
	owner := ""
	for _, folder := range folders {
		logs, _ := n.h.Logs(folder)
		for _, log := range logs {
			id := session.IDOf(log)
			if owner != "" && owner <= id {
				continue
			}
			if r.hasSlug(log, slug) {
				owner = id
			}
		}
	}
	return owner
}

func (r *ends) hasSlug(name, slug string) bool {
	f, err := r.h.Open(name)
	if err != nil {
		return false
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return false
	}
	head, tail, err := r.ends(f, info.Size())
	quoted := string(entry.AppendString(nil, []byte(slug)))
	return err == nil && (hasMember(head, "slug", quoted) || hasMember(tail, "slug", quoted))
}

// firstSession returns the first sessionId in the beginning of a file outside of
// the home. It does not wait for a named pipe.
func firstSession(name string) (string, error) {
	f, err := os.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return "", cause(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return "", cause(err)
	}
	if !info.Mode().IsRegular() {
		return "", errors.New("not a regular file")
	}
	src, err := source.Open("-", f, nil)
	if err != nil {
		return "", err
	}
	defer src.Close()
	head := make([]byte, 256<<10)
	m, err := io.ReadFull(src, head)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return "", err
	}
	return session.SessionIn(head[:m]), nil
}

// stdin finds the sessions that entries, or ids one a line, on standard input name.
func (n *namer) stdin() error {
	src, err := source.Open("-", n.c.In, n.c.Flush)
	if err != nil {
		n.c.Troublef("-: %v", err)
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
		count, damage := dec.Decode(lines.Bytes(), lines.Number() == 1)
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
		n.c.Troublef("-: %v", err)
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
	d.Report(c.Notef, c.Troublef, name, at.Number(), at.Offset())
}

// cause returns err without the operation and the path that package os put
// before it.
func cause(err error) error {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return e.Err
	}
	return err
}
