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
	"syscall"

	"jl/internal/entry"
)

// ErrNoOwner is the error for a file that belongs to no session.
var ErrNoOwner = errors.New("belongs to no session")

var errNoRecord = fmt.Errorf("%w: no record names it", ErrNoOwner)

// Owners returns the ids of the sessions that own a file, which must exist, sorted. The place of
// the file in the home decides, then its name, wherever it is, then what is in it. Plans,
// pastes, images and outputs of tasks belong to the sessions whose entries name them, maybe
// several. An error is a [*PlaceError] of a log that could not be searched, or the last one says
// why no owner is known: [ErrNoOwner], or that the file cannot be read.
func (h *Home) Owners(file string) (ids []string, errs []error) {
	abs, err := filepath.Abs(file)
	if err != nil {
		return nil, []error{err}
	}
	name := h.nameOrTarget(file)
	if id := h.OwnerOf(name); id != "" {
		return []string{id}, nil
	}
	isOutput := IsTaskOutput(abs)
	if isOutput || name == "" {
		if id := ownerAbove(abs); id != "" {
			return []string{id}, nil
		}
	}
	switch {
	case isOutput:
		task := strings.TrimSuffix(path.Base(abs), ".output")
		ids, errs = h.search(task, func(m *Member) bool {
			return m.Kind == TaskOutput && (sameFile(m.Name, abs) || m.Name == "" && m.Task.Is(task))
		})
	case strings.HasPrefix(name, "plans/"):
		ids, errs = h.withSlug(planSlug(path.Base(name)))
	case isRecorded(name):
		ids, errs = h.search(path.Base(name), func(m *Member) bool { return m.Name == name })
	default:
		a := h.oldAgent(name)
		if name == "" {
			a.session, a.err = firstSession(file)
		} else if a.name != name {
			a.err = nil
		}
		if a.session != "" {
			return []string{a.session}, nil
		}
		return nil, []error{cmp.Or(a.err, ErrNoOwner)}
	}
	if ids == nil {
		errs = append(errs, errNoRecord)
	}
	return ids, errs
}

// IsMember reports whether a file is a member of a session by its place in the home, and
// not a log.
func (h *Home) IsMember(file string) bool {
	name := h.Name(file)
	_, isLog := CutLog(name)
	return !isLog && (h.OwnerOf(name) != "" || isRecorded(name))
}

// isRecorded reports whether only entries show to which session a file in the home belongs: a plan,
// a paste, or an image that is in no directory of a session.
func isRecorded(name string) bool {
	dir, _, inside := strings.Cut(name, "/")
	return inside && (dir == "plans" || dir == "paste-cache" || dir == "image-cache")
}

// OwnerOf returns the id of the session that the file or directory with the name in the home
// belongs to, "" if its name does not hold one. It looks into an agent's log of the old layout.
func (h *Home) OwnerOf(name string) string {
	parts := strings.Split(name, "/")
	inProjects := parts[0] == "projects"
	switch {
	case inProjects && len(parts) > 3:
		return parts[2]
	case inProjects && len(parts) < 3, len(parts) < 2:
		return ""
	case !inProjects:
		return Owner(parts[1])
	case AgentID(name) != "":
		return h.oldAgent(name).session
	}
	if stem, isLog := CutLog(parts[2]); isLog {
		return stem
	}
	return Owner(parts[2])
}

// oldAgent returns the agent of the old layout to which a file in a project folder belongs, or the
// zero oldAgent.
func (h *Home) oldAgent(name string) oldAgent {
	for _, a := range h.oldAgents(h.folder(path.Dir(name))) {
		if AgentID(a.name) == AgentID(name) {
			return a
		}
	}
	return oldAgent{}
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

// ownerAbove returns the id in the name of a file, or in that of the nearest directory
// above it that has one.
func ownerAbove(abs string) string {
	for at := filepath.ToSlash(abs); at != "/" && at != "."; at = path.Dir(at) {
		if id := Owner(path.Base(at)); id != "" {
			return id
		}
	}
	return ""
}

// sameFile reports whether an entry that names a file means the one at abs. The entry
// may name another way to the file's directory. Neither is opened.
func sameFile(recorded, abs string) bool {
	if recorded == abs || !IsTaskOutput(recorded) {
		return recorded == abs
	}
	a, errA := os.Lstat(recorded)
	b, errB := os.Lstat(abs)
	return errA == nil && errB == nil && os.SameFile(a, b)
}

// search returns the ids of the sessions that have a member satisfying is. It tries the
// history of prompts, then the entries in all logs that hold a word.
func (h *Home) search(word string, is func(*Member) bool) (owners []string, errs []error) {
	ids, places := h.AllIDs()
	for _, err := range places {
		if place, ok := errors.AsType[*PlaceError](err); ok && place.Kind == Other { // in other places are no logs of sessions
			errs = append(errs, err)
		}
	}
	for _, read := range []func(*scan){(*scan).pastes, func(s *scan) { s.readLogs([]byte(word)) }} {
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

// readLogs reads the entries that hold a word in the logs of a session and its agents.
func (s *scan) readLogs(word []byte) {
	for m := range s.h.Members(s.id) {
		if m.Kind == Log || m.Kind == Agent {
			s.readLog(m.Name, word)
		}
	}
}

// withSlug returns the ids of the sessions whose logs have a slug in one of their ends, and why
// logs could not be searched.
func (h *Home) withSlug(slug string) (owners []string, errs []error) {
	r := newEndReader()
	quoted := string(entry.AppendString(nil, []byte(slug)))
	for name, err := range h.logs() {
		var e ends
		if err == nil {
			if e, err = h.endsOf(name, r); err != nil {
				err = &PlaceError{Name: name, Err: err}
			}
		}
		if err != nil {
			errs = append(errs, err)
		}
		if hasMember(e.head, "slug", quoted) || hasMember(e.tail, "slug", quoted) {
			owners = append(owners, idOf(name))
		}
	}
	slices.Sort(owners)
	return slices.Compact(owners), errs
}

// firstSession returns the first sessionId in the beginning of a file outside of the
// home. It does not wait for the writer of a named pipe.
func firstSession(file string) (string, error) {
	info, err := os.Stat(file) // to open a device may do something to it
	if err != nil {
		return "", err
	}
	if !info.Mode().IsRegular() {
		return "", errors.New("not a regular file")
	}
	f, err := os.OpenFile(file, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return "", err
	}
	return sessionOf(f)
}
