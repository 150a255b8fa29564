package main

import (
	"bytes"
	"errors"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"jl/internal/entry"
	"jl/internal/line"
	"jl/internal/session"
	"jl/internal/source"
)

// ownersOf returns the ids of the sessions that own a file, sorted: by its place in
// the home; by its name, wherever it lies; by what is in it; or by what the records of
// all sessions say, who may be several then. If there is none it says so.
func (n *namer) ownersOf(name string) ([]string, error) {
	abs, err := filepath.Abs(name)
	if err != nil {
		return nil, err
	}
	inside := n.inHome(name)
	if inside != "" {
		if id := n.h.OwnerOf(inside); id != "" {
			return []string{id}, nil
		}
	}
	switch {
	case isOutput(abs):
		if id := ownerAbove(abs); id != "" {
			return []string{id}, nil
		}
		task := strings.TrimSuffix(path.Base(abs), ".output")
		return n.known(name, n.searched(task, func(m *member) bool {
			return m.Kind == taskOutput && (sameFile(m.Name, abs) || m.Name == "" && m.task == task)
		})), nil
	case strings.HasPrefix(inside, "plans/"):
		return n.known(name, n.planners(session.PlanSlug(path.Base(inside)))), nil
	case isNamed(inside):
		return n.known(name, n.searched(path.Base(inside), func(m *member) bool { return m.Name == inside })), nil
	case inside != "":
		n.c.Note(name, "belongs to no session")
		return nil, nil
	}
	id := ownerAbove(abs)
	if id == "" {
		if id, err = firstSession(name); err != nil {
			return nil, err
		}
	}
	if id == "" {
		n.c.Note(name, "belongs to no session")
		return nil, nil
	}
	return []string{id}, nil
}

// isNamed reports whether only records can tell whose a file in the home is.
func isNamed(inside string) bool {
	return strings.HasPrefix(inside, "plans/") || strings.HasPrefix(inside, "paste-cache/") || strings.HasPrefix(inside, "image-cache/")
}

// inHome returns what a file, or what it is a link to, is called in the home, "" if
// it is not there.
func (n *namer) inHome(name string) string {
	if inside := n.h.Name(name); inside != "" {
		return inside
	}
	real, err := filepath.EvalSymlinks(name)
	if err != nil {
		return ""
	}
	return n.h.Name(real)
}

// ownerAbove returns the id in the name of a file or of the nearest directory that it
// lies in.
func ownerAbove(abs string) string {
	for at := filepath.ToSlash(abs); at != "/" && at != "."; at = path.Dir(at) {
		if id := session.Owner(path.Base(at)); id != "" {
			return id
		}
	}
	return ""
}

// sameFile reports whether a record means the file at abs: it may name it by another
// way to its directory. Neither is opened.
func sameFile(recorded, abs string) bool {
	if recorded == abs || !isOutput(recorded) {
		return recorded == abs
	}
	a, err := os.Lstat(recorded)
	if err != nil {
		return false
	}
	b, err := os.Lstat(abs)
	return err == nil && os.SameFile(a, b)
}

// known returns ids, and says if there are none.
func (n *namer) known(name string, ids []string) []string {
	if len(ids) == 0 {
		n.c.Note(name, "belongs to no session that is known: no record names it")
	}
	return ids
}

// searched returns the ids of the sessions of which that is a member which is
// reports, as far as the history of prompts tells, else all logs, which it reads. Only
// entries with the word are looked at.
func (n *namer) searched(word string, is func(*member) bool) []string {
	ids, _ := n.h.AllIDs() // of those that are not known nothing can be read
	var owners []string
	for _, ask := range []func(s *inLogs){(*inLogs).pastes, func(s *inLogs) { n.search(s, word) }} {
		for _, id := range ids {
			s := newInLogs(n.c, n.h, id, func(m *member) error {
				if is(m) {
					return errFound
				}
				return nil
			})
			s.pathless = true
			if ask(s); s.err != nil {
				owners = append(owners, id)
			}
		}
		if owners != nil {
			break
		}
	}
	return owners
}

// errFound ends a search.
var errFound = errors.New("found")

// search looks into the entries of a session and its agents that hold a word. What is
// damaged there is of no interest here; what cannot be read is named.
func (n *namer) search(s *inLogs, word string) {
	for m := range n.h.Members(s.id) {
		if m.Kind != session.Log && m.Kind != session.Agent || isSkipped(m.Err) {
			continue
		}
		if err := n.searchLog(s, m.Name, []byte(word)); err != nil {
			n.c.Fail(n.h.Path(m.Name), err)
		}
		if s.err != nil {
			return
		}
	}
}

func (n *namer) searchLog(s *inLogs, name string, word []byte) error {
	f, err := n.h.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	src, err := unpack(f)
	if err != nil {
		return err
	}
	defer src.Close()
	var dec entry.Decoder
	lines := line.NewForward(src)
	for s.err == nil && lines.Next() {
		if !bytes.Contains(lines.Bytes(), word) {
			continue
		}
		count, _ := dec.Decode(lines.Bytes(), lines.Number(), lines.Offset())
		for i := range count {
			s.entry(dec.Entry(i))
		}
	}
	return lines.Err()
}

// planners returns the ids of the sessions whose entries have a slug, as far as the
// ends of the logs tell, sorted.
func (n *namer) planners(slug string) []string {
	folders, _ := n.h.Projects()
	r := ends{h: n.h, head: make([]byte, endSize), tail: make([]byte, endSize)}
	var owners []string
	for _, folder := range folders {
		logs, _ := n.h.Logs(folder)
		for _, log := range logs {
			if r.hasSlug(log, slug) {
				owners = append(owners, session.IDOf(log))
			}
		}
	}
	slices.Sort(owners)
	return slices.Compact(owners)
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
	e, _ := r.ends(f, info.Size()) // what there is may do
	quoted := string(entry.AppendString(nil, []byte(slug)))
	return hasMember(e.head, "slug", quoted) || hasMember(e.tail, "slug", quoted)
}

// firstSession returns the first sessionId in the beginning of a file outside of
// the home. It does not wait for a named pipe.
func firstSession(name string) (string, error) {
	info, err := os.Stat(name) // to open a device may do something to it
	if err != nil {
		return "", cause(err)
	}
	if !info.Mode().IsRegular() {
		return "", errors.New("not a regular file")
	}
	f, err := os.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return "", cause(err)
	}
	defer f.Close()
	src, err := source.Open("-", f, nil)
	if err != nil {
		return "", err
	}
	defer src.Close()
	return session.FirstSession(src)
}
