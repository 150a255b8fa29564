package session

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// ErrNoOwner is the error for a file that belongs to no session.
var ErrNoOwner = errors.New("belongs to no session")

var errNoRecord = fmt.Errorf("%w: no record names it", ErrNoOwner)

// Owners returns the ids of the sessions that own a file, which must exist, as [Home.owners] does: of
// the home that the file is in, or of the first one that knows them.
func (hs Homes) Owners(file string) (ids []string, unread []*PlaceError, err error) {
	for _, h := range hs {
		if h.nameOrTarget(file) != "" {
			return h.owners(file)
		}
	}
	for _, h := range hs {
		if ids, unread, err = h.owners(file); ids != nil {
			break
		}
	}
	return ids, unread, err
}

// owners returns the ids of the sessions that own a file, which must exist, sorted. The place of
// the file in the home decides, then its name, wherever it is, then what is in it. Plans,
// pastes, images and outputs of tasks belong to the sessions whose entries name them, maybe
// several. Unread are the logs that could not be searched. The error says why no owner is known: [ErrNoOwner], or
// that the file cannot be read.
func (h *Home) owners(file string) (ids []string, unread []*PlaceError, err error) {
	abs, err := filepath.Abs(file)
	if err != nil {
		return nil, nil, err
	}
	name := h.nameOrTarget(file)
	if id := h.OwnerOf(name); id != "" {
		return []string{id}, nil, nil
	}
	isOutput := isTaskOutput(abs)
	for at := filepath.ToSlash(abs); (isOutput || name == "") && at != "/" && at != "."; at = path.Dir(at) {
		if id := Owner(path.Base(at)); id != "" {
			return []string{id}, nil, nil
		}
	}
	switch kind := h.agent.match(name, false).kind; {
	case isOutput:
		task := strings.TrimSuffix(path.Base(abs), ".output")
		ids, unread = h.search(task, func(m *Member) bool {
			return m.Kind == TaskOutput && (sameFile(m.Name, abs) || m.Name == "" && m.Task.Is(task))
		})
	case kind == kindPlan:
		x := h.ends()
		unread = x.errs
		for _, log := range x.logs["slug"+planSlug(path.Base(name))] {
			ids = append(ids, idOf(log))
		}
		slices.Sort(ids)
		ids = slices.Compact(ids)
	case kind == kindPaste, kind == kindImage:
		ids, unread = h.search(path.Base(name), func(m *Member) bool { return m.Name == name })
	case name == "":
		t := h.reader.beginning(openFile(file))
		if t.id == "" {
			return nil, nil, cmp.Or(t.err, ErrNoOwner)
		}
		return []string{t.id}, nil, nil
	default:
		if _, err := h.owner(h.rowOf(name, nil, false)); err != nil {
			return nil, []*PlaceError{err}, nil
		}
		return nil, nil, ErrNoOwner
	}
	if ids == nil {
		err = errNoRecord
	}
	return ids, unread, err
}

// IsMember reports whether a file is a member of a session by its place in one of the homes, and
// not a log, or the output of a task, whatever it holds, because that is never opened.
func (hs Homes) IsMember(file string) bool {
	if abs, err := filepath.Abs(file); err == nil && isTaskOutput(abs) {
		return true
	}
	h, name := hs.Of(file)
	_, isLog := CutLog(name)
	return h != nil && !isLog && (h.OwnerOf(name) != "" || h.agent.match(name, false).isNamed())
}

// OwnerOf returns the id of the session that the file or directory with the name in the home
// belongs to, "" if neither its name nor a log tells it.
func (h *Home) OwnerOf(name string) string {
	r := h.rowOf(name, nil, false)
	rest, inFolder := h.agent.inFolder(name)
	first, _, deep := strings.Cut(rest, "/")
	switch id, _ := h.owner(r); {
	case !inFolder && h.agent.leading(name) != "":
		return ""
	case inFolder && !deep && !r.rule.isSession() && !r.rule.isAgent():
		return Owner(first)
	default:
		return id
	}
}

// owner returns the session that a file or a directory belongs to. If only a log tells it, the error says why it
// is not known.
func (h *Home) owner(r *row) (string, *PlaceError) {
	id, by, err := h.sessionOf(r)
	if by != "" {
		id = h.topOf(by)
	}
	return id, err
}

