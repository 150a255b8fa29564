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
func (hs Homes) Owners(file string) (ids []string, errs []error) {
	for _, h := range hs {
		if h.nameOrTarget(file) != "" {
			return h.owners(file)
		}
	}
	for _, h := range hs {
		if ids, errs = h.owners(file); ids != nil {
			break
		}
	}
	return ids, errs
}

// owners returns the ids of the sessions that own a file, which must exist, sorted. The place of
// the file in the home decides, then its name, wherever it is, then what is in it. Plans,
// pastes, images and outputs of tasks belong to the sessions whose entries name them, maybe
// several. An error is a [*PlaceError] of a log that could not be searched, or the last one says
// why no owner is known: [ErrNoOwner], or that the file cannot be read.
func (h *Home) owners(file string) (ids []string, errs []error) {
	abs, err := filepath.Abs(file)
	if err != nil {
		return nil, []error{err}
	}
	name := h.nameOrTarget(file)
	if id := h.OwnerOf(name); id != "" {
		return []string{id}, nil
	}
	isOutput := isTaskOutput(abs)
	for at := filepath.ToSlash(abs); (isOutput || name == "") && at != "/" && at != "."; at = path.Dir(at) {
		if id := Owner(path.Base(at)); id != "" {
			return []string{id}, nil
		}
	}
	switch {
	case isOutput:
		task := strings.TrimSuffix(path.Base(abs), ".output")
		ids, errs = h.search(task, func(m *Member) bool {
			return m.Kind == TaskOutput && (sameFile(m.Name, abs) || m.Name == "" && m.Task.Is(task))
		})
	case h.agent.records && strings.HasPrefix(name, "plans/"):
		var told map[string][]string
		told, errs = h.index()
		for _, log := range told["slug"+planSlug(path.Base(name))] {
			ids = append(ids, idOf(log))
		}
		slices.Sort(ids)
		ids = slices.Compact(ids)
	case h.isRecorded(name):
		ids, errs = h.search(path.Base(name), func(m *Member) bool { return m.Name == name })
	case name == "":
		t, err := toldBy(openFile(file))
		if t.id == "" {
			return nil, []error{cmp.Or(err, ErrNoOwner)}
		}
		return []string{t.id}, nil
	default:
		if a := h.agentLog(name); a.Name == name && a.Err != nil {
			return nil, []error{a.Err}
		}
		return nil, []error{ErrNoOwner}
	}
	if ids == nil {
		errs = append(errs, errNoRecord)
	}
	return ids, errs
}

// IsMember reports whether a file is a member of a session by its place in one of the homes, and
// not a log, or the output of a task, whatever it holds, because that is never opened.
func (hs Homes) IsMember(file string) bool {
	if abs, err := filepath.Abs(file); err == nil && isTaskOutput(abs) {
		return true
	}
	h, name := hs.Of(file)
	_, isLog := CutLog(name)
	return h != nil && !isLog && (h.OwnerOf(name) != "" || h.isRecorded(name))
}

// isRecorded reports whether only entries show to which session a file in the home belongs: a plan,
// a paste, or an image that is in no directory of a session.
func (h *Home) isRecorded(name string) bool {
	dir, _, inside := strings.Cut(name, "/")
	return h.agent.records && inside && (dir == "plans" || dir == "paste-cache" || dir == "image-cache")
}

// OwnerOf returns the id of the session that the file or directory with the name in the home
// belongs to, "" if its name does not hold one. It looks into logs that may be a sub-agent's.
func (h *Home) OwnerOf(name string) string {
	if _, rest, ok := h.agent.folderIn(name); ok {
		dir, _, deep := strings.Cut(rest, "/")
		if AgentID(dir) != "" || h.agent.threads {
			if a := h.agentLog(name); a.Session != "" || AgentID(dir) != "" {
				return h.topOf(a.Session)
			}
		}
		if id := h.whole(h.agent.idIn(name), name); id != "" || !deep {
			return cmp.Or(id, Owner(dir))
		}
		return cmp.Or(h.agent.ownerOf(dir), dir)
	}
	top, rest, ok := strings.Cut(name, "/")
	if !ok || h.agent.leading(top) != "" {
		return ""
	}
	for _, short := range h.agent.shorts {
		if below, ok := strings.CutPrefix(name, short+"/"); ok {
			first, _, _ := strings.Cut(below, "/")
			return h.ownerOfShort(path.Join(short, first))
		}
	}
	first, _, _ := strings.Cut(rest, "/")
	return Owner(first)
}

// topOf returns the session that is no sub-agent, given one that may be.
func (h *Home) topOf(id string) string {
	sessions := h.parents()
	for range sessions { // a cycle ends, too
		if sessions[id] == "" {
			break
		}
		id = sessions[id]
	}
	return id
}

// readParents returns, by the id of each sub-agent whose log is among the logs of the sessions, the
// session that it names.
func (h *Home) readParents() map[string]string {
	parents := map[string]string{}
	if h.agent.threads {
		for _, f := range h.folders() {
			for _, a := range h.threadsIn(f) {
				parents[a.Agent] = a.Session
			}
		}
	}
	return parents
}

// agentLog returns the sub-agent beside sessions to which a file in a folder belongs, its log or metadata,
// or the zero Member.
func (h *Home) agentLog(name string) Member {
	folder, rest, _ := h.agent.folderIn(name)
	for _, a := range h.threadsIn(h.folder(folder)) {
		if a.Name == name || AgentID(rest) != "" && a.Agent == AgentID(rest) {
			return a
		}
	}
	return Member{}
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
func (h *Home) search(word string, is func(*Member) bool) (owners []string, errs []error) {
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
			s := newScan(h, id, func(m Member, err error) bool {
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