// sessionOf returns the session that the name of a row holds, or by, the one that a log names, which may be a
// sub-agent.
func (h *Home) sessionOf(r *row) (id, by string, err *PlaceError) {
	log := r.name
	switch {
	case r.rule.kind == thread:
		if t := h.tell(log); t.isAgent {
			return "", t.parent, nil
		}
		return r.session, "", nil
	case !r.rule.isAgent() || r.session != "":
		return r.session, "", nil
	case r.rule.kind == AgentMeta:
		stem, _ := strings.CutSuffix(r.name, metaSuffix)
		if log = h.packed(stem); log == "" {
			return "", "", nil
		}
	}
	t := h.tell(log)
	if t.err != nil && !isSkipped(t.err) {
		err = h.placeError(log, "", t.err)
	}
	return "", t.id, err
}

// A loose has the sub-agents whose logs are beside those of sessions, and say whose they are. All of it is
// valid once readBeside has returned it.
type loose struct {
	of      map[string][]*row // by the session to which they belong, "" if they name none
	parents map[string]string // by the id of a sub-agent that is a thread, the session that it names
	ids     []string          // of the sessions that they name
	unread  []*PlaceError     // those of which the session is not known
}

// readLoose returns the sub-agents beside logs. It reads the beginning of each log that may be one's.
func (h *Home) readLoose() *loose {
	b := &loose{of: map[string][]*row{}, parents: map[string]string{}}
	named := map[*row]string{}
	for _, r := range h.logs().rows {
		if !r.loose {
			continue
		}
		_, by, err := h.sessionOf(r)
		switch {
		case err != nil && r.kind == Agent:
			b.unread = append(b.unread, err)
		case err == nil && (r.rule.kind != thread || by != ""): // else it is the log of a session
			named[r] = by
		}
		if isElement(by) {
			b.ids = append(b.ids, by)
		}
		if r.rule.kind == thread && by != "" {
			b.parents[r.session] = by
		}
	}
	for _, r := range h.logs().rows {
		if by, known := named[r]; known {
			id := b.topOf(by)
			b.of[id] = append(b.of[id], r)
		}
	}
	return b
}

// topOf returns the session that a sub-agent belongs to, or the id itself if it is not a sub-agent's.
func (b *loose) topOf(id string) string {
	for range b.parents { // a cycle ends, too
		if b.parents[id] == "" {
			break
		}
		id = b.parents[id]
	}
	return id
}

// topOf returns the session that a sub-agent belongs to, or the id itself if it is not a sub-agent's.
func (h *Home) topOf(id string) string {
	if !h.agent.threads {
		return id
	}
	return h.loose().topOf(id)
}

// nameOrTarget returns the name in the home of a file or of what it is a link to, "" if
// neither is there.
func (h *Home) nameOrTarget(file string) string {
	if name := h.Name(file); name != "" {
		return name
	}
	target, err := filepath.EvalSymlinks(file)
	if err != nil {
		return ""
	}
	return h.Name(target)
}

// sameFile reports whether an entry that names a file means the one at abs. The entry
// may name another way to the file's directory. Neither is opened.
func sameFile(recorded, abs string) bool {
	if recorded == abs || !isTaskOutput(recorded) {
		return recorded == abs
	}
	a, errA := os.Lstat(recorded)
	b, errB := os.Lstat(abs)
	return errA == nil && errB == nil && os.SameFile(a, b)
}

// search returns the ids of the sessions that have a member satisfying is. It tries the
// history of prompts, then the entries in all logs that hold a word.
func (h *Home) search(word string, is func(*Member) bool) (owners []string, errs []*PlaceError) {
	errs = h.unseen()
	ids, _ := h.AllIDs()
	readLogs := func(s *scan) {
		for m := range h.Members(s.id) {
			if m.Kind == Log || m.Kind == Agent {
				s.readLog(m.Name, []byte(word))
			}
		}
	}
	for _, read := range []func(*scan){(*scan).pastes, readLogs} {
		for _, id := range ids {
			found := false
			s := newScan(h, id, func(m Member, err *PlaceError) bool {
				if err != nil {
					errs = append(errs, err)
				}
				found = err == nil && is(&m)
				return !found
			})
			s.pathless = true
			if read(s); found {
				owners = append(owners, id)
			}
		}
		if owners != nil {
			break
		}
	}
	return owners, errs
}
